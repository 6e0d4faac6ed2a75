"""References to the library's values."""

from __future__ import annotations

from typing import Any, TypeVar

from .. import _ffi


class Native:
    """Data that the library already holds: it is referenced, not copied, when used in a value."""

    __slots__ = ()

    def _reference(self) -> Reference:
        """A reference to the data as it is now."""
        raise NotImplementedError


class Reference(Native):
    """An owned reference to an imd_value; released when the object is deleted."""

    __slots__ = ("__weakref__", "_handle")

    _handle: int

    def _reference(self) -> Reference:
        return self

    # The default argument binds the function early: the module may be gone when the interpreter
    # exits. weakref.finalize would double the cost of a value. There is no handle if construction
    # was interrupted.
    def __del__(self, _release: Any = _ffi.imd_value_release) -> None:
        _release(getattr(self, "_handle", None))


_AnyReference = TypeVar("_AnyReference", bound=Reference)

_new = object.__new__


def adopt(kind: type[_AnyReference], handle: int) -> _AnyReference:
    """Creates an object for a handle, and takes ownership of the handle."""
    reference = _new(kind)
    reference._handle = handle
    return reference
