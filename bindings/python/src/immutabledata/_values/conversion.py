"""Shares of the library's values: made of Python data, given back when they are dropped."""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Iterator, Mapping
from ctypes import c_void_p
from math import isfinite
from typing import Any, TypeVar

from .. import _ffi
from ..errors import LimitError
from . import json_text
from . import path as paths
from .reference import Held


class Share(Held):
    """A share of an imd_value."""

    __slots__ = ("__weakref__", "_handle")

    _handle: int

    def _share(self) -> Share:
        return self

    # The function is bound early, as the module may be gone when the interpreter ends. A finalizer
    # of weakref would double what a value costs. Without a handle, construction was interrupted.
    def __del__(self, _release: Any = _ffi.imd_value_release) -> None:
        _release(getattr(self, "_handle", None))


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
    _ffi.imd_value_parse(text, len(text), out, _ffi.imd_error())
    return _handle(out)


def refused(text: bytes, what: str, error: LimitError) -> LimitError:
    """The error for data whose text the library refused.

    Where the text is too long, in words for who has data and never saw the text.
    """
    limit = _ffi.imd_limit(_ffi.IMD_LIMIT_INPUT)
    if len(text) <= limit:
        return error
    return LimitError(
        f"{what} takes more than {limit} bytes as JSON; that is the limit of input, "
        "immutabledata.limits.input"
    )


def share(data: Any, what: str) -> Share:
    """Makes a value of Python data; the name of what it is goes into the message if that fails.

    What the library holds already, alone or within other data, is shared and not copied.

    Raises what json_text.encode does, and LimitError and InvalidJSONError for what the library refuses.
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
        try:
            _ffi.imd_value_from_string(text, len(text), out, _ffi.imd_error())
        except LimitError as error:
            raise refused(text, what, error) from None
    elif kind is bool:
        _ffi.imd_value_from_bool(data, out, None)
    elif kind is int and -(2**63) <= data < 2**63:
        _ffi.imd_value_from_integer(data, out, None)
    elif kind is float and isfinite(data):
        _ffi.imd_value_from_real(data, out, None)
    else:
        return _parsed(data, what)
    return adopt(Share, _handle(out))


def _parsed(data: Any, what: str) -> Share:
    try:
        return _read(json_text.encode_plain(data, what), what)
    except json_text.HeldInside:
        pass
    made = _read(json_text.encode_hollow(data, what), what)
    for pointer, part in _held_inside(data):
        out = c_void_p()
        _ffi.imd_value_set(made._handle, paths.text(pointer), part._handle, out, _ffi.imd_error())
        made = adopt(Share, _handle(out))
    return made


def _read(text: bytes, what: str) -> Share:
    try:
        return adopt(Share, parse(text))
    except LimitError as error:
        raise refused(text, what, error) from None


def _held_inside(data: Any) -> Iterator[tuple[str, Share]]:
    """What the library holds within data that was written, with the place of each."""
    # Not by recursion, for which data may nest too deep. From the front: of parts with one and the
    # same place the last counts.
    pending = deque([("", data)])
    while pending:
        pointer, part = pending.popleft()
        if isinstance(part, Held):
            yield pointer, part._share()
        elif isinstance(part, Mapping):
            pending.extend((pointer + paths.step(_key(key)), inner) for key, inner in part.items())
        elif json_text.is_array(part):
            pending.extend((pointer + paths.step(at), inner) for at, inner in enumerate(part))


def _key(key: Any) -> str:
    """A key as Python's json writes it."""
    return key if isinstance(key, str) else json.dumps(key)


def _handle(out: c_void_p) -> int:
    assert out.value is not None
    return out.value
