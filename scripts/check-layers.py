"""Checks the rules that the compiler does not: which module may import which, what it may name, and
that no line of Swift or of a C or C++ header exceeds 100 columns.

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
    "Threading": {"CExtendedAttributes", "CThreadRecord", "Synchronization"},
    "ImmutableData": {"HashTreeCollections", "Synchronization", "Threading"},
    "ImmutableObservation": {"ImmutableData", "Observation", "Threading"},
    "ImmutableJSON": {
        "CJSONThreadRecord", "CJanssonFunctions", "CPrefetch", "CScan", "CSpinLock",
        "Synchronization",
    },
    "JMESPath": {"ImmutableJSON"},
    "StateLog": {"CScan", "ImmutableJSON", "Threading"},
    "SQLiteStorage": {"CSQLiteFunctions", "Threading"},
    "StateEngine": {
        "HashTreeCollections", "ImmutableData", "ImmutableJSON", "JMESPath", "StateLog",
        "Synchronization", "Threading",
    },
    "ProductSupport": SUPPORT | {"CThreadRecord"},
    **{product: SUPPORT | {"ProductSupport"} for product in PRODUCTS},
    "FoodTruckData": SUPPORT | {"ProductSupport", "Swift"},  # Swift for what it offers by @_spi
    "ImmutableDataC": {
        "CDomainList", "CImmutableData", "CJansson", "CJanssonFunctions", "CSpinLock",
        "ImmutableData", "ImmutableJSON", "StateEngine", "Synchronization", "Threading",
    },
    "BundledDomains": {"ImmutableDataC", "StateEngine", *PRODUCTS},
}
C_LIBRARY = {"Glibc"}

IMPORT = re.compile(
    r"\s*(?:@\w+(?:\(\w+\))? )?(?:public |package |internal )?import (?:struct )?(\w+)"
)
C_NAME = re.compile(r"\b(?:imd|IMD)_")
C_TYPE = re.compile(r"\b(?:CInt|CChar|CUnsignedInt|OpaquePointer|Unsafe(?:Mutable)?Pointer<CChar>)")
PRODUCT_NAME = re.compile(
    "|".join(rf"\b{product.removesuffix('Data')}" for product in PRODUCTS), re.IGNORECASE
)

# Tests of logs simulate the system, so that one seed decides everything.
SYSTEM = re.compile(r"\bimport Glibc\b|\bClock\.(?:now|uptime)\b|\brandom\(")

COLUMNS = 100
# Folders whose lines are not checked yet.
UNCHECKED = {
    "Sources/ImmutableData/Commits", "Sources/ImmutableData/History", "Sources/ImmutableData/Store",
    "Sources/ImmutableDataC", "Sources/StateEngine/Selection", "Sources/StateEngine/Store",
}
SWIFT = ["Sources", "Tests", "apps", "benchmarks", "examples", "shared-library"]


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
        if module != "ImmutableDataC" and C_NAME.search(line):
            yield number, f"{module} must not name functions of the C ABI"
        if module == "StateEngine" and C_TYPE.search(code):
            yield number, "StateEngine must not use types of C"
        if module not in {*PRODUCTS, "BundledDomains"} and PRODUCT_NAME.search(code):
            yield number, f"{module} must not name a product"


def is_unchecked(path):
    return ".build" in path.parts or not UNCHECKED.isdisjoint(map(str, path.parents))


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
    checks += [(path, long_lines) for path in sorted(files) if not is_unchecked(path)]
    found = [f"{path}:{number}: {rule}" for path, check in checks for number, rule in check(path)]
    print(*found, sep="\n", end="\n" if found else "")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
