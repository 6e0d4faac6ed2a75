"""The loaded library: declares its functions, and turns a failed call into an exception."""

from __future__ import annotations

from ctypes import PyDLL, c_char_p, c_int64, c_size_t, c_void_p
from typing import Any

from .. import errors
from .loader import load
from .types import (
    VERSION,
    imd_error,
    imd_error_p,
    imd_limit_kind,
    imd_status,
    size_p,
    text_p,
    text_pp,
)

LIBRARY = load()

# The same library for calls that hold the GIL because they are shorter than reacquiring it. A
# reducer makes many of them, and each would have to wait for the other threads. They take no lock
# of a store and call no Python code, so they cannot deadlock with a thread that wants the GIL.
_WITH_GIL = PyDLL(LIBRARY._name, handle=LIBRARY._handle)


def function(name: str, result: Any, *arguments: Any, holds_gil: bool = False) -> Any:
    """Declares a function that returns no status.

    Raises ImportError: the library has no such function.
    """
    try:
        declared = (_WITH_GIL if holds_gil else LIBRARY)[name]
    except AttributeError:
        raise ImportError(
            f"{LIBRARY._name} has no function {name}: it is not libimmutabledata, or its version "
            "does not match this package"
        ) from None
    declared.restype = result
    declared.argtypes = arguments
    return declared


def fallible(name: str, *arguments: Any, holds_gil: bool = False) -> Any:
    """Declares a function that returns a status; a call that fails raises an exception.

    The last argument of a call is an imd_error for the message, or None.
    """
    declared = function(name, imd_status, *arguments, imd_error_p, holds_gil=holds_gil)
    declared.errcheck = _check
    return declared


def unchecked(name: str, *arguments: Any) -> Any:
    """Declares a function that cannot fail as used here, or whose status the caller checks."""
    return function(name, imd_status, *arguments, imd_error_p, holds_gil=True)


def finalizer(name: str, argument: Any) -> Any:
    """Declares a void function for property: reading the property __del__ calls it with the object.

    What it returns must be callable, because the interpreter calls the __del__ that it has read.
    ctypes passes the int that it expects from the function to type, which returns the class int.
    """
    return function(name, type, argument, holds_gil=True)


def exception(error: imd_error) -> errors.Error:
    """Makes the exception for an imd_error."""
    message = error.message.decode("utf-8", "replace")
    return errors.from_status(
        error.status, message, error.line, error.column, error.offset, error.code
    )


def _check(status: int, function: Any, arguments: tuple[Any, ...]) -> int:
    if status == 0:
        return status
    error = arguments[-1]
    if error is None:
        raise errors.from_status(status, imd_status_name(status).decode())
    raise exception(error)


def bytes_from(function: Any, *arguments: Any) -> bytes:
    """Calls a function that returns text, copies the text and frees it."""
    text: Any = text_p()
    length = c_size_t()
    function(*arguments, text, length, imd_error())
    return take_bytes(text, length)


def take_bytes(text: Any, length: c_size_t) -> bytes:
    """Copies a text that a function returned, and frees it."""
    try:
        copied: bytes = text[: length.value]
        return copied
    finally:
        imd_free(text)


# ---- Library -------------------------------------------------------------------------------------

# const char *imd_version(void);
imd_version = function("imd_version", c_char_p)


def version() -> str:
    """The version of the loaded library, for example "0.1.0"."""
    return str(imd_version(), "utf-8")


# Before the other functions are declared: those of another version may be missing or differ.
if version().rpartition(".")[0] != VERSION:
    raise ImportError(
        f"{LIBRARY._name} has version {version()}, and this package needs version {VERSION}; use a "
        "library and a package of the same version"
    )

# const char *imd_status_name(imd_status status);
imd_status_name = function("imd_status_name", c_char_p, imd_status)

# imd_status imd_set_limit(imd_limit_kind kind, int64_t limit, imd_error *error);
imd_set_limit = fallible("imd_set_limit", imd_limit_kind, c_int64, holds_gil=True)

# int64_t imd_limit(imd_limit_kind kind);
imd_limit = function("imd_limit", c_int64, imd_limit_kind, holds_gil=True)

# void imd_free(void *text);
imd_free = function("imd_free", None, c_void_p, holds_gil=True)

# imd_status imd_domains(char **out, size_t *out_length, imd_error *error);
imd_domains = fallible("imd_domains", text_pp, size_p)
