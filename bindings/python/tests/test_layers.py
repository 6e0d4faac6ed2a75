"""The imports between the modules of the package."""

import ast
from graphlib import TopologicalSorter
from pathlib import Path

import immutabledata as imd

ROOT = Path(imd.__file__).parent

# The modules that all libraries share; each folder may import them.
SHARED = {"_library_data", "errors"}

# The folders that a folder may import.
MAY_IMPORT = {
    "_ffi": set(),
    "_values": {"_ffi"},
    "_toolkit": {"_values"},
    "_stores": {"_ffi", "_values"},
    "_loading": {"_ffi", "_values", "_toolkit", "_stores"},
}


def modules():
    """The path of each module, by its dotted name inside the package."""
    for path in ROOT.rglob("*.py"):
        parts = path.relative_to(ROOT).with_suffix("").parts
        yield ".".join(part for part in parts if part != "__init__"), path


MODULES = dict(modules())


def imported(name, path):
    """The modules of the package that a module imports, also those for type checking only."""
    package = name.split(".") if path.name == "__init__.py" else name.split(".")[:-1]
    package = [part for part in package if part]
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.level:
            base = package[: len(package) + 1 - node.level] + (node.module or "").split(".")
            found = ".".join(part for part in base if part)
            for alias in node.names:
                submodule = f"{found}.{alias.name}".lstrip(".")
                yield submodule if submodule in MODULES else found


IMPORTS = {name: set(imported(name, path)) for name, path in MODULES.items()}


def test_there_are_no_import_cycles():
    order = list(TopologicalSorter(IMPORTS).static_order())
    assert sorted(order) == sorted(MODULES)
    assert order[-1] == ""  # __init__ of the package.


def test_each_folder_imports_only_lower_ones():
    for name, others in IMPORTS.items():
        folder = name.split(".")[0]
        allowed = MAY_IMPORT.get(folder, set(MAY_IMPORT) if not name else set())
        assert {other.split(".")[0] for other in others} <= {folder, *SHARED, *allowed}, name


def test_every_module_is_in_a_folder():
    assert {name.split(".")[0] for name in MODULES} == {"", *SHARED, *MAY_IMPORT}
