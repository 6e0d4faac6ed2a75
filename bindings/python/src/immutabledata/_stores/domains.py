"""What the library says about itself."""

from __future__ import annotations

from ctypes import c_size_t
from typing import Any

from .. import _ffi
from .._values.json_text import decode


def version() -> str:
    """The version of the library that is loaded, such as "0.1.0"."""
    return str(_ffi.imd_version(), "utf-8")


def domains() -> list[dict[str, Any]]:
    """Describes every domain that open knows, in order of name.

    Each is a dict with its name, summary, actions, selectors and options. What an action's
    payload, a selector's arguments and output and the options have to be is JSON Schema (draft
    2020-12). An action without a payload takes none.
    """
    text, length = _ffi.text_p(), c_size_t()
    _ffi.imd_domains(text, length, _ffi.imd_error())
    described: list[dict[str, Any]] = decode(_ffi.take(text, length), "_ffi.imd_domains")
    return described
