"""Checks the rules that the compiler does not: which module may import which, what it may name, which
types a folder may use, and that no line of Swift or of a C or C++ header exceeds 100 columns.

    check-layers.py

Prints each violation as FILE:LINE: RULE, and exits 1 if it finds any.
"""

import re
import sys
from pathlib import Path

# What a module may import besides the C library.
PRODUCTS = ["AnimalsData", "CounterData", "FoodTruckData", "QuakesData"]
SUPPORT = {
    "HashTreeCollections", "ImmutableData", "ImmutableJSON", "SQLiteStorage", "StateEngine",
    "Synchronization", "Threading",
}
IMPORTS = {
    "Threading": {"CLinux", "CThreadRecord", "HeapModule", "Synchronization"},
    "ImmutableData": {"DequeModule", "HashTreeCollections", "Synchronization", "Threading"},
    "ImmutableObservation": {"ImmutableData", "Observation", "Threading"},
    "ImmutableJSON": {
        "CJSONThreadRecord", "CJanssonFunctions", "CPrefetch", "CScan", "CSpinLock",
        "Synchronization",
    },
    "JMESPath": {"ImmutableJSON"},
    "JSONSchema": {"ImmutableJSON"},
    "StateLog": {"CLinux", "CScan", "ImmutableJSON", "Synchronization", "Threading"},
    "SQLiteStorage": {"CSQLiteFunctions", "Threading"},
    "StateEngine": {
        "CLinux", "DequeModule", "Dispatch", "HashTreeCollections", "ImmutableData",
        "ImmutableJSON", "JMESPath", "JSONSchema", "StateLog", "Synchronization", "Threading",
    },
    "ProductSupport": SUPPORT | {"CThreadRecord"},
    **{product: SUPPORT | {"ProductSupport"} for product in PRODUCTS},
    "FoodTruckData": SUPPORT | {"ProductSupport", "Swift"},  # Swift for what it offers by @_spi
    "ImmutableDataC": {
        "CDomainList", "CImmutableData", "CJansson", "CJanssonFunctions", "CSpinLock",
        "ImmutableData", "ImmutableJSON", "StateEngine", "StateLog", "Synchronization",
        "Threading",
    },
    "ImmutableDataTesting": {
        "ImmutableData", "ImmutableJSON", "StateEngine", "Testing", "Threading",
    },
    "BundledDomains": {"ImmutableDataC", "StateEngine", *PRODUCTS},
}
# The folders of a module, of which each uses only types of itself and of those before it.
FOLDERS = {
    "StateEngine": [
        "Base", "Schemas", "Trace", "Tasks", "Effects", "Domain", "Models", "Selection", "Observation", "Rules",
        "History", "Log", "Inspection", "Store",
    ],
}
C_LIBRARY = {"Glibc"}

IMPORT = re.compile(
    r"\s*(?:@\w+(?:\(\w+\))? )?(?:public |package |internal )?import (?:struct )?(\w+)"
)
C_NAME = re.compile(r"\b(?:imd|IMD)_")
C_TYPE = re.compile(r"\b(?:CInt|CChar|CUnsignedInt|OpaquePointer|Unsafe(?:Mutable)?Pointer<CChar>)")
# As a type or in a text: a counter is also something else.
PRODUCT_NAME = re.compile(
    "|".join(
        rf"\b{name}|\"{name.lower()}" for name in (p.removesuffix("Data") for p in PRODUCTS)
    )
)

# Tests of logs simulate the system, so that one seed decides everything.
SYSTEM = re.compile(r"\bimport Glibc\b|\bClock\.(?:now|uptime)\b|\brandom\(")

# A store has one clock, which a program may move.
WALL_CLOCK = re.compile(r"\bClock\.(?:now|uptime)\b")

COLUMNS = 100
SWIFT = ["Sources", "Tests", "apps", "benchmarks", "examples", "shared-library"]

# A type that a file declares, not inside another one.
TYPE = re.compile(
    r"(?:@\w+(?:\([^)]*\))? )*(?:(?:public|package|final|indirect) )*"
    r"(?:struct|class|enum|protocol|typealias) (\w+)",
)


def swift_violations(path):
    module = path.parts[path.parts.index("Sources") + 1]
    if module not in IMPORTS:
        yield 1, f"scripts/check-layers.py has no rule for module {module}"
        return
    is_of_log = {"StateLog", "Log"} & set(path.parts) and "Files" not in path.parts
    for number, line in enumerate(path.read_text().splitlines(), 1):
        imported = IMPORT.match(line)
        if imported and imported[1] not in IMPORTS[module] | C_LIBRARY:
            yield number, f"{module} must not import {imported[1]}"
        if is_of_log and SYSTEM.search(line):
            yield number, "of a log, only StateLog/Files may use the system, its clock or chance"
        code = re.sub(r"//.*", "", line)
        if module not in {"Threading", "StateLog"} and WALL_CLOCK.search(code):
            yield number, "only the clock of a store says the time (StoreClock)"
        if module != "ImmutableDataC" and C_NAME.search(line):
            yield number, f"{module} must not name functions of the C ABI"
        if module == "StateEngine" and C_TYPE.search(code):
            yield number, "StateEngine must not use types of C"
        if module not in {*PRODUCTS, "BundledDomains"} and PRODUCT_NAME.search(code):
            yield number, f"{module} must not name a product"


def code_lines(path):
    """The lines of a file without comments and texts."""
    for number, line in enumerate(path.read_text().splitlines(), 1):
        yield number, re.sub(r"//.*", "", re.sub(r'"(?:\\.|[^"\\])*"', '""', line))


def folder_violations(module, folders):
    """The uses of types that folders after that of a file declare, as (path, number, rule)."""
    root = Path("Sources", module)
    order = {folder: index for index, folder in enumerate(folders)}
    sources = sorted(root.rglob("*.swift"))
    folder_of = {path: path.relative_to(root).parts[0] for path in sources}
    declared = {}
    for path in sources:
        if folder_of[path] not in order:
            yield path, 1, f"scripts/check-layers.py has no rule for the folder {folder_of[path]}"
            return
        for _, line in code_lines(path):
            if found := TYPE.match(line):
                declared[found[1]] = folder_of[path]
    for path in sources:
        own = folder_of[path]
        for number, line in code_lines(path):
            for name in set(re.findall(r"\w+", line)):
                used = declared.get(name, own)
                if order[used] > order[own]:
                    yield path, number, f"{own} must not use {name} of {used}"


def long_lines(path):
    for number, line in enumerate(path.read_text().splitlines(), 1):
        if len(line) > COLUMNS:
            yield number, f"longer than {COLUMNS} columns"


def main():
    folders = [Path("Sources"), Path("shared-library/Sources")]
    sources = [path for folder in folders for path in sorted(folder.rglob("*.swift"))]
    checks = [(path, swift_violations) for path in sources]
    files = [path for name in SWIFT for path in Path(name).rglob("*.swift")]
    files += [Path("Package.swift"), *Path("include").rglob("*.h*")]
    checks += [(path, long_lines) for path in sorted(files) if ".build" not in path.parts]
    found = [(path, *violation) for path, check in checks for violation in check(path)]
    for module, order in FOLDERS.items():
        found += folder_violations(module, order)
    found = [f"{path}:{number}: {rule}" for path, number, rule in found]
    print(*found, sep="\n", end="\n" if found else "")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
