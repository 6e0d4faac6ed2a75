import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
EXAMPLE = ROOT / "examples/swift-domain"
BUILD = ROOT / ".build-cmake"
OUTPUT = "light: true\ncounter: 1\n"  # of the program main of the example


def run(*command: object, **variables: object) -> subprocess.CompletedProcess:
    return subprocess.run(
        [str(word) for word in command],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        env={**os.environ, **{name: str(value) for name, value in variables.items()}},
    )


def succeed(*command: object, **variables: object) -> str:
    result = run(*command, **variables)
    assert result.returncode == 0, f"{command}:\n{result.stdout}{result.stderr}"
    return result.stdout


@pytest.fixture(scope="session")
def prefix(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A prefix with the library that `make build` has built."""
    prefix = tmp_path_factory.mktemp("prefix")
    succeed("cmake", "--install", BUILD, "--prefix", prefix)
    return prefix


class ExampleCopy:
    """A copy of the example that is built with an installed immutabledata."""

    def __init__(self, folder: Path, prefix: Path) -> None:
        self.source = folder / "lights"
        self.build = folder / "build"
        self.prefix = prefix
        self.library = self.build / "liblights.so"
        self.restore()
        options = ["-DCMAKE_BUILD_TYPE=Debug", f"-DCMAKE_PREFIX_PATH={prefix}"]
        succeed("cmake", "-S", self.source, "-B", self.build, *options)

    def restore(self) -> None:
        shutil.rmtree(self.source, ignore_errors=True)
        ignored = shutil.ignore_patterns(".*", "build", "Package.resolved")
        shutil.copytree(EXAMPLE, self.source, ignore=ignored)

    def edit(self, path: str, old: str, new: str) -> None:
        text = (self.source / path).read_text()
        assert old in text
        (self.source / path).write_text(text.replace(old, new))

    def make(self) -> subprocess.CompletedProcess:
        return run("cmake", "--build", self.build)

    def compile(self, *libraries: str) -> Path:
        """Links the C program of the example with libraries in an order."""
        program = self.build / "linked"
        flags = [f"-I{self.prefix / 'include'}"]
        for folder in (self.build, self.prefix / "lib"):
            flags += [f"-L{folder}", f"-Wl,-rpath,{folder}"]
        succeed("cc", self.source / "main.c", "-o", program, "-Wl,--no-as-needed", *flags, *libraries)
        return program


@pytest.fixture(scope="session")
def example_copy(prefix: Path, tmp_path_factory: pytest.TempPathFactory) -> ExampleCopy:
    return ExampleCopy(tmp_path_factory.mktemp("example"), prefix)


@pytest.fixture
def lights(example_copy: ExampleCopy) -> ExampleCopy:
    """The example as it is, built."""
    example_copy.restore()
    result = example_copy.make()
    assert result.returncode == 0, result.stdout + result.stderr
    return example_copy


@pytest.fixture
def draft(example_copy: ExampleCopy) -> ExampleCopy:
    """The example, to be edited."""
    example_copy.restore()
    return example_copy


def python(program: str, *arguments: object, library: Path) -> str:
    """Runs a program with a default library of the Python package."""
    package = ROOT / "bindings/python/src"
    command = [sys.executable, "-c", program, *arguments]
    return succeed(*command, IMMUTABLEDATA_LIBRARY=library, PYTHONPATH=package)


def domain_names(library: Path) -> list[str]:
    """The domains of a library, as Python finds them."""
    program = "import immutabledata as imd; print(*(domain['name'] for domain in imd.domains()))"
    return python(program, library=library).split()


def exports(library: Path) -> set[str]:
    symbols = succeed("nm", "-D", "--defined-only", library)
    return {re.sub("^imd_.*", "imd_*", line.split()[-1]) for line in symbols.splitlines()}
