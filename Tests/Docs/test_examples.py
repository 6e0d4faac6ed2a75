"""The examples in README.md and docs do what they say: each prints the text block that follows it,
or is part of a session (test_sessions.py).
The examples replay.py and stopwatch.py are tested here, too.
"""

import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Callable

import immutabledata
import pytest
from test_sessions import PAGES as SESSIONS
from test_sessions import blocks_of, files_of
from workspace import DEPENDENCY, Workspace

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
BLOCKS = [block for page in PAGES for block in blocks_of(page)]

# The libraries of Package.swift.
PRODUCTS = re.findall(r'\.library\(name: "(\w+)", targets', (ROOT / "Package.swift").read_text())


def examples(language: str) -> list[tuple[str, str]]:
    """The blocks in a language, each with the text block behind it."""
    pairs = zip(BLOCKS, BLOCKS[1:])
    return [(code, text) for (name, code), (kind, text) in pairs if name == language and kind == "text"]


def is_quoted(code: str) -> bool:
    """Whether a block is a part of the library, of an application, or of an example that
    Tests/Domains builds."""
    folders = ROOT / "Sources", ROOT / "examples/swift-domain", ROOT / "apps"
    files = [
        file
        for folder in folders
        for file in [*folder.rglob("*.swift"), *folder.glob("*/src/*/*.py")]
    ]
    return any(code in file.read_text() for file in files)


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


@pytest.mark.parametrize(
    ("header", "text"),
    [
        ("immutabledata.h", "1\n"),
        (
            "immutabledata.hpp",
            '0 to do\n1 to do\n"Feed the cat"\nIMD_REDUCER_FAILED: expected the type "added"\n',
        ),
    ],
)
def test_a_header(header: str, text: str, compile: Callable, tmp_path: Path) -> None:
    """The program in the first comment of a header prints the text."""
    comment = (ROOT / "include" / header).read_text().partition("Conventions")[0]
    source = tmp_path / f"example.{'cpp' if header.endswith('hpp') else 'c'}"
    source.write_text("\n".join(re.findall(r"^ \*     (.*)", comment, re.M)))
    result = compile([source])()
    assert (result.stdout, result.stderr, result.returncode) == (text, "", 0)


# The headers whose comments have excerpts of programs, with what comes before each excerpt, what all
# of them print, and what stands for `…`.
EXCERPTS = {
    "cursor.hpp": (
        """
        const imd::value state = {{"tea", 3}};
        auto use = [](auto key, auto &element) { std::cout << key << element; };
        """,
        "tea3",
    ),
    "error.hpp": ('const imd::value state = {{"title", "Sleep"}};', "Sleep\n"),
    "json.hpp": (
        """
        auto store = imd::store::create("[]", [](const imd::value &state, const imd::value &action) {
          return state.insert("/-", action.at("/type"));
        });
        store.define_selector("all", "@");
        auto observation = store.observe("all", [](const imd::value &all) { std::cout << all; });
        """,
        '[]["added"]["added","added"]',
    ),
    "stream.hpp": (
        """
        auto store = imd::store::open("counter");
        auto stream = store.stream();
        store.dispatch({{"type", "didTapIncrementButton"}});
        store.close();
        auto log = [](const imd::value &action) { std::cout << action["/type"]; };
        """,
        '"didTapIncrementButton"',
    ),
    "value.hpp": (
        'const imd::value state = {{"todos", imd::array({1})}, {"prices", {{"tea", 3}}}};',
        "1tea3",
        "std::cout << todo;",
        "std::cout << key << price;",
    ),
}


@pytest.mark.parametrize("header", EXCERPTS)
def test_excerpts(header: str, compile: Callable, tmp_path: Path) -> None:
    setup, text, *rest = EXCERPTS[header]
    comments = (ROOT / "include/immutabledata" / header).read_text()
    code = ""
    for block in re.findall(r"^ *\*\n((?: *\*     .*\n)+)", comments, re.M):
        code += f"{{ {setup} {{ {re.sub(r'^ *[*]', '', block, flags=re.M)} }} }}\n"
    assert code.count("…") == len(rest)
    for each in rest:
        code = code.replace("…", each, 1)
    source = tmp_path / "example.cpp"
    source.write_text(
        "#include <immutabledata.hpp>\n#include <cstdio>\n#include <iostream>\n"
        f"namespace imd = immutabledata;\nint main() {{\n{code}}}\n"
    )
    result = compile([source])()
    assert (result.stdout, result.stderr, result.returncode) == (text, "", 0)


@pytest.mark.parametrize(("code", "text"), examples("python"))
def test_python(code: str, text: str, tmp_path: Path) -> None:
    assert output([sys.executable, "-c", code], cwd=tmp_path) == text


def test_replay() -> None:
    command = [sys.executable, str(ROOT / "examples/replay.py"), "counter", "selectValue"]
    actions = (ROOT / "examples/actions.jsonl").read_text()
    assert output(command, input=actions) == "1\n2\n1\n4\n3\n1\n2\n"


def test_replay_of_outcomes() -> None:
    """Replays what a store of a domain with effects did, without its effects."""
    with immutabledata.open("animals") as store:
        stream = store.stream()
        store.dispatch("ui/animalList/onAppear")
        store.settle()
        store.dispatch("ui/animalList/onTapDeleteSelectedAnimalButton", payload={"animalId": "Cat"})
        store.settle()
    lines = [action.to_json() + "\n" for action, _, _ in stream]
    outcomes = [line for line in lines if '"type":"data/' in line]
    command = [sys.executable, str(ROOT / "examples/replay.py"), "animals", "selectAnimalsStatus"]
    assert (len(lines), len(outcomes)) == (4, 2)
    assert output(command, input="".join(outcomes)) == '{"success":{}}\n' * 2


def test_stopwatch() -> None:
    shown = output([sys.executable, str(ROOT / "examples/stopwatch.py"), "2"])
    assert shown == "0.0 s\n0.1 s\n0.2 s\n"


def run_package(workspace: Workspace, manifest: str, programs: dict[str, str]) -> dict[str, str]:
    """Builds a package of programs, and returns what each prints."""
    package = workspace.folder / "package"
    shutil.rmtree(package, ignore_errors=True)
    for name, code in programs.items():
        target = package / "Sources" / name
        target.mkdir(parents=True)
        (target / "main.swift").write_text(code)
    (package / "Package.swift").write_text(manifest)
    folder = workspace.build(package)
    return {name: output([folder / name], cwd=package) for name in programs}


def test_swift(workspace: Workspace) -> None:
    programs, texts, targets = {}, {}, []
    for number, (code, text) in enumerate(examples("swift")):
        name = f"example{number}"
        programs[name], texts[name] = code, text
        modules = [name for name in re.findall(r"^import (\w+)", code, re.M) if name in PRODUCTS]
        products = [f'.product(name: "{name}", package: "immutabledata")' for name in modules]
        targets.append(f'.executableTarget(name: "{name}", dependencies: [{", ".join(products)}])')
    assert targets
    manifest = (
        "// swift-tools-version: 6.3\n"
        "import PackageDescription\n"
        f'let package = Package(name: "example", dependencies: [{DEPENDENCY}], '
        f'targets: [{", ".join(targets)}])\n'
    )
    assert run_package(workspace, manifest, programs) == texts


def test_manifest_of_the_swift_guide(workspace: Workspace) -> None:
    """The first program of the guide runs in the package of the guide, with this checkout."""
    guide = (ROOT / "docs/swift.md").read_text()
    manifest, program = re.findall(r"^```swift\n(.*?)^```", guide, re.M | re.S)[:2]
    dependency = '.package(path: "../immutabledata")'
    assert dependency in manifest
    manifest = manifest.replace(dependency, DEPENDENCY)
    text = dict(examples("swift"))[program]
    assert run_package(workspace, manifest, {"todo": program}) == {"todo": text}


def test_every_example_is_tested() -> None:
    languages = ("c", "cpp", "python", "swift")
    tested = sum(len(examples(language)) for language in languages)
    manifests = sum(code.startswith("// swift-tools-version") for _, code in BLOCKS)
    quoted = sum(is_quoted(code) for name, code in BLOCKS if name in languages)
    files = sum(len(list(files_of(blocks_of(page)))) for page in SESSIONS)
    assert manifests == 1
    assert tested + manifests + quoted + files == sum(name in languages for name, _ in BLOCKS) >= 7
