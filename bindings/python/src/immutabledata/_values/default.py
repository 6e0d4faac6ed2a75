"""The function that replaces data which JSON does not know, as the default of Python's json does."""

from __future__ import annotations

from contextvars import ContextVar, Token
from typing import Any, Callable, Optional

from .functions import require_function

Default = Callable[[Any], Any]
"""A function that takes an object and returns the data to write for it, or raises TypeError."""

_current: ContextVar[Default | None] = ContextVar("immutabledata_default", default=None)


class using:
    """Applies a function to what is converted in a with statement; None: applies no other one."""

    __slots__ = ("_default", "_token")

    _token: Token[Optional[Default]]

    def __init__(self, default: Default | None) -> None:
        self._default = default

    def __enter__(self) -> None:
        if self._default is not None:
            self._token = _current.set(self._default)

    def __exit__(self, *_: object) -> None:
        if self._default is not None:
            _current.reset(self._token)


def current_default() -> Default | None:
    """The function that applies to what is converted now."""
    return _current.get()


def checked_default(default: Any) -> Default | None:
    """Returns the option default. Raises TypeError: it is neither a function nor None."""
    if default is not None:
        expected = "a function that takes an object and returns data for it"
        require_function(default, "default", expected, 1)
    checked: Default | None = default
    return checked
