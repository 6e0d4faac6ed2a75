"""Checks that every file that states the version agrees with include/immutabledata.h.

    check-version.py

Prints each difference as FILE: STATED, expected VERSION, and exits 1 if it finds any.
"""

import re
import sys
from pathlib import Path

HEADER = Path("include/immutabledata.h")
VERSION = re.search(r'#define IMD_VERSION "([^"]*)"', HEADER.read_text())[1]
MAJOR, MINOR, PATCH = VERSION.split(".")
SERIES = f"{MAJOR}.{MINOR}"  # before 1.0, a minor version may change the ABI

PYTHON = "bindings/python"
DRIVER = "drivers/postgresql/python/src/immutabledata_postgresql"
SERVER = "apps/AnimalsDataServer/Sources/AnimalsDataServer/AnimalsDataServer.swift"
FIND_PACKAGE = r"find_package\(immutabledata ([\d.]+)"

# The files, with a pattern that matches each version in them.
STATED = [
    (str(HEADER), r"#define IMD_VERSION_MAJOR (\d+)", MAJOR),
    (str(HEADER), r"#define IMD_VERSION_MINOR (\d+)", MINOR),
    (str(HEADER), r"#define IMD_VERSION_PATCH (\d+)", PATCH),
    ("Sources/StateEngine/Log/JSONCommitLog.swift", r'engineVersion = "([^"]*)"', VERSION),
    ("CHANGELOG.md", r"\A.*?^## \[([^]]*)\]", VERSION),
    (f"{PYTHON}/pyproject.toml", r'^version = "([^"]*)"', VERSION),
    (f"{PYTHON}/src/immutabledata/_ffi/types.py", r'^VERSION = "([^"]*)"', SERIES),
    (f"{PYTHON}/src/immutabledata/_stores/base.py", r"libimmutabledata\.so\.([\d.]+\d)", SERIES),
    ("drivers/postgresql/python/pyproject.toml", r'^version = "([^"]*)"', VERSION),
    (f"{DRIVER}/__init__.py", r'^__version__ = "([^"]*)"', VERSION),
    (f"{DRIVER}/__init__.py", r"libimmutabledata-postgresql\.so\.([\d.]+\d)", SERIES),
    (f"{PYTHON}/README.md", r"`libimmutabledata\.so\.([\d.]+)`", SERIES),
    ("apps/animals/pyproject.toml", r'^version = "([^"]*)"', VERSION),
    ("apps/board/pyproject.toml", r'^version = "([^"]*)"', VERSION),
    ("apps/foodtruck/pyproject.toml", r'^version = "([^"]*)"', VERSION),
    ("apps/quakes/pyproject.toml", r'^version = "([^"]*)"', VERSION),
    ("apps/animals/tests/test_command_line.py", r"immutabledata-animals ([\d.]+)", VERSION),
    ("apps/board/tests/test_command_line.py", r"immutabledata-board ([\d.]+)", VERSION),
    ("apps/foodtruck/tests/test_command_line.py", r"immutabledata-foodtruck ([\d.]+)", VERSION),
    ("apps/quakes/tests/test_command_line.py", r"immutabledata-quakes ([\d.]+)", VERSION),
    ("apps/terminal/pyproject.toml", r'^version = "([^"]*)"', VERSION),
    (SERVER, r'version: "([^"]*)"', VERSION),
    ("docs/install.md", r"immutabledata-([\d.]+)-py3", VERSION),
    ("docs/install.md", r"_([\d.]+)_(?:all|amd64)\.deb", VERSION),
    ("docs/install.md", r"libimmutabledata\.so\.([\d.]+\d)", SERIES),
    ("docs/install.md", r"libimmutabledata(\d[\d.]+\d)", SERIES),
    ("docs/install.md", FIND_PACKAGE, SERIES),
    ("docs/shell.md", r"^imd ([\d.]+):", VERSION),
    ("docs/swift-domains.md", FIND_PACKAGE, SERIES),
    ("Tests/C/check-library.sh", r"libimmutabledata\\\.so\\\.(\d+\\\.\d+)\\", rf"{MAJOR}\.{MINOR}"),
    ("Tests/C/CMakeLists.txt", FIND_PACKAGE, SERIES),
    ("Tests/Docs/compiling.py", r"libimmutabledata\.so\.([\d.]+)", SERIES),
    ("Tests/Packages/test_deb.py", r'"libimmutabledata(\d[\d.]+)"', SERIES),
    ("Tests/Packages/test_deb.py", r'libimmutabledata\.so\.([\d.]+)"', SERIES),
    ("benchmarks/c/CMakeLists.txt", FIND_PACKAGE, SERIES),
    ("benchmarks/instructions/CMakeLists.txt", FIND_PACKAGE, SERIES),
    ("examples/CMakeLists.txt", FIND_PACKAGE, SERIES),
    ("examples/swift-domain/CMakeLists.txt", FIND_PACKAGE, SERIES),
]


def main() -> int:
    failed = False
    for path, pattern, expected in STATED:
        stated = re.findall(pattern, Path(path).read_text(), re.MULTILINE | re.DOTALL)
        for version in stated or ["no version"]:
            if version != expected:
                print(f"{path}: {version}, expected {expected}")
                failed = True
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
