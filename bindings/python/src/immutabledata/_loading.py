"""Loads other libraries: each gets modules of its own, so a process can use several."""

from __future__ import annotations

import importlib.util
import itertools
import os
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from ctypes import CDLL
from pathlib import Path
from types import ModuleType
from typing import Any

from . import _ffi, _stores, _toolkit, _values
from .errors import InvalidArgumentError, wrong_type

_PACKAGE = __name__.rpartition(".")[0]

# The modules that all libraries share: errors, and types of plain Python data.
_SHARED = (
    "_library_data",
    "_loading",
    "_stores.fetch",
    "_toolkit.action_creator",
    "_values.action",
    "_values.patch",
    "errors",
)


class Library:
    """A library, and the names of this package that depend on the library; made by load.

    They are used like those of the package:

        lights = imd.load("build/liblights.so")
        store = lights.open("lights")
        lights.value({"on": True})

    The names are ArrayValue, Listener, ObjectValue, Observation, Request, Slice, Store, Stream,
    Value, combine, domains, drafting, entities, from_json, limits, open, to_python, value and
    version. All other names of the package belong to all libraries, for example the errors, Patch,
    apply_patch and fetch.

    The names of the package itself belong to its default library. Values, stores, drafts and
    reducers made by drafting, Slice, entities and combine belong to the library that made them. A
    function of another library raises InvalidArgumentError for them. It accepts the scalars in
    them, and the copies that to_python makes. == compares Values of two libraries by content, and
    is_identical is False for them.

    At run time, each library has classes of its own: isinstance(x, lights.Value) is True only for
    the Values of that library. Type checkers see the classes of the package: write imd.Value and
    imd.Store in annotations.

    A library is never unloaded. limits apply to one library. A library cannot know the reducers of
    another: a reducer must not dispatch to any store, and between libraries nothing checks that.
    """

    path: str
    """The path of the library's file, absolute unless the dynamic linker searched for it."""

    ArrayValue = _values.ArrayValue
    Listener = _stores.Listener
    ObjectValue = _values.ObjectValue
    Observation = _stores.Observation
    Request = _stores.Request
    Slice = _toolkit.Slice
    Store = _stores.Store
    Stream = _stores.Stream
    Value = _values.Value
    combine = staticmethod(_toolkit.combine)
    domains = staticmethod(_stores.domains)
    drafting = staticmethod(_values.drafting)
    entities = staticmethod(_toolkit.entities)
    from_json = staticmethod(_values.from_json)
    limits = _values.limits
    open = staticmethod(_stores.open)
    to_python = staticmethod(_values.to_python)
    value = staticmethod(_values.value)
    version = staticmethod(_ffi.version)

    def __init__(self, path: str, package: ModuleType) -> None:
        """To be called by load only. package: the modules that use the library."""
        self.path = path
        for name in vars(Library):
            if not name.startswith("_"):
                setattr(self, name, getattr(package, name))

    def __repr__(self) -> str:
        return f"<immutabledata.Library {self.path!r}>"


def load(path: str | os.PathLike[str], /) -> Library:
    """Loads another build of the library, for example one with domains of your own.

        lights = imd.load("build/liblights.so")
        store = lights.open("lights")

    A library that was loaded before, also by another path, is returned as it is. The environment
    variable IMMUTABLEDATA_LIBRARY chooses the default library, whose names are those of the
    package.

    Values of the library are pickled with its absolute path, and unpickled by the library there.

    Raises InvalidArgumentError: the path is empty or contains U+0000.
    Raises ImportError: the file cannot be loaded, is not a build of the library, or has a version
    that does not match this package.

    Complexity: loading takes as long as importing the package, and about 2 MB.
    """
    library = _open(path)
    with _lock:
        if not _libraries:
            default = _ffi.LIBRARY
            _libraries[default._handle] = Library(default._name, sys.modules[_PACKAGE])
        if library._handle not in _libraries:
            _libraries[library._handle] = _make(library)
        return _libraries[library._handle]


# By the handle of the dynamic linker, which is the same for all paths of one file.
_libraries: dict[int, Library] = {}
_numbers = itertools.count(2)


def _open(path: Any) -> CDLL:
    if not isinstance(path, (str, os.PathLike)):
        raise wrong_type("the path of a library", "a str or a path object", path)
    text = os.fsdecode(path)
    if not text or "\0" in text:
        raise InvalidArgumentError(
            f"the path of a library must not be empty or contain U+0000; got {text!r}"
        )
    absolute = os.path.abspath(text)
    try:
        return CDLL(absolute)
    except OSError as error:
        raise ImportError(f"{absolute} could not be loaded: {error}", path=absolute) from None


def _make(library: CDLL) -> Library:
    package = _import_for(library)
    # Another process does not have these modules, but it can load the library.
    package.Value.__reduce__ = lambda value: (_unpickle, (library._name, value.to_json()))
    return Library(library._name, package)


def _unpickle(path: str, text: str) -> Any:
    return load(path).from_json(text)


def _import_for(library: CDLL) -> Any:
    """Imports this package again, under another name and with another library.

    Raises ImportError: the library does not fit the package.
    """
    name = f"{_PACKAGE}@{next(_numbers)}"
    folder = Path(__file__).parent
    spec = importlib.util.spec_from_file_location(
        name, folder / "__init__.py", submodule_search_locations=[str(folder)]
    )
    assert spec is not None
    assert spec.loader is not None
    package = importlib.util.module_from_spec(spec)
    loader: Any = ModuleType(f"{name}._ffi.loader")
    loader.load = lambda: library
    with _removed_on_failure(name):
        sys.modules[name] = package
        sys.modules[loader.__name__] = loader
        for shared in _SHARED:
            sys.modules[f"{name}.{shared}"] = sys.modules[f"{_PACKAGE}.{shared}"]
        spec.loader.exec_module(package)
    return package


@contextmanager
def _removed_on_failure(name: str) -> Iterator[None]:
    """Removes the modules of a package from sys.modules if its import fails."""
    try:
        yield
    except BaseException:
        for module in [each for each in sys.modules if each.partition(".")[0] == name]:
            del sys.modules[module]
        raise


# Held during an import, so that one file gets one Library.
_lock = threading.RLock()


def _renew_lock() -> None:
    global _lock
    _lock = threading.RLock()


# In the child of a fork: another thread of the parent may have held the lock.
os.register_at_fork(after_in_child=_renew_lock)
