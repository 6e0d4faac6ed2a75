"""Loads other libraries: each gets an instance of the modules of this package."""

from __future__ import annotations

import itertools
import os
import sys
import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from ctypes import CDLL
from types import ModuleType
from typing import TYPE_CHECKING, Any

from . import _ffi
from ._ffi.library_file import require_complete
from .errors import InvalidArgumentError, wrong_type

if TYPE_CHECKING:
    from . import _stores, _toolkit, _values
    from ._stores.log_file import LogFiles
    from ._values.limits import Limits

_PACKAGE = __name__.rpartition(".")[0]

# The modules that all libraries share: errors, and types of plain Python data.
_SHARED = (
    "_ffi.extension_file",
    "_library_data",
    "_loading",
    "_stores.commit",
    "_stores.event_loop",
    "_stores.fetch",
    "_stores.history_step",
    "_stores.log_entry",
    "_stores.preview",
    "_toolkit.action_creator",
    "_values.action",
    "_values.patch",
    "errors",
    "log_drivers",
)

# The names of the package that depend on the library.
_NAMES = (
    "ArrayValue",
    "History",
    "Listener",
    "Migration",
    "ObjectValue",
    "Observation",
    "Outputs",
    "Request",
    "Slice",
    "Store",
    "Stream",
    "Value",
    "cancelled",
    "combine",
    "domains",
    "drafting",
    "entities",
    "from_json",
    "limits",
    "log",
    "open",
    "register_log",
    "to_python",
    "value",
    "version",
)


class Library:
    """A library, and the names of this package that depend on the library; made by load.

        lights = imd.load("build/liblights.so")
        store = lights.open("light")
        store.dispatch("toggle")

    The names are ArrayValue, History, Listener, Migration, ObjectValue, Observation, Outputs,
    Request, Slice, Store, Stream, Value, cancelled, combine, domains, drafting, entities, from_json,
    limits, log, open, register_log, to_python, value and version. Those of the package itself belong to its
    default library. All other names of the package belong to all libraries, for example the errors,
    Patch, apply_patch and fetch.

    Values, drafts, reducers made by drafting, Slice and combine, and the functions of entities
    belong to the library that made them. If a Value or draft is passed to another library, also as
    the state of such a reducer, an InvalidArgumentError names both libraries. Scalars belong to no
    library, nor does the copy that to_python makes. Values of two libraries are equal if their
    content is; is_identical is False for them.

    At run time, each library has classes of its own: isinstance(x, lights.Value) is True for the
    Values of that library only, and isinstance(x, imd.Value) for those of the default library only.
    Type checkers see one class: write imd.Value and imd.Store in annotations.

    A library is never unloaded. Its limits apply to it alone. It does not know the reducers of
    others: nothing checks that a reducer does not dispatch to a store of another library. Nor does
    it know the observers of others: two threads, each in an observer of one library that dispatches
    to a store of the other, can wait for each other forever. Give one of these observers
    when="queued".
    """

    path: str
    """The path of the file; only a name if the dynamic linker searched for the default library."""

    if TYPE_CHECKING:
        ArrayValue = _values.ArrayValue
        History = _stores.History
        Listener = _stores.Listener
        Migration = _stores.Migration
        ObjectValue = _values.ObjectValue
        Observation = _stores.Observation
        Outputs = _stores.Outputs
        Request = _stores.Request
        Slice = _toolkit.Slice
        Store = _stores.Store
        Stream = _stores.Stream
        Value = _values.Value
        cancelled = staticmethod(_stores.cancelled)
        combine = staticmethod(_toolkit.combine)
        domains = staticmethod(_stores.domains)
        drafting = staticmethod(_values.drafting)
        entities = staticmethod(_toolkit.entities)
        from_json = staticmethod(_values.from_json)
        limits: Limits
        log: LogFiles
        open = staticmethod(_stores.open)
        register_log = staticmethod(_stores.register_log)
        to_python = staticmethod(_values.to_python)
        value = staticmethod(_values.value)
        version = staticmethod(_ffi.version)

    def __init__(self, path: str, package: ModuleType) -> None:
        # package: the instance of this package for the library.
        self.path = path
        self._package = package

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            if name not in _NAMES:
                raise AttributeError(f"'Library' object has no attribute {name!r}")
            # The package imports some names when they are first used.
            found = getattr(self._package, name)
            setattr(self, name, found)
            return found

        def __dir__(self) -> Iterable[str]:
            return {*super().__dir__(), *_NAMES}

    def __reduce__(self) -> Any:
        # Copying and unpickling return the Library itself.
        is_default = self.version is _ffi.version
        return _unpickle_library, (None if is_default else self.path,)

    def __repr__(self) -> str:
        return f"<immutabledata.Library {self.path!r}>"


def load(path: str | os.PathLike[str], /) -> Library:
    """Loads another build of the library, for example one with domains of your own.

        lights = imd.load("build/liblights.so")
        store = lights.open("light")

    If the file was loaded before, also by another path, returns the same Library; so do copies of a
    Library. A process loads a path once: to use a library that was rebuilt, start another process.

    The environment variable IMMUTABLEDATA_LIBRARY chooses the default library, to which the names
    of the package belong.

    A pickled Value of the library contains its absolute path, and is unpickled by the library at
    that path. A Value of the default library is unpickled by the default library.

    Two libraries that each contain a copy of SQLite must not open one file.

    Raises InvalidArgumentError: the path is empty or contains U+0000.
    Raises ImportError: the file cannot be loaded, is incomplete, is not a build of the library, or
    has another major or minor version than this package.

    Complexity: it takes less time than importing the package, and 3 MB.
    """
    loaded = _open(path)
    _import_shared()
    return _library(loaded)


def _import_shared() -> None:
    """Imports what other libraries need and the package itself has not, before the lock is held."""
    import importlib.util

    for name in _SHARED:
        importlib.import_module(f"{_PACKAGE}.{name}")


def _library(library: CDLL) -> Library:
    """The Library of a library that is loaded."""
    with _lock:
        if not _libraries:
            default = _ffi.LIBRARY
            _libraries[default._handle] = Library(default._name, sys.modules[_PACKAGE])
        loaded = _libraries.get(library._handle)
        if loaded is None:
            # setdefault: a finalizer or a signal handler may load the same file during the import.
            loaded = _libraries.setdefault(library._handle, _make(library))
        return loaded


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
        require_complete(absolute)
        return CDLL(absolute)
    except UnicodeDecodeError as error:  # The linker's message contains such a path.
        reason = error.object.decode("utf-8", "backslashreplace")
    except OSError as error:
        reason = str(error)
    name = os.fsencode(absolute).decode("utf-8", "backslashreplace")
    raise ImportError(f"{name} could not be loaded: {reason}", path=absolute)


def _make(library: CDLL) -> Library:
    package = _import_for(library)
    # Another process does not have these modules, but it can load the library.
    package.Value.__reduce__ = lambda value: (_unpickle, (library._name, value.to_json()))
    return Library(library._name, package)


def _unpickle(path: str, text: str) -> Any:
    return load(path).from_json(text)


def _unpickle_library(path: str | None) -> Library:
    return _library(_ffi.LIBRARY) if path is None else load(path)


def _import_for(library: CDLL) -> Any:
    """Imports this package again, under another name and with another library.

    Raises ImportError: the library does not fit the package.
    """
    import importlib.util

    name = f"{_PACKAGE}@{next(_numbers)}"
    folder = os.path.dirname(__file__)
    file = os.path.join(folder, "__init__.py")
    if not os.path.exists(file):  # Programs that freeze modules may put them elsewhere.
        raise ImportError(f"load needs the modules of {_PACKAGE} as files, and {file} is missing")
    spec = importlib.util.spec_from_file_location(
        name, file, submodule_search_locations=[folder]
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
        for module in list(sys.modules):
            if module.partition(".")[0] == name:
                del sys.modules[module]
        raise


# Held during an import, so that one file gets one Library. The import waits for no other thread: it
# runs modules under names that only this thread knows, and all other modules that they import are
# already loaded.
# An RLock, because a finalizer or a signal handler may call load during the import.
_lock = threading.RLock()


def _renew_lock() -> None:
    global _lock
    _lock = threading.RLock()


# In the child of a fork: another thread of the parent may have held the lock.
os.register_at_fork(after_in_child=_renew_lock)
