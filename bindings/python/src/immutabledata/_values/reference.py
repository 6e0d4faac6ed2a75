"""References to the library's values, and iteration over their parts."""

from __future__ import annotations

from ctypes import c_size_t, c_void_p
from typing import TYPE_CHECKING, Any, TypeVar

from .. import _ffi
from .._library_data import LibraryData
from ..errors import InvalidArgumentError
from .names import quoted


class Native(LibraryData):
    """Data that the library already holds: it is referenced, not copied, when used in a value."""

    __slots__ = ()

    library_path = _ffi.LIBRARY._name

    def _reference(self) -> Reference:
        """A reference to the data as it is now."""
        raise NotImplementedError


if TYPE_CHECKING or _ffi.EXTENSION is None:

    class _Owner:
        """Owns a handle; releases it when the object is deleted."""

        __slots__ = ("__weakref__", "_handle", "_hash")

        _handle: int
        """The address of the imd_value."""

        _hash: int
        """The hash of a Value, once it was computed."""

        # No function of Python, in which a signal handler could raise: the interpreter would print
        # the exception and drop it. The getter is a C function, which takes the address of its
        # argument from _as_parameter_. If construction was interrupted, there is no address, and
        # the interpreter ignores that the attribute cannot be read. weakref.finalize would double
        # the cost of a value.
        __del__: Any = property(_ffi.release_on_read)

        _as_parameter_: Any

    # The slot under another name.
    _Owner._as_parameter_ = vars(_Owner)["_handle"]
else:
    _Owner = _ffi.EXTENSION.Value


class Reference(Native, _Owner):
    """An owned reference to an imd_value; released when the object is deleted."""

    __slots__ = ()

    def _reference(self) -> Reference:
        return self


_AnyReference = TypeVar("_AnyReference", bound=Reference)

_new = object.__new__


def adopt(kind: type[_AnyReference], handle: int) -> _AnyReference:
    """Creates an object for a handle, and takes ownership of the handle."""
    reference = _new(kind)
    reference._handle = handle
    return reference


if _ffi.FUNCTIONS is not None:
    adopt = _ffi.FUNCTIONS.adopt


class Cursor:
    """An imd_cursor over the members of an object or the elements of an array. It begins before
    the first entry."""

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

    __del__: Any = property(_ffi.close_on_read)  # As Reference.__del__.

    _as_parameter_: Any


Cursor._as_parameter_ = vars(Cursor)["_handle"]


# ---- Data of other libraries ---------------------------------------------------------------------


def is_foreign(data: object) -> bool:
    """Whether another library holds the data."""
    return isinstance(data, LibraryData) and not isinstance(data, Native)


def foreign_error(data: Any, place: str) -> InvalidArgumentError:
    """Makes the error for data of another library; place is for example "the action at /x"."""
    return InvalidArgumentError(
        f"{place} cannot be used with the library {quoted(Native.library_path)}: the data belongs "
        f"to {quoted(data.library_path)}; use one library for both, or convert the data with the "
        "to_python of its own library"
    )
