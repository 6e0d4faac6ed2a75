import os
import subprocess
from pathlib import Path
from typing import Callable

import immutabledata
import pytest

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="session")
def compile(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Callable]:
    """Builds C sources against the library that the wheel carries, by the header of this checkout.

    Gives what runs the program, as subprocess.run does.
    """

    def compile(sources: list[Path], *flags: str) -> Callable:
        folder = tmp_path_factory.mktemp("program")
        library = Path(immutabledata.__file__).with_name("libimmutabledata.so")
        (folder / "libimmutabledata.so.0").symlink_to(library)
        program = folder / "program"
        subprocess.run(
            ["cc", "-std=c99", "-Wall", "-Wextra", "-pedantic", "-Werror", "-o", program]
            + [f"-I{ROOT / 'include'}", *sources, library, *flags],
            check=True,
        )
        environment = {**os.environ, "LD_LIBRARY_PATH": str(folder)}

        def run(*arguments: object, **options: object) -> subprocess.CompletedProcess:
            return subprocess.run(
                [program, *map(str, arguments)],
                capture_output=True,
                text=True,
                env=environment,
                **options,
            )

        return run

    return compile


class Workspace:
    """A folder with a clone of this project, and one build folder for all Swift packages in it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.clone = folder / "immutabledata"
        self.clone.symlink_to(ROOT)

    def build(self, package: Path, program: str) -> Path:
        command = ["swift", "build", "--package-path", package, "--product", program]
        command += ["--scratch-path", self.folder / "build"]
        result = subprocess.run(command, capture_output=True, text=True)
        assert result.returncode == 0, result.stdout + result.stderr
        return self.folder / "build/debug" / program


@pytest.fixture(scope="session")
def workspace(tmp_path_factory: pytest.TempPathFactory) -> Workspace:
    return Workspace(tmp_path_factory.mktemp("swift"))
