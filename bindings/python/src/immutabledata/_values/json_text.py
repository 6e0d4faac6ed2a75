"""Python data to the library's text and back."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Mapping, Sequence
from ctypes import c_size_t
from typing import TYPE_CHECKING, Any, Callable, Union

from .. import _ffi
from ..errors import Error, InvalidArgumentError, InvalidJSONError, LimitError
from .reference import Held

if TYPE_CHECKING:
    from typing_extensions import TypeGuard

JSON = Union[None, bool, int, float, str, Sequence["JSON"], Mapping[str, "JSON"]]
"""What JSON can hold. Any Sequence is an array, any Mapping an object."""


def is_array(value: object) -> TypeGuard[Sequence[Any]]:
    """Whether JSON has an array for a value."""
    if isinstance(value, (str, bytes, bytearray, memoryview)):
        return False
    return isinstance(value, Sequence)


class HeldInside(Exception):
    """There is something in the data that the library holds already."""


def encode(value: object, what: str) -> bytes:
    """Writes a value as JSON. The name of what it is goes into the message if that fails.

    What the library holds already is written by the library, however deep it nests.

    Raises InvalidArgumentError: a part that JSON has nothing for, and where it is.
    Raises LimitError: nesting too deep, an integer too long.
    """
    try:
        return encode_plain(value, what)
    except HeldInside:
        pass
    return _encode_around(value, what)


def encode_plain(value: object, what: str) -> bytes:
    """Writes a value as encode does.

    Raises HeldInside: the library holds a part of it, or all.
    """
    return _written(_write_plain, value, what)


def encode_hollow(value: object, what: str) -> bytes:
    """Writes a value as encode does, with 0 in place of each part that the library holds.

    No text is shorter than that, so that the hollow value is within all limits that the whole is
    within.
    """
    return _written(_write_hollow, value, what)


def _encode_around(value: object, what: str) -> bytes:
    """Writes a value in which there is something that the library holds."""
    held: list[Held] = []

    def leave_gap(part: object) -> object:
        if isinstance(part, Held):
            held.append(part)
            return _GAP
        return _plain(part)

    try:
        pieces = _encoder(leave_gap)(value).split(f'"{_GAP}"')
        if len(pieces) != len(held) + 1:
            _GAP.encode("utf-8")  # It stands in the data too: refused, as all lone surrogates are.
        texts = [piece.encode("utf-8") for piece in pieces]
    except (TypeError, ValueError, RecursionError) as error:
        raise _explain(value, what, error) from None
    spliced = [texts[0]]
    for part, text in zip(held, texts[1:]):
        spliced += (value_text(part._share()._handle), text)
    return b"".join(spliced)


def value_text(handle: int) -> bytes:
    """The canonical JSON of a value of the library's."""
    text, length = _ffi.text_p(), c_size_t()
    _ffi.imd_value_text(handle, text, length, _ffi.imd_error())
    return _ffi.take_bytes(text, length)


# What stands for a part that is spliced in: a lone surrogate, which no text has that can be UTF-8.
_GAP = "\ud800"


def _written(write: Callable[[object], str], value: object, what: str) -> bytes:
    try:
        return write(value).encode("utf-8")
    except (TypeError, ValueError, RecursionError) as error:
        raise _explain(value, what, error) from None


def _encoder(default: Callable[[object], object]) -> Callable[[object], str]:
    """Makes a function that writes JSON; default says what to write for what it does not know."""
    # Without the escapes of ensure_ascii, so that lone surrogates are refused here, by name and
    # place.
    return json.JSONEncoder(
        ensure_ascii=False, allow_nan=False, separators=(",", ":"), default=default
    ).encode


def _quick_encoder(default: Callable[[object], object]) -> Callable[[object], str]:
    """The same for many calls."""
    careful = _encoder(default)
    try:
        # What a JSONEncoder makes anew for each call, which takes half of a short one. Python does
        # not document it: there may be none, or another.
        make: Any = getattr(json.encoder, "c_make_encoder", None)
        escape = json.encoder.encode_basestring
        quick = make(None, default, escape, None, ":", ",", False, False, False)
    except (AttributeError, TypeError):
        return careful

    def encode(value: object) -> str:
        try:
            return "".join(quick(value, 0))
        except (TypeError, ValueError, RecursionError):
            return careful(value)  # It says more of data that holds itself.

    return encode


def _plain(value: object) -> object:
    """What the encoder writes for what it does not know."""
    if isinstance(value, Held):
        raise HeldInside
    if isinstance(value, Mapping):
        return dict(value)
    if is_array(value):
        return list(value)
    raise TypeError(f"JSON has no {type(value).__name__}")


_write_plain = _quick_encoder(_plain)
_write_hollow = _quick_encoder(lambda value: 0 if isinstance(value, Held) else _plain(value))


def encode_object(members: Mapping[str, JSON], what: str) -> tuple[bytes | None, int]:
    """Writes an optional object as the two arguments that C has for it; none if it is empty.

    Raises what encode does.
    """
    if not members:
        return None, 0
    text = encode(members, what)
    return text, len(text)


def encode_text(text: str | bytes) -> bytes:
    """JSON that is text already, as the library takes it."""
    if isinstance(text, bytes):
        return text
    if not isinstance(text, str):
        raise TypeError(f"JSON text is a str or bytes, not {type(text).__name__}")
    try:
        return text.encode("utf-8")
    except UnicodeEncodeError as error:
        raise InvalidJSONError(f"the text cannot be UTF-8: {error}") from None


def decode(text: str, instead: str) -> Any:
    """Reads what the library wrote; the name of what hands out its text goes into the message.

    Raises LimitError: nesting too deep for Python.
    """
    try:
        return json.loads(text)
    except RecursionError:
        raise LimitError(
            f"the output nests too deep for Python's json, whose recursion limit is "
            f"{sys.getrecursionlimit()}; take its text with {instead}"
        ) from None


def encode_name(name: str, what: str) -> bytes:
    """Writes a name as the text of a C string. What it is goes into the message if that fails.

    Raises InvalidArgumentError: a name that has U+0000 in it or no UTF-8.
    """
    if not isinstance(name, str):
        raise TypeError(f"{what} is a str, not {type(name).__name__}")
    if "\0" in name:
        # C would read up to there, and answer for another name.
        raise InvalidArgumentError(f"{what} cannot have U+0000 in it: {name!r}")
    try:
        return name.encode("utf-8")
    except UnicodeEncodeError as error:
        raise InvalidArgumentError(f"{what} cannot be UTF-8: {error}") from None


def _explain(value: object, what: str, error: Exception) -> Error:
    """Makes the error for a value that could not be written, with a JSON Pointer to the culprit.

    The culprit is the innermost part that the encoder refuses by itself.
    """
    path = ""
    seen = set()
    while not isinstance(error, RecursionError) and id(value) not in seen:
        seen.add(id(value))
        for key, part in _parts(value):
            try:
                _write_hollow(part).encode("utf-8")
            except (TypeError, ValueError, RecursionError) as reason:
                path += "/" + str(key).replace("~", "~0").replace("/", "~1")
                value, error = part, reason
                break
    place = f"{what} at {path}" if path else what
    if isinstance(error, RecursionError):
        return LimitError(
            f"the nesting of {what} is too deep for Python's json, whose recursion limit is "
            f"{sys.getrecursionlimit()}"
        )
    kind = LimitError if isinstance(value, int) else InvalidArgumentError
    return kind(f"{place} cannot be written as JSON: {error}")


def _parts(value: object) -> Iterable[tuple[object, object]]:
    if isinstance(value, Held):
        return ()
    if isinstance(value, Mapping):
        return value.items()
    if is_array(value):
        return enumerate(value)
    return ()
