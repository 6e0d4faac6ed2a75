"""What an author can do wrong ends with a message."""

import shutil
from pathlib import Path

import pytest
from conftest import EXAMPLE, OUTPUT, ExampleCopy, run

PACKAGE = "Package.swift"
DOMAIN = "Sources/Lights/LightDomain.swift"
LIST = "Sources/Lights/Domains.swift"
ITEMS = "[LightDomain.self, CounterDomain.self]"


@pytest.mark.parametrize(
    ("path", "old", "new", "messages"),
    [
        pytest.param(
            LIST,
            ITEMS,
            "[]",
            [
                'unknown domain "light": this library was built without domains',
                'unknown domain "counter": this library was built without domains',
            ],
            id="an empty list",
        ),
        pytest.param(
            DOMAIN,
            'name = "light"',
            'name = "counter"',
            [
                "Lights.LightDomain and CounterData.CounterDomain both have the name "
                '"counter"; rename or remove one of these domains'
            ]
            * 2,
            id="the name of another domain",
        ),
        pytest.param(
            DOMAIN,
            ".init(.toggle,",
            '.init("didToggle",',
            [
                'the domain "light" describes the action "didToggle", but its Action has no such '
                "case; correct the description or the enum"
            ],
            id="descriptions that differ from the enum",
        ),
        pytest.param(
            DOMAIN,
            'Schema(of: State.self, ["/isOn": "Whether it is on."])',
            'Schema.object([.init("isOn", .integer, "Whether it is on.")])',
            [
                'the domain "light" has an initialState that its stateSchema does not describe: '
                "initialState/isOn: expected an integer, found a boolean; correct one of them"
            ],
            id="a schema that differs from the state",
        ),
        pytest.param(
            DOMAIN,
            '"/isOn": ',
            '"/isOff": ',
            [
                'the domain "light" has no schema of its state: the detail "/isOff": there is no '
                'member "isOff"; expected "isOn"'
            ],
            id="a detail of a member that does not exist",
        ),
    ],
)
def test_the_program_gets_a_message(
    draft: ExampleCopy, path: str, old: str, new: str, messages: list[str]
) -> None:
    draft.edit(path, old, new)
    built = draft.make()
    assert built.returncode == 0, built.stdout + built.stderr
    result = run(draft.build / "main")
    assert (result.returncode, result.stderr.splitlines()) == (1, messages)


@pytest.mark.parametrize(
    ("path", "old", "new", "message"),
    [
        pytest.param(
            LIST,
            "@c @implementation\npublic func immutabledata_domains()",
            "func others()",
            "undefined symbol: immutabledata_domains",
            id="no list",
        ),
        pytest.param(
            LIST,
            "func immutabledata_domains()",
            "func immutabledata_domain()",
            "could not find imported function 'immutabledata_domain' matching",
            id="a misspelled list",
        ),
        pytest.param(
            PACKAGE,
            'name: "StateEngine"',
            'name: "immutabledata"',
            "product 'immutabledata' required by package 'lights' target 'Lights' not found in "
            "package 'immutabledata'",
            id="the product of another library",
        ),
    ],
)
def test_the_build_fails(draft: ExampleCopy, path: str, old: str, new: str, message: str) -> None:
    draft.edit(path, old, new)
    built = draft.make()
    assert built.returncode != 0
    assert message in built.stdout + built.stderr


def test_a_product_that_is_not_dynamic(draft: ExampleCopy) -> None:
    draft.edit(PACKAGE, ", type: .dynamic", "")
    (draft.build / ".build/debug/liblights.so").unlink(missing_ok=True)  # of an earlier build
    built = draft.make()
    assert built.returncode != 0
    output = built.stdout + built.stderr
    assert "'--product' cannot be used with the automatic product 'lights'" in output
    assert "Error copying file" in output


@pytest.mark.parametrize(
    ("folder", "arguments", "message"),
    [
        ("swift", "", "are in folders of one name"),
        ("package", "PRODUCT light", '/package/Package.swift has no product "light". Add'),
        ("package", "PACKAGE none", "there is no "),
    ],
    ids=["folders of one name", "no such product", "no package"],
)
def test_cmake_explains(
    prefix: Path, tmp_path: Path, folder: str, arguments: str, message: str
) -> None:
    installed = sorted(prefix.rglob("immutabledata_add_domain_library.cmake"))[0].parents[1]
    package = tmp_path / (installed.name if folder == "swift" else folder)
    shutil.copytree(EXAMPLE, package, ignore=shutil.ignore_patterns(".*", "build"))
    cmake = package / "CMakeLists.txt"
    call = "immutabledata_add_domain_library(lights"
    assert call in cmake.read_text()
    cmake.write_text(cmake.read_text().replace(call, f"{call} {arguments}"))
    result = run("cmake", "-S", package, "-B", tmp_path / "build", f"-DCMAKE_PREFIX_PATH={prefix}")
    assert result.returncode != 0
    assert message in " ".join(result.stderr.split())


def test_two_libraries_are_linked(lights: ExampleCopy) -> None:
    """The functions are those of the first library, whose message says so."""
    first = run(lights.compile("-llights", "-limmutabledata"))
    assert (first.returncode, first.stdout, first.stderr) == (0, OUTPUT, "")
    second = run(lights.compile("-limmutabledata", "-llights"))
    assert (second.returncode, second.stdout, second.stderr) == (
        1,
        "counter: 1\n",
        'unknown domain "light"; expected one of: "animals", "counter", "foodtruck", "quakes"; '
        "another library with the functions of immutabledata.h is hidden by this one: link only one "
        "of them\n",
    )
