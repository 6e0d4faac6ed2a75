"""The imports between the modules of the package."""

import ast
import subprocess
import sys
from graphlib import TopologicalSorter
from pathlib import Path

import immutabledata as imd

ROOT = Path(imd.__file__).parent

# The modules that all libraries share; each folder may import them.
SHARED = {"_library_data", "errors", "log_drivers"}

# The program imd, which uses the package as any program does, and the checks of log drivers and the
# inspector that it has, and the helpers for tests; nothing else imports them.
PROGRAM = {
    "__main__": {"_shell"},
    "_shell": {"_driver_check", "_inspector"},
    "_inspector": set(),
    "_driver_check": {"_ffi", "_stores"},
    "testing": {"_ffi", "_stores", "_types", "_values"},
}

# The folders that a folder may import.
MAY_IMPORT = {
    "_ffi": set(),
    "_values": {"_ffi"},
    "_types": {"_values"},
    "_toolkit": {"_types", "_values"},
    "_stores": {"_ffi", "_types", "_values"},
    "_loading": {"_ffi", "_values", "_toolkit", "_stores"},
}


def modules():
    """The path of each module, by its dotted name inside the package."""
    for path in ROOT.rglob("*.py"):
        parts = path.relative_to(ROOT).with_suffix("").parts
        yield ".".join(part for part in parts if part != "__init__"), path


MODULES = dict(modules())


def folder(name):
    return name.split(".")[0]


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
    imports = {name: others for name, others in IMPORTS.items() if folder(name) not in PROGRAM}
    order = list(TopologicalSorter(imports).static_order())
    assert sorted(order) == sorted(imports)
    assert order[-1] == ""  # __init__ of the package.
    TopologicalSorter(IMPORTS).prepare()


def test_each_folder_imports_only_lower_ones():
    for name, others in IMPORTS.items():
        own = folder(name)
        allowed = {**MAY_IMPORT, **PROGRAM, "": set(MAY_IMPORT)}.get(own, set())
        assert set(map(folder, others)) <= {own, *SHARED, *allowed}, name


def test_every_module_is_in_a_folder():
    assert set(map(folder, MODULES)) == {"", *SHARED, *MAY_IMPORT, *PROGRAM}


def test_the_import_compiles_no_annotations():
    # typing compiles an annotation that is a string. The first compilation takes as long as a tenth
    # of the import.
    program = """
import builtins
def check(source, file, *arguments, compile=compile, **options):
    assert file != "<string>", source
    return compile(source, file, *arguments, **options)
builtins.compile = check
import immutabledata
"""
    subprocess.run([sys.executable, "-c", program], check=True)
