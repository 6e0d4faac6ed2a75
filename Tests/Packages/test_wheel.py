"""The wheel installs and runs where there is a Python, but no jansson, SQLite or Swift."""

import re
import sys
import zipfile
from configparser import ConfigParser
from email import message_from_string
from email.message import Message
from pathlib import Path

import pytest
from conftest import ROOT, package, readme_example
from root import Root, libraries, python_root

BUNDLED = re.compile("jansson|sqlite|swift", re.IGNORECASE)

# Prints what the process has loaded, after the program.
MAPS = r"""
import re
print(*sorted(set(re.findall(r"/\S+\.so\S*", open("/proc/self/maps").read()))), sep="\n")
"""

PROGRAM_WITH_DATABASE = """
import immutabledata as imd
with imd.open("animals", store="/tmp/zoo.sqlite") as store:
    store.dispatch("ui/categoryList/onAppear")
    store.settle(10)
    print(len(store.select("selectCategoriesValues")))
"""

PROGRAM_WITH_IMD = """
import subprocess
imd = "/venv/bin/imd"
action = '{"type":"didTapIncrementButton"}\\n'
subprocess.run([imd, "run", "counter", "--select", "selectValue"], input=action * 3, text=True)
result = subprocess.run([imd], stderr=subprocess.PIPE, text=True)
print(result.returncode, result.stderr, end="")
"""


@pytest.fixture(scope="module")
def wheel() -> Path:
    return package("immutabledata-*.whl")


@pytest.fixture(scope="module")
def metadata(wheel: Path) -> Message:
    with zipfile.ZipFile(wheel) as archive:
        (name,) = [name for name in archive.namelist() if name.endswith("/METADATA")]
        return message_from_string(archive.read(name).decode())


@pytest.fixture(scope="module")
def root(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Root:
    python = Path(sys.executable).resolve()
    root = python_root(tmp_path_factory.mktemp("python"), python)
    root.run(str(python), "-m", "venv", "/venv")
    root.add(wheel)
    root.run("/venv/bin/pip", "install", "--no-index", str(wheel))
    return root


def run(root: Root, program: str) -> list[str]:
    root.write("/program.py", program)
    return root.run("/venv/bin/python", "/program.py").splitlines()


def test_the_root_lacks_the_libraries(root: Root) -> None:
    found = [path for path in root.folder.rglob("*.so*") if BUNDLED.search(path.name)]
    assert len(found) == 2
    assert {path.parent.name for path in found} == {"immutabledata.libs"}


def test_the_program_of_the_readme(root: Root) -> None:
    program, text = readme_example("python")
    lines = run(root, program + MAPS)
    output = text.splitlines()
    assert lines[: len(output)] == output
    loaded = lines[len(output) :]
    packaged = [path for path in loaded if "/site-packages/" in path]
    assert sorted(re.sub("-.*", "", Path(path).name) for path in packaged) == [
        "_imd.abi3.so",
        "libimmutabledata.so",
        "libjansson",
        "libsqlite3",
    ]
    assert [path for path in set(loaded) - set(packaged) if BUNDLED.search(path)] == []


def test_a_database(root: Root) -> None:
    assert run(root, PROGRAM_WITH_DATABASE) == ["6"]


def test_imd_without_the_extra(root: Root) -> None:
    assert run(root, PROGRAM_WITH_IMD) == [
        "3",
        "2 imd: the shell needs prompt_toolkit and rich: pip install 'immutabledata[shell]', or on "
        "Debian: apt install python3-prompt-toolkit python3-rich. The other commands do not; see "
        "imd --help",
    ]


def test_the_tag_names_the_oldest_glibc(wheel: Path) -> None:
    assert wheel.name.endswith("-py3-none-manylinux_2_34_x86_64.whl")


def test_the_plugin_for_pytest(wheel: Path) -> None:
    """It is beside the package, which an import of it would import, too."""
    points = ConfigParser()
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
        (name,) = [name for name in names if name.endswith("/entry_points.txt")]
        points.read_string(archive.read(name).decode())
    assert points["pytest11"]["immutabledata"] == "_immutabledata_pytest"
    assert "_immutabledata_pytest/__init__.py" in names


def test_the_metadata_is_complete(metadata: Message) -> None:
    assert metadata["Author"]
    assert metadata["License-Expression"] == "Apache-2.0"
    assert metadata.get_all("License-File") == ["BUNDLED-LICENSES.txt", "LICENSE"]
    assert dict(url.split(", ") for url in metadata.get_all("Project-URL")).keys() == {
        "Homepage",
        "Documentation",
        "Changelog",
        "Issues",
    }


def test_the_links_of_the_readme_are_absolute(metadata: Message) -> None:
    links = re.findall(r"\]\(([^)\s]+)\)", metadata.get_payload())
    assert len(links) > 3
    assert [link for link in links if not re.match(r"https://|#", link)] == []


# ---- Logs in PostgreSQL --------------------------------------------------------------------------


def test_the_extra_postgresql(root: Root, wheel: Path) -> None:
    """The wheel of the driver uses the libpq of the system."""
    driver = package("immutabledata_postgresql-*.whl")
    root.add(driver)
    for library in libraries(ROOT / ".build-postgresql/libimmutabledata-postgresql.so"):
        root.add(library)
    options = ("--no-index", "--find-links", str(driver.parent))
    root.run("/venv/bin/pip", "install", *options, "immutabledata[postgresql]")
    schema = root.run("/venv/bin/imd", "log", "init", "postgresql:///app", "--print")
    assert "create or replace function immutabledata.append(" in schema
