"""The examples in README.md and docs do what they say: each prints the text block that follows it.
So does examples/loop_asyncio.py.
"""

import re
import subprocess
import sys
from pathlib import Path
from typing import Callable

import pytest

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
BLOCKS = [
    block
    for page in PAGES
    for block in re.findall(r"^```(\w+)\n(.*?)^```", page.read_text(), re.M | re.S)
]


def examples(language: str) -> list[tuple[str, str]]:
    """The blocks in a language, each with the text block behind it."""
    pairs = zip(BLOCKS, BLOCKS[1:])
    return [(code, text) for (name, code), (kind, text) in pairs if name == language and kind == "text"]


def output(command: list[str], **options: object) -> str:
    result = subprocess.run(command, capture_output=True, text=True, **options)
    assert result.returncode == 0, result.stderr
    return result.stdout


@pytest.mark.parametrize(("code", "text"), examples("c"))
def test_c(code: str, text: str, compile: Callable, tmp_path: Path) -> None:
    source = tmp_path / "example.c"
    source.write_text(code)
    result = compile([source])()
    assert (result.stdout, result.stderr, result.returncode) == (text, "", 0)


@pytest.mark.parametrize(("code", "text"), examples("cpp"))
def test_cpp(code: str, text: str, compile: Callable, tmp_path: Path) -> None:
    source = tmp_path / "example.cpp"
    source.write_text(code)
    flags = re.findall(r"-f\S+", code.splitlines()[0])
    result = compile([source], *flags)()
    assert (result.stdout, result.stderr, result.returncode) == (text, "", 0)


def test_cpp_header(compile: Callable, tmp_path: Path) -> None:
    """The program in the header's first comment."""
    header = (ROOT / "include/immutabledata.hpp").read_text()
    lines = re.findall(r"^ \*     (.*)", header.partition("Conventions")[0], re.M)
    source = tmp_path / "example.cpp"
    source.write_text("\n".join(lines))
    result = compile([source])()
    assert (result.stdout, result.stderr, result.returncode) == (
        '0 to do\n1 to do\n"Feed the cat"\n'
        'IMD_REDUCER_FAILED: expected the type "added"\n',
        "",
        0,
    )


@pytest.mark.parametrize(("code", "text"), examples("python"))
def test_python(code: str, text: str, tmp_path: Path) -> None:
    assert output([sys.executable, "-c", code], cwd=tmp_path) == text


def test_loop_of_asyncio() -> None:
    lines = output([sys.executable, str(ROOT / "examples/loop_asyncio.py"), "2"]).splitlines()
    assert [line for line in lines if line.startswith("celsius")] == [
        'celsius  {"attic":25,"cellar":12,"kitchen":20}',
        'celsius  [{"op":"replace","path":"/cellar","value":17}]',
        'celsius  [{"op":"replace","path":"/kitchen","value":14}]',
    ]
    assert lines[-1] == 'summary  {"count":2,"warmest":25}'


def test_swift(tmp_path: Path) -> None:
    package = tmp_path / "example"
    targets = []
    for number, (code, _) in enumerate(examples("swift")):
        folder = package / "Sources" / f"example{number}"
        folder.mkdir(parents=True)
        (folder / "main.swift").write_text(code)
        modules = re.findall(r"^import (\w+)", code, re.M)
        products = [f'.product(name: "{name}", package: "immutabledata")' for name in modules]
        targets.append(
            f'.executableTarget(name: "example{number}", dependencies: [{", ".join(products)}])'
        )
    (package / "Package.swift").write_text(
        "// swift-tools-version: 6.3\n"
        "import PackageDescription\n"
        'let package = Package(name: "example", dependencies: '
        f'[.package(name: "immutabledata", path: "{ROOT}")], targets: [{", ".join(targets)}])\n'
    )
    assert targets
    for number, (_, text) in enumerate(examples("swift")):
        assert output(["swift", "run", "--quiet", f"example{number}"], cwd=package) == text


def test_every_example_is_tested() -> None:
    languages = ("c", "cpp", "python", "swift")
    tested = sum(len(examples(language)) for language in languages)
    assert tested == sum(name in languages for name, _ in BLOCKS) >= 7
