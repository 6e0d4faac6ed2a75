"""The C extension, whose functions come before methods of the package, if it is there.

Each handles the usual arguments of a method, and calls that method for all others and to report an
error. So everything works without it, and the same.
"""

from __future__ import annotations

from typing import Any, Callable

from . import extension_file
from .library import LIBRARY, version


def _load() -> tuple[Any, Any]:
    module = extension_file.load(LIBRARY._name, version())
    try:
        return module, None if module is None else module.Library(LIBRARY._handle)
    except ImportError:  # The process has loaded too many libraries.
        return None, None


EXTENSION, FUNCTIONS = _load()
"""The module, and its functions for this library; or None and None."""


def replace(kind: type, *names: str) -> None:
    """Puts functions of the extension before methods or properties of a class."""
    if FUNCTIONS is not None:
        for name in names:
            FUNCTIONS.replace(kind, kind.__name__, name)


def call_back(name: str, function: Callable[..., Any]) -> None:
    """Sets the function that the extension calls by a name."""
    if FUNCTIONS is not None:
        FUNCTIONS.call_back(name, function)


def guarded(
    function: Callable[..., Any], escaped: Callable[[BaseException], bool], result: Any = None
) -> Callable[..., Any]:
    """A function for ctypes that calls another; a signal handler may raise anywhere in that one.

    escaped: gets what leaves the function, and returns whether that is handled: then the call
        returns the result. ctypes reports anything else. Without the extension, it reports
        everything.
    """
    return function if EXTENSION is None else EXTENSION.Guard(function, escaped, result)
