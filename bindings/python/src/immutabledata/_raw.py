"""The functions of immutabledata.h, one block each, as they stand there.

Text goes in as bytes and their count. A status other than IMD_OK comes out as an exception of the
class that it has, with what the last argument says: an imd_error of the caller's, or None.
"""

from __future__ import annotations

from ctypes import POINTER, Structure, c_char, c_char_p, c_int, c_size_t, c_void_p
from typing import Any

from . import errors
from ._loader import load

IMD_ZERO_TERMINATED = c_size_t(-1).value

imd_status = c_int


class imd_error(Structure):
    _fields_ = [
        ("status", imd_status),
        ("line", c_int),
        ("column", c_int),
        ("offset", c_size_t),
        ("message", c_char * 256),
    ]


class imd_store(Structure):
    """Opaque: there are only pointers to it."""


imd_error_p = POINTER(imd_error)
imd_store_p = POINTER(imd_store)
imd_store_pp = POINTER(imd_store_p)
size_p = POINTER(c_size_t)

# Not c_char_p, which would turn text that is handed out into bytes and lose what to free.
text_p = POINTER(c_char)
text_pp = POINTER(text_p)


def take(text: Any, length: c_size_t) -> str:
    """Reads text that was handed out, and frees it."""
    try:
        return str(text[: length.value], "utf-8")
    finally:
        imd_free(text)


def _function(name: str, result: Any, *arguments: Any) -> Any:
    try:
        function = getattr(_library, name)
    except AttributeError:
        raise ImportError(
            f"{_library._name} has no function {name}: it is not libimmutabledata, or not of the "
            "version that this package is for"
        ) from None
    function.restype = result
    function.argtypes = arguments
    return function


def _fallible(name: str, *arguments: Any) -> Any:
    function = _function(name, imd_status, *arguments, imd_error_p)
    function.errcheck = _check
    return function


def _check(status: int, function: Any, arguments: tuple[Any, ...]) -> int:
    if status == 0:
        return status
    error = arguments[-1]
    if error is None:
        raise errors.from_status(status, imd_status_name(status).decode())
    message = error.message.decode("utf-8", "replace")
    raise errors.from_status(status, message, error.line, error.column, error.offset)


_library = load()

# ---- Library -------------------------------------------------------------------------------------

# const char *imd_version(void);
imd_version = _function("imd_version", c_char_p)

# const char *imd_status_name(imd_status status);
imd_status_name = _function("imd_status_name", c_char_p, imd_status)

# void imd_free(void *text);
imd_free = _function("imd_free", None, c_void_p)

# imd_status imd_domains(char **out, size_t *out_length, imd_error *error);
imd_domains = _fallible("imd_domains", text_pp, size_p)

# ---- Store ---------------------------------------------------------------------------------------

# imd_status imd_store_open(const char *domain, const char *options, size_t length, imd_store **out,
#                           imd_error *error);
imd_store_open = _fallible("imd_store_open", c_char_p, c_char_p, c_size_t, imd_store_pp)

# void imd_store_close(imd_store *store);
imd_store_close = _function("imd_store_close", None, imd_store_p)

# imd_status imd_store_dispatch(imd_store *store, const char *action, size_t length,
#                               imd_error *error);
imd_store_dispatch = _fallible("imd_store_dispatch", imd_store_p, c_char_p, c_size_t)

# imd_status imd_store_dispatch_batch(imd_store *store, const char *actions, size_t length,
#                                     imd_error *error);
imd_store_dispatch_batch = _fallible("imd_store_dispatch_batch", imd_store_p, c_char_p, c_size_t)

# imd_status imd_store_select(imd_store *store, const char *selector, const char *arguments,
#                             size_t length, char **out, size_t *out_length, imd_error *error);
imd_store_select = _fallible(
    "imd_store_select", imd_store_p, c_char_p, c_char_p, c_size_t, text_pp, size_p
)
