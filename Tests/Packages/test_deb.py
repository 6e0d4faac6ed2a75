"""The Debian packages install with apt where there is only Debian, programs build with them, and
imd runs with Debian's prompt_toolkit and rich."""

import os
import re
import subprocess
from pathlib import Path

import pytest
from conftest import ROOT, package, readme_example
from root import ENVIRONMENT, Root, debian_root
from shell_session import screen_after, typed_lines

RUNTIME = "libimmutabledata0.1"
DEVELOPMENT = "libimmutabledata-dev"
SHELL = "imd"
SWIFT_PACKAGE = "/usr/share/immutabledata"
TEST_TOOLS = ["python3-pytest", "python3-hypothesis"]

PROGRAM_WITH_POSTGRESQL = """
#include <immutabledata_postgresql.h>
#include <stdio.h>
int main(void) {
  const char *address = "postgresql://127.0.0.1:1/app?log=x";
  puts(imd_status_name(imd_register_log("postgresql", imd_postgresql_driver(), NULL)));
  puts(imd_status_name(imd_log_trim(address, NULL, NULL)));
}
"""


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Root:
    root = debian_root(
        tmp_path_factory.mktemp("debian"), "g++", "libc6-dev", "cmake", "make", "pkg-config"
    )
    packages = [package(f"{name}_*.deb") for name in (RUNTIME, DEVELOPMENT, SHELL)]
    for path in packages:
        root.add(path)
    root.run("apt-get", "install", "--yes", "--no-install-recommends", *map(str, packages))
    root.run("mkdir", "/program")
    root.write("/program/counter.c", readme_example("c")[0])
    root.run("sh", "-c", "cd /program && cc counter.c $(pkg-config --cflags --libs immutabledata)")
    return root


def test_pkg_config(root: Root) -> None:
    assert root.run("/program/a.out") == readme_example("c")[1]


def test_cpp(root: Root) -> None:
    program, output = readme_example("cpp")
    root.write("/program/todo.cpp", program)
    flags = "$(pkg-config --cflags --libs immutabledata)"
    root.run("sh", "-c", f"cd /program && c++ -std=c++17 -o todo todo.cpp {flags}")
    assert root.run("/program/todo") == output


def test_find_package(root: Root) -> None:
    guide = (ROOT / "docs/install.md").read_text()
    root.write("/program/CMakeLists.txt", guide.partition("```cmake\n")[2].partition("```")[0])
    root.run("cmake", "-S", "/program", "-B", "/program/build")
    root.run("cmake", "--build", "/program/build")
    assert root.run("/program/build/counter") == readme_example("c")[1]


def test_the_driver_for_postgresql(root: Root) -> None:
    packages = [package(f"libimmutabledata-postgresql{part}_*.deb") for part in ("0.1", "-dev")]
    for path in packages:
        root.add(path)
    root.run("apt-get", "install", "--yes", "--no-install-recommends", *map(str, packages))
    root.write("/program/register.c", PROGRAM_WITH_POSTGRESQL)
    flags = "$(pkg-config --cflags --libs immutabledata immutabledata-postgresql)"
    root.run("sh", "-c", f"cd /program && cc -o register register.c {flags}")
    assert root.run("/program/register") == "IMD_OK\nIMD_UNAVAILABLE\n"


def test_the_examples(root: Root) -> None:
    examples = f"/usr/share/doc/{DEVELOPMENT}/examples"
    root.run("cmake", "-S", examples, "-B", "/examples")
    root.run("cmake", "--build", "/examples")
    root.run("sh", "-c", f"/examples/board {examples}/board.jsonl > /board.txt || test $? = 1")
    assert (root.folder / "board.txt").read_text() == (ROOT / "examples/board.txt").read_text()


def valgrind(root: Root, *command: str) -> tuple[str, str]:
    """What a program that uses the installed library prints, and what valgrind reports about it."""
    usr = root.folder / "usr"
    program, *arguments = command
    result = subprocess.run(
        [
            "valgrind",
            "--quiet",
            "--leak-check=full",
            "--num-callers=40",
            f"--suppressions={usr}/share/immutabledata/immutabledata.supp",
            root.folder / program,
            *arguments,
        ],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        env={**os.environ, "LD_LIBRARY_PATH": f"{usr}/lib/x86_64-linux-gnu"},
    )
    return result.stdout, result.stderr


def test_the_suppressions(root: Root) -> None:
    """Valgrind reports no error and no leak."""
    assert valgrind(root, "program/a.out") == (readme_example("c")[1], "")


def test_the_suppressions_for_a_domain(root: Root) -> None:
    source = f"/usr/share/doc/{DEVELOPMENT}/examples/replay.c"
    flags = "$(pkg-config --cflags --libs immutabledata)"
    root.run("sh", "-c", f"cd /program && cc -o replay {source} {flags}")
    assert valgrind(root, "program/replay", "animals", "selectCategories") == ("", "")


def test_the_shell(root: Root, tmp_path: Path) -> None:
    """The first session of its page, up to where it shows times."""
    page = (ROOT / "docs/shell.md").read_text()
    shown = re.search(r"^```console\n\$ imd\n(.*?)^todo\.imd> \.history", page, re.M | re.S)[1]
    variables = [f"{name}={value}" for name, value in ENVIRONMENT.items()]
    program = ["env", "-i", "TERM=screen", *variables, *root.command("imd")]
    assert screen_after(tmp_path, program, typed_lines(shown)) == shown


def test_the_tests_of_the_shell(root: Root) -> None:
    """With Debian's Python, prompt_toolkit and rich."""
    for name in ("pyproject.toml", "tests"):
        root.add(ROOT / "bindings/python" / name)
    root.run("apt-get", "install", "--yes", "--no-install-recommends", *TEST_TOOLS)
    folder = ROOT / "bindings/python"
    pytest = f"python3 -m pytest -p no:cacheprovider -c {folder}/pyproject.toml"
    output = root.run("sh", "-c", f"{pytest} {folder}/tests/test_shell_interactive_*.py")
    assert re.search(r"\b[1-9]\d\d passed", output), output


def test_imd_in_a_pipe(root: Root) -> None:
    actions = """printf '{"type":"didTapIncrementButton"}\n%.0s' 1 2 3"""
    command = "imd run counter --select selectValue"
    assert root.run("sh", "-c", f"{actions} | {command}") == "3\n"
    assert root.run("sh", "-c", "echo .state | imd shell counter") == '{"value":0}\n'


def test_the_python_extension(root: Root) -> None:
    program = "import immutabledata as imd; print(imd._ffi.EXTENSION.__name__)"
    assert root.run("python3", "-c", program) == "immutabledata._imd\n"


def test_completion(root: Root) -> None:
    for shell, path in (
        ("bash", "bash-completion/completions/imd"),
        ("zsh", "zsh/vendor-completions/_imd"),
        ("fish", "fish/vendor_completions.d/imd.fish"),
    ):
        script = (root.folder / "usr/share" / path).read_text()
        assert script == root.run("imd", "completion", shell)


def test_the_files(root: Root) -> None:
    def files(name: str) -> set[str]:
        paths = root.run("dpkg", "--listfiles", name).split()
        return {path for path in paths if "/examples" not in path and not is_folder(path)}

    def is_folder(path: str) -> bool:
        return (root.folder / path.lstrip("/")).is_dir()

    library = "/usr/lib/x86_64-linux-gnu"
    version = package(f"{RUNTIME}_*.deb").name.split("_")[1]
    assert files(RUNTIME) == {
        f"{library}/libimmutabledata.so.0.1",
        f"{library}/libimmutabledata.so.{version}",
        f"/usr/share/doc/{RUNTIME}/copyright",
    }
    assert files(DEVELOPMENT) == {
        *(f"/usr/{path.relative_to(ROOT)}" for path in ROOT.glob("include/**/*.h*")),
        f"{library}/libimmutabledata.so",
        f"{library}/pkgconfig/immutabledata.pc",
        f"{library}/cmake/immutabledata/immutabledataConfig.cmake",
        f"{library}/cmake/immutabledata/immutabledataConfigVersion.cmake",
        f"/usr/share/doc/{DEVELOPMENT}/copyright",
        f"/usr/share/doc/{DEVELOPMENT}/CHANGELOG.md",
        "/usr/share/immutabledata/immutabledata.supp",
        *(f"{SWIFT_PACKAGE}/{path}" for path in swift_package()),
    }
    python = "/usr/lib/python3/dist-packages"
    sources = ROOT / "bindings/python/src"
    modules = {path for path in sources.glob("immutabledata/**/*.py")}
    modules.update(sources.glob("immutabledata/_inspector/page/*"))
    assert files(SHELL) == {
        "/usr/bin/imd",
        *(f"{python}/{path.relative_to(sources)}" for path in modules),
        f"{python}/immutabledata/py.typed",
        f"{python}/immutabledata/_imd.abi3.so",
        f"{python}/immutabledata-{version}.dist-info/METADATA",
        "/usr/share/bash-completion/completions/imd",
        "/usr/share/fish/vendor_completions.d/imd.fish",
        "/usr/share/zsh/vendor-completions/_imd",
        f"/usr/share/doc/{SHELL}/copyright",
        "/usr/share/man/man1/imd.1.gz",
    }


@pytest.mark.parametrize("name", [RUNTIME, DEVELOPMENT, SHELL])
def test_the_installed_size(root: Root, name: str) -> None:
    """As dpkg-gencontrol counts it: a folder or a link takes 1 KiB."""

    def kibibytes(path: Path) -> int:
        if path.is_symlink() or path.is_dir():
            return 1
        return -(-path.stat().st_size // 1024)

    paths = [path for path in root.run("dpkg", "--listfiles", name).split() if path != "/."]
    size = root.run("dpkg-query", "--show", "--showformat", "${Installed-Size}", name)
    assert int(size) == sum(kibibytes(root.folder / path.lstrip("/")) for path in paths)


def swift_package() -> set[Path]:
    """The files that a library with domains of its own is built from."""
    names = ["immutabledata_add_domain_library.cmake", "immutabledata.map", "replacements.c"]
    files = {ROOT / "Package.swift", *(ROOT / "cmake" / name for name in names)}
    for folder in ("Sources", "include"):
        files |= {path for path in (ROOT / folder).rglob("*") if path.is_file()}
    return {path.relative_to(ROOT) for path in files}


def test_the_address(root: Root) -> None:
    homepage = root.run("dpkg-query", "--show", "--showformat", "${Homepage}", DEVELOPMENT)
    assert homepage.startswith("https://")
    pc = (root.folder / "usr/lib/x86_64-linux-gnu/pkgconfig/immutabledata.pc").read_text()
    assert f"URL: {homepage}\n" in pc
