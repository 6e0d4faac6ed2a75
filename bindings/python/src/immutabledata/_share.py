"""Shares of the library's values: made of Python data, given back when they are dropped."""

from __future__ import annotations

import json
from collections.abc import Mapping
from ctypes import c_void_p
from math import isfinite
from typing import Any, TypeVar

from . import _json, _path, _raw
from .errors import LimitError


class Held:
    """What the library holds already, so that it goes into other values as it is."""

    __slots__ = ()

    def _share(self) -> Share:
        raise NotImplementedError


class Share(Held):
    """A share of an imd_value."""

    __slots__ = ("__weakref__", "_handle")

    _handle: int

    def _share(self) -> Share:
        return self

    # The function is bound early, as the module may be gone when the interpreter ends. A finalizer
    # of weakref would double what a value costs.
    def __del__(self, _release: Any = _raw.imd_value_release) -> None:
        _release(self._handle)


_AnyShare = TypeVar("_AnyShare", bound=Share)

_new = object.__new__


def adopt(kind: type[_AnyShare], handle: int) -> _AnyShare:
    """Takes over a share that a function handed out."""
    share = _new(kind)
    share._handle = handle
    return share


def parse(text: bytes) -> int:
    """Reads JSON; hands out a share."""
    out = c_void_p()
    _raw.imd_value_parse(text, len(text), out, _raw.imd_error())
    return _handle(out)


def share(data: Any, what: str) -> Share:
    """Makes a value of Python data; the name of what it is goes into the message if that fails.

    What the library holds already, alone or within other data, is shared and not copied.

    Raises what _json.encode does, and LimitError and InvalidJSONError for what the library refuses.
    """
    if isinstance(data, Held):
        return data._share()
    kind = type(data)
    out = c_void_p()
    if kind is str:
        try:
            text = data.encode("utf-8")
        except UnicodeEncodeError:
            return _parsed(data, what)  # Which says what is wrong with it.
        _raw.imd_value_from_string(text, len(text), out, _raw.imd_error())
    elif kind is bool:
        _raw.imd_value_from_bool(data, out, None)
    elif kind is int and -(2**63) <= data < 2**63:
        _raw.imd_value_from_integer(data, out, None)
    elif kind is float and isfinite(data):
        _raw.imd_value_from_real(data, out, None)
    else:
        return _parsed(data, what)
    return adopt(Share, _handle(out))


def _parsed(data: Any, what: str) -> Share:
    try:
        return adopt(Share, parse(_json.encode(data, what, _encode_plain)))
    except _HeldInside:
        pass
    held: list[tuple[str, Share]] = []
    try:
        hollow = _hollow(data, "", held)
    except RecursionError:
        raise LimitError(f"{what} nests too deep for Python, or holds itself") from None
    made = adopt(Share, parse(_json.encode(hollow, what)))
    for pointer, part in held:
        out = c_void_p()
        _raw.imd_value_set(made._handle, _path.text(pointer), part._handle, out, _raw.imd_error())
        made = adopt(Share, _handle(out))
    return made


class _HeldInside(Exception):
    """There is something in the data that the library holds already."""


def _plain(value: object) -> object:
    if isinstance(value, Held):
        raise _HeldInside
    return _json.plain(value)


_encode_plain = _json.encoder(_plain)


def _hollow(data: Any, pointer: str, held: list[tuple[str, Share]]) -> Any:
    """Copies data with 0 in place of what the library holds, which it lists with its place.

    Nothing is shorter, so that no step on the way is beyond a limit that the whole is within.
    """
    if isinstance(data, Held):
        held.append((pointer, data._share()))
        return 0
    if isinstance(data, Mapping):
        return {
            key: _hollow(part, pointer + _path.step(_key(key)), held) for key, part in data.items()
        }
    if _json.is_array(data):
        return [_hollow(part, pointer + _path.step(at), held) for at, part in enumerate(data)]
    return data


def _key(key: Any) -> str:
    """A key as Python's json writes it."""
    return key if isinstance(key, str) else json.dumps(key)


def _handle(out: c_void_p) -> int:
    assert out.value is not None
    return out.value
