"""The C extension, whose functions come before methods of the package, if it is there.

Each handles the usual arguments of a method, and calls that method for all others and to report an
error. So everything works without it, and the same.
"""

from __future__ import annotations

from typing import Any, Callable

from . import extension_file
from .library import LIBRARY, version

EXTENSION: Any = extension_file.load(LIBRARY._name, version())
"""The module; None if there is none."""

FUNCTIONS: Any = None if EXTENSION is None else EXTENSION.Library(LIBRARY._handle)
"""Its functions for this library; None if there are none."""


def replace(kind: type, *names: str) -> None:
    """Puts functions of the extension before methods or properties of a class."""
    if FUNCTIONS is not None:
        for name in names:
            FUNCTIONS.replace(kind, kind.__name__, name)


def call_back(name: str, function: Callable[..., Any]) -> None:
    """Sets the function that the extension calls by a name."""
    if FUNCTIONS is not None:
        FUNCTIONS.call_back(name, function)
