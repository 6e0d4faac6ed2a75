"""Iteration over the members of an object or the elements of an array."""

from __future__ import annotations

from ctypes import c_size_t, c_void_p
from typing import Any

from .. import _ffi
from .reference import Reference


class Cursor:
    """An imd_cursor, before the first entry at the beginning."""

    __slots__ = ("_handle", "_key", "_length", "value")

    def __init__(self, container: Reference) -> None:
        self._handle = c_void_p()
        self._key, self._length = _ffi.text_p(), c_size_t()
        self.value = c_void_p()
        """The value of the entry, borrowed until the cursor moves on."""
        _ffi.imd_cursor_open(container._handle, None, self._handle, _ffi.imd_error())

    def next(self) -> bool:
        """Moves to the next entry; False at the end."""
        return bool(_ffi.imd_cursor_next(self._handle, self._key, self._length, self.value))

    def key(self) -> str:
        """The key of the entry, in an object."""
        text: Any = self._key[: self._length.value]
        return str(text, "utf-8")

    # There is no handle if construction was interrupted.
    def __del__(self, _close: Any = _ffi.imd_cursor_close) -> None:
        _close(getattr(self, "_handle", None))
