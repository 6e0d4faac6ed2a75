"""Finds and loads the C extension, for all libraries of the process."""

from __future__ import annotations

import os
import sys
from types import ModuleType

VARIABLE = "IMMUTABLEDATA_PURE"
FILE = "_imd.abi3.so"

_PACKAGE = __name__.partition(".")[0]


def load(library: str, version: str) -> ModuleType | None:
    """The extension; None if it is missing, does not fit, or is not wanted.

    It is in the package or, for a library that is used without being installed, in the folder
    immutabledata beside that.
    """
    if os.environ.get(VARIABLE) or not _can_load():
        return None
    name = f"{_PACKAGE}._imd"
    module = sys.modules.get(name)
    packaged = os.path.dirname(os.path.dirname(__file__))
    for folder in (packaged, os.path.join(os.path.dirname(library), _PACKAGE)):
        path = os.path.join(folder, FILE)
        if module is None and os.path.exists(path):
            module = _load_file(name, path)
    return module if module is not None and module.VERSION == version else None


def _can_load() -> bool:
    from importlib.machinery import EXTENSION_SUFFIXES

    # It uses the stable ABI of 3.10. An interpreter without a GIL has another, and no such suffix.
    return sys.version_info >= (3, 10) and ".abi3.so" in EXTENSION_SUFFIXES


def _load_file(name: str, path: str) -> ModuleType | None:
    # Not importlib.util: importing that takes as long as importing the extension.
    from importlib.machinery import ExtensionFileLoader, ModuleSpec

    loader = ExtensionFileLoader(name, path)
    try:
        spec = ModuleSpec(name, loader, origin=path)
        module = loader.create_module(spec)
        module.__spec__ = spec
        loader.exec_module(module)
    except ImportError:
        return None
    sys.modules[name] = module
    return module
