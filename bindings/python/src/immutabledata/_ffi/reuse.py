"""Arguments of frequent calls, which ctypes need not make for each call."""

from __future__ import annotations

from ctypes import byref, c_size_t, c_void_p
from typing import Any, Callable

from .types import IMD_ZERO_TERMINATED, imd_content, imd_error

# Converts an address for a quick function, once for all calls. An int64_t is passed as a pointer
# is, and converting it with c_int64 takes three times as long.
address_argument: Callable[[int | None], Any] = c_void_p.from_param
integer_argument: Callable[[int], Any] = c_void_p.from_param

ZERO_TERMINATED: Any = c_size_t.from_param(IMD_ZERO_TERMINATED)


def new_value() -> tuple[c_void_p, Any]:
    value = c_void_p()
    return value, byref(value)


def new_content() -> tuple[imd_content, Any]:
    content = imd_content()
    return content, byref(content)


def new_error() -> tuple[imd_error, Any]:
    error = imd_error()
    return error, byref(error)


# Out parameters of calls, each with its byref. A call takes one from its list, or makes a new one,
# and puts it back after it has read the result. So no two calls share one, and there are as many as
# calls at the same time. If a call raises, its parameter is freed. The lists begin with some: a
# list that becomes empty would give back its memory each time.
_COUNT = 4
spare_values: list[tuple[c_void_p, Any]] = [new_value() for _ in range(_COUNT)]
spare_contents: list[tuple[imd_content, Any]] = [new_content() for _ in range(_COUNT)]
spare_errors: list[tuple[imd_error, Any]] = [new_error() for _ in range(_COUNT)]
