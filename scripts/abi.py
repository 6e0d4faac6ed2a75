"""Compares the C ABI that the headers describe with the baseline, Tests/Packages/immutabledata.abi.

    abi.py [--update]

Fails if CHANGELOG.md does not declare a change in the section of the current version: it must name
an addition in backquotes, and a removal or another change in an item that begins with "ABI:". With
--update, replaces the baseline with the ABI of the headers if all changes are declared.
"""

import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parents[1]
HEADERS = ["immutabledata.h", "immutabledata_log.h", "immutabledata_jansson.h"]
BASELINE = ROOT / "Tests/Packages/immutabledata.abi"
CHANGELOG = ROOT / "CHANGELOG.md"


def describe(headers: Path) -> str:
    """The ABI as abidw describes it: that of a library with a stub for each function."""
    text = "\n".join((headers / name).read_text() for name in HEADERS)
    code = re.sub(r"/\*.*?\*/", "", text, flags=re.S)
    functions = re.findall(r"^([\w *]+\bimd_\w+\([^;{}]*\));", code, re.M)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        # The layout of a json_t belongs to jansson's ABI.
        (folder / "jansson.h").write_text("typedef struct json_t json_t;\n")
        stub = [f'#include "{headers / name}"\n' for name in HEADERS]
        stub += [f"{function} {{ __builtin_trap(); }}\n" for function in functions]
        (folder / "stub.c").write_text("".join(stub))
        compiler = ["cc", "-g", "-fPIC", "-shared", "-I.", "-ostub.so", "stub.c"]
        subprocess.run(compiler, cwd=folder, check=True)
        options = ["--no-corpus-path", "--no-comp-dir-path", "--no-show-locs", "--no-elf-needed"]
        options += ["--type-id-style", "hash"]  # so that a change does not renumber all types
        return subprocess.check_output(["abidw", *options, "stub.so"], cwd=folder, text=True)


def compare(old: Path, new: str) -> tuple[str, set[str], set[str]]:
    """The report of abidiff, the names of added functions, and the names of other changed items."""
    with tempfile.NamedTemporaryFile("w", suffix=".abi") as file:
        file.write(new)
        file.flush()
        options = ["--leaf-changes-only", "--harmless"]
        result = subprocess.run(
            ["abidiff", *options, str(old), file.name], capture_output=True, text=True
        )
    if result.returncode & 3 or result.stderr:  # bits 0 and 1: abidiff itself failed
        raise SystemExit(f"abidiff failed: {result.stderr}")
    functions = re.findall(r"^ *\[([ACD])\] 'function .*?\b(imd_\w+)\(", result.stdout, re.M)
    added = {name for kind, name in functions if kind == "A"}
    changed = {name for kind, name in functions if kind != "A"}
    changed |= set(re.findall(r"^'\w+ (?:\w+ )?(imd_\w+)", result.stdout, re.M))
    if result.returncode and not added | changed:
        changed = {"an unnamed type"}
    return result.stdout, added, changed


def undeclared(added: set[str], changed: set[str], changelog: str) -> list[str]:
    """The names that the first section of the changelog does not declare."""
    section = re.search(r"^## \[.*?(?=^## \[|\Z)", changelog, re.M | re.S)[0]
    items = re.findall(r"^- ABI:.*?(?=^- |^$|\Z)", section, re.M | re.S)
    return sorted(name for name in added if f"`{name}`" not in section) + sorted(
        name for name in changed if not any(f"`{name}`" in item for item in items)
    )


def main(update: bool = False) -> int:
    abi = describe(ROOT / "include")
    if BASELINE.exists():
        report, added, changed = compare(BASELINE, abi)
        missing = undeclared(added, changed, CHANGELOG.read_text())
        if missing:
            print(f"{report}CHANGELOG.md does not declare changes of the ABI: {', '.join(missing)}")
            return 1
    if update:
        BASELINE.write_text(abi)
    return 0


if __name__ == "__main__":
    sys.exit(main(update=sys.argv[1:] == ["--update"]))
