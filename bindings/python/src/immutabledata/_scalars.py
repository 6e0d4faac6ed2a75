"""The scalars of Python for those of the library."""

from __future__ import annotations

from ctypes import c_double, c_int, c_int64, c_size_t
from typing import Any, Callable

from . import _raw


def _bool(handle: Any) -> bool:
    out = c_int()
    _raw.imd_value_get_bool(handle, None, out, None)
    return bool(out.value)


def _integer(handle: Any) -> int:
    out = c_int64()
    _raw.imd_value_get_integer(handle, None, out, None)
    return out.value


def _real(handle: Any) -> float:
    out = c_double()
    _raw.imd_value_get_real(handle, None, out, None)
    return out.value


def _string(handle: Any) -> str:
    text, length = _raw.text_p(), c_size_t()
    _raw.imd_value_get_string(handle, None, text, length, None)
    return _raw.take(text, length)


SCALARS: dict[int, Callable[[Any], Any]] = {
    _raw.IMD_NULL: lambda handle: None,
    _raw.IMD_BOOL: _bool,
    _raw.IMD_INTEGER: _integer,
    _raw.IMD_REAL: _real,
    _raw.IMD_STRING: _string,
}
