"""Python data to the library's text and back."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Union

from .errors import Error, InvalidArgumentError, LimitError

JSON = Union[None, bool, int, float, str, Sequence["JSON"], Mapping[str, "JSON"]]
"""What JSON can hold. Any Sequence is an array, any Mapping an object."""


def encode(value: JSON, what: str) -> bytes:
    """Writes a value as JSON. The name of what it is goes into the message if that fails.

    Raises InvalidArgumentError: a part that JSON has nothing for, and where it is.
    Raises LimitError: nesting too deep, an integer too long.
    """
    try:
        return _write(value)
    except (TypeError, ValueError, RecursionError) as error:
        raise _explain(value, what, error) from None


def decode(text: str) -> Any:
    """Reads what the library wrote.

    Raises LimitError: nesting too deep for Python.
    """
    try:
        return json.loads(text)
    except RecursionError:
        raise LimitError(
            f"the output nests too deep for Python's json, whose recursion limit is "
            f"{sys.getrecursionlimit()}; take its text with select_json"
        ) from None


def encode_name(name: str, what: str) -> bytes:
    """Writes a name as the text of a C string.

    Raises InvalidArgumentError: a name that has U+0000 in it or no UTF-8.
    """
    if not isinstance(name, str):
        raise TypeError(f"the name of a {what} is a str, not {type(name).__name__}")
    if "\0" in name:
        # C would read up to there, and answer for another name.
        raise InvalidArgumentError(f"the name of a {what} cannot have U+0000 in it: {name!r}")
    try:
        return name.encode("utf-8")
    except UnicodeEncodeError as error:
        raise InvalidArgumentError(f"the name of a {what} cannot be UTF-8: {error}") from None


def _plain(value: object) -> object:
    if isinstance(value, Mapping):
        return dict(value)
    if isinstance(value, Sequence) and not isinstance(value, (bytes, bytearray, memoryview)):
        return list(value)
    raise TypeError(f"JSON has no {type(value).__name__}")


# Without the escapes of ensure_ascii, so that lone surrogates are refused here, by name and place.
_encoder = json.JSONEncoder(
    ensure_ascii=False, allow_nan=False, separators=(",", ":"), default=_plain
)


def _write(value: object) -> bytes:
    return _encoder.encode(value).encode("utf-8")


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
                _write(part)
            except (TypeError, ValueError, RecursionError) as reason:
                path += "/" + str(key).replace("~", "~0").replace("/", "~1")
                value, error = part, reason
                break
    place = f"{what} at {path}" if path else what
    if isinstance(error, RecursionError):
        return LimitError(
            f"{what} nests too deep for Python's json, whose recursion limit is "
            f"{sys.getrecursionlimit()}"
        )
    kind = LimitError if isinstance(value, int) else InvalidArgumentError
    return kind(f"{place} cannot be written as JSON: {error}")


def _parts(value: object) -> Iterable[tuple[object, object]]:
    if isinstance(value, Mapping):
        return value.items()
    if isinstance(value, Sequence) and not isinstance(value, str):
        return enumerate(value)
    return ()
