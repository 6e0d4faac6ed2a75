"""Converts Python data to values of the library."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from ctypes import c_void_p
from math import isfinite
from typing import Any, Callable

from .. import _ffi
from ..errors import InvalidJSONError, LimitError
from .default import Default, current_default, using
from .json_text import NativeInside, encode_plain, encode_skeleton, is_array
from .path import encode_pointer, pointer_step
from .reference import Native, Reference, adopt
from .refusal import refuse_unrepresentable


def to_reference(data: Any, role: str) -> Reference:
    """Converts Python data to a value. The role describes the data in messages: "the patch".

    Native data, alone or inside other data, is referenced and not copied.

    Raises what encode does; LimitError and InvalidJSONError if the library rejects the JSON.
    """
    if isinstance(data, Native):
        return data._reference()
    kind = type(data)
    out = c_void_p()
    if kind is str:
        try:
            text = data.encode("utf-8")
        except UnicodeEncodeError:
            return _from_json_text(data, role)  # Reports what is wrong with the str.
        try:
            _ffi.imd_value_from_string(text, len(text), out, _ffi.imd_error())
        except LimitError as error:
            raise limit_error(text, role, error) from None
    elif kind is bool:
        _ffi.imd_value_from_bool(data, out, None)
    elif kind is int and -(2**63) <= data < 2**63:
        _ffi.imd_value_from_integer(data, out, None)
    elif kind is float and isfinite(data):
        _ffi.imd_value_from_real(data, out, None)
    else:
        return _from_json_text(data, role)
    return adopt(Reference, _handle(out))


def converting(
    function: Callable[..., Any], default: Default | None, role: str
) -> Callable[..., Any]:
    """A function whose result is converted with a default; the function itself without one."""
    if default is None:
        return function

    def convert(*arguments: Any, **keywords: Any) -> Any:
        with using(default):
            result = function(*arguments, **keywords)
            is_ready = result is None or isinstance(result, Native)
            return result if is_ready else to_reference(result, role)

    return convert


def to_text_or_reference(data: Any, role: str) -> bytes | Reference:
    """Writes plain data as JSON; converts data that contains native data to a value.

    Raises what to_reference does, except for what the library rejects in the text.
    """
    if isinstance(data, Native):
        return data._reference()
    try:
        return encode_plain(data, role)
    except NativeInside:
        pass
    return _from_mixed(data, role)


def parse(text: bytes) -> int:
    """Parses JSON; returns an owned handle."""
    out = c_void_p()
    # For the length 0 the library would suspect a mistake in C.
    length = len(text) or _ffi.IMD_ZERO_TERMINATED
    _ffi.imd_value_parse(text, length, out, _ffi.imd_error())
    return _handle(out)


def limit_error(text: bytes, role: str, error: LimitError) -> LimitError:
    """The error for data whose text the library rejected with a LimitError.

    If the text is too long, the message names the data: the user never saw the text.
    """
    limit = _ffi.imd_limit(_ffi.IMD_LIMIT_INPUT)
    if len(text) <= limit:
        return error
    return LimitError(
        f"{role} must take at most {limit} bytes as JSON; that is the input limit, "
        "immutabledata.limits.input"
    )


def _from_json_text(data: Any, role: str) -> Reference:
    try:
        return _parse_data(encode_plain(data, role), data, role)
    except NativeInside:
        pass
    return _from_mixed(data, role)


def _from_mixed(data: Any, role: str) -> Reference:
    """Converts plain data that contains native data."""
    result = _parse_data(encode_skeleton(data, role), data, role)
    for pointer, part in _native_parts(data):
        out = c_void_p()
        _ffi.imd_value_set(
            result._handle, encode_pointer(pointer), part._handle, out, _ffi.imd_error()
        )
        result = adopt(Reference, _handle(out))
    return result


def _parse_data(text: bytes, data: Any, role: str) -> Reference:
    try:
        return adopt(Reference, parse(text))
    except InvalidJSONError:
        refuse_unrepresentable(data, role)
        raise
    except LimitError as error:
        refuse_unrepresentable(data, role)
        raise limit_error(text, role, error) from None


def _native_parts(data: Any) -> Iterator[tuple[str, Reference]]:
    """The native parts of data that was written as JSON, each with its JSON Pointer."""
    default = current_default()
    # Iterative: the data may nest deeper than Python can recurse.
    pending = [("", data)]
    while pending:
        pointer, part = pending.pop()
        if isinstance(part, Native):
            yield pointer, part._reference()
        elif isinstance(part, Mapping):
            pending.extend(
                (pointer + pointer_step(_key(key)), inner) for key, inner in part.items()
            )
        elif is_array(part):
            pending.extend((pointer + pointer_step(at), inner) for at, inner in enumerate(part))
        elif default is not None and not isinstance(part, (str, int, float, type(None))):
            pending.append((pointer, default(part)))


def _key(key: Any) -> str:
    """A key as Python's json writes it."""
    return key if isinstance(key, str) else json.dumps(key)


def _handle(out: c_void_p) -> int:
    assert out.value is not None
    return out.value
