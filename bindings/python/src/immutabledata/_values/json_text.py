"""Converts Python data to JSON text and back."""

from __future__ import annotations

import contextlib
import json
import math
import sys
from collections import UserString
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Callable, Union

from .. import _ffi
from .._library_data import LibraryData
from ..errors import Error, InvalidArgumentError, InvalidJSONError, LimitError, wrong_type
from .default import current_default
from .names import quoted
from .path import escape
from .reference import Native, foreign_error, is_foreign

if TYPE_CHECKING:
    from typing_extensions import TypeGuard

JSON = Union[None, bool, int, float, str, Sequence["JSON"], Mapping[str, Any]]
"""Data that can be JSON. Any Sequence is an array, any Mapping an object.

Type checkers do not look into a Mapping, because the members of a TypedDict are of type object.
"""


def is_array(data: object) -> TypeGuard[Sequence[Any]]:
    """Whether data is an array as JSON."""
    if type(data) is list:
        return True
    if isinstance(data, (str, bytes, bytearray, memoryview, UserString)):
        return False
    return isinstance(data, Sequence)


# ---- Writing -------------------------------------------------------------------------------------


class NativeInside(Exception):
    """The data contains native data, which Python's json cannot write."""


def encode(data: object, role: str) -> bytes:
    """Writes data as JSON. The role describes the data in messages: "the action".

    The library writes native data, however deep it nests.

    Raises InvalidArgumentError: a part that cannot be JSON; the message says where.
    Raises LimitError: nesting too deep, an integer too long.
    """
    try:
        return encode_plain(data, role)
    except NativeInside:
        pass
    # Outside the handler: NativeInside is not the context of an error.
    return _encode_with_native(data, role)


def encode_plain(data: object, role: str) -> bytes:
    """Writes data as encode does.

    Raises NativeInside: the data is or contains native data.
    """
    return _encode_with(_write_plain, data, role)


def encode_skeleton(data: object, role: str) -> bytes:
    """Writes data as encode does, with 0 in place of each native part.

    No JSON text is shorter than "0": if the complete data is within the limits, so is the skeleton.
    """
    return _encode_with(_write_skeleton, data, role)


def native_text(data: Native) -> bytes:
    """The canonical JSON of native data."""
    return _ffi.bytes_from(_ffi.imd_value_text, data._reference()._handle)


# Marks where the text of native data goes: a lone surrogate, which cannot be in valid UTF-8.
_GAP = "\ud800"


def _encode_with_native(data: object, role: str) -> bytes:
    native: list[Native] = []

    def leave_gap(part: object) -> object:
        if isinstance(part, Native):
            native.append(part)
            return _GAP
        return _to_builtin(part)

    try:
        pieces = _make_writer(leave_gap, native.clear)(data).split(f'"{_GAP}"')
        if len(pieces) != len(native) + 1:
            _GAP.encode("utf-8")  # The data contains the mark: fail as for any lone surrogate.
        texts = [piece.encode("utf-8") for piece in pieces]
    except (TypeError, ValueError, RecursionError) as error:
        raise _explain(data, role, error) from None
    joined = [texts[0]]
    for part, text in zip(native, texts[1:]):
        joined += (native_text(part), text)
    return b"".join(joined)


def _encode_with(write: Callable[[object], str], data: object, role: str) -> bytes:
    try:
        return write(data).encode("utf-8")
    except (TypeError, ValueError, RecursionError) as error:
        raise _explain(data, role, error) from None


def _make_writer(
    default: Callable[[object], object], begin: Callable[[], None] = lambda: None
) -> Callable[[object], str]:
    """Makes a function that writes JSON.

    default: replaces objects that json does not know.
    begin: called before the data is written, which may be twice.

    The function raises TypeError if two keys of a dict become the same text, such as 7 and "7".
    """

    def encoder(sort_keys: bool) -> Callable[[object], str]:
        # Not ensure_ascii: it would escape lone surrogates, which must be reported with their place.
        return json.JSONEncoder(
            ensure_ascii=False,
            allow_nan=False,
            separators=(",", ":"),
            default=default,
            sort_keys=sort_keys,
        ).encode

    write_sorted, write_unsorted = encoder(True), encoder(False)

    def write(data: object) -> str:
        begin()
        # Keys of which one is text and another is not cannot be sorted; only they can become the
        # same. So no other data is looked through for them.
        with contextlib.suppress(TypeError):
            return write_sorted(data)
        begin()
        text = write_unsorted(data)
        json.loads(text, object_pairs_hook=_refuse_same_keys, parse_int=str, parse_float=str)
        return text

    return write


def _refuse_same_keys(members: list[tuple[str, object]]) -> None:
    keys = set()
    for key, _ in members:
        if key in keys:
            raise TypeError(f"two of its keys become {quoted(key)}")
        keys.add(key)


def _to_builtin(part: object) -> object:
    """What to write for an object that json does not know."""
    if isinstance(part, Native):
        raise NativeInside
    if is_foreign(part):
        raise TypeError("it belongs to another library")  # _explain says more.
    if isinstance(part, Mapping):
        return dict(part)
    if is_array(part):
        return list(part)
    default = current_default()
    if default is not None:
        return default(part)
    raise TypeError(f"JSON has no {type(part).__name__}{_advice(part)}")


# What to write instead of an object whose type has an attribute. The first that fits counts.
_ADVICE = {
    "__members__": "use .value",  # Enum
    "isoformat": "use isoformat()",  # date, datetime, time
    "total_seconds": "use total_seconds()",  # timedelta
    "__dataclass_fields__": "use dataclasses.asdict()",
    "model_dump": "use model_dump(mode='json')",  # Pydantic
    "__attrs_attrs__": "use attrs.asdict()",
    "tolist": "use tolist()",  # array, memoryview, and NumPy
    "as_integer_ratio": "use str() or float()",  # Decimal, Fraction
    "decode": "use decode() for text, or base64",  # bytes, bytearray
    "__fspath__": "use os.fspath()",
    "urn": "use str()",  # UUID
    "isidentifier": "use str()",  # UserString
    "__await__": "await it",
    "union": "use a sorted list",  # set, frozenset
    "__iter__": "use list()",
}


def _advice(part: object) -> str:
    if isinstance(part, type):
        return ""
    for name, advice in _ADVICE.items():
        # Of the type, because an object may have attributes of any name, as mocks do.
        if hasattr(type(part), name):
            return f"; {advice}"
    return ""


_write_plain = _make_writer(_to_builtin)

_write_skeleton = _make_writer(
    lambda part: 0 if isinstance(part, Native) else _to_builtin(part)
)


def _explain(data: object, role: str, error: Exception) -> Error:
    """Makes the error for data that cannot be written, with a JSON Pointer to the faulty part.

    That is the innermost part that the encoder rejects on its own.
    """
    path = ""
    seen = set()
    while not isinstance(error, RecursionError) and id(data) not in seen:
        seen.add(id(data))
        for key, part in parts(data):
            try:
                _write_skeleton(part).encode("utf-8")
            except (TypeError, ValueError, RecursionError) as inner:
                path += "/" + escape(str(key))
                data, error = part, inner
                break
    if isinstance(error, RecursionError):
        return LimitError(
            f"the nesting of {role} is too deep for Python's json, whose recursion limit is "
            f"{sys.getrecursionlimit()}"
        )
    place = f"{role} at {path}" if path else role
    if is_foreign(data):
        return foreign_error(data, place)
    if isinstance(data, int):
        return LimitError(f"{place} cannot be written as JSON: {too_large(data)}")
    reason = str(error)
    if isinstance(data, float):
        reason = f"JSON has no {'NaN' if math.isnan(data) else 'infinity'}"
    return InvalidArgumentError(f"{place} cannot be written as JSON: {reason}")


def too_large(number: int) -> str:
    """Says that an integer is too large; Python may refuse to write its digits."""
    return f"the integer needs {number.bit_length() + 1:,} bits, and integers have 64"


def parts(data: object) -> Iterable[tuple[object, object]]:
    """The members or elements of data, each with its key or index."""
    if isinstance(data, LibraryData):
        return ()
    if isinstance(data, Mapping):
        return data.items()
    if is_array(data):
        return enumerate(data)
    return ()


# ---- Reading -------------------------------------------------------------------------------------


def encode_text(text: str | bytes) -> bytes:
    """Encodes JSON text as UTF-8."""
    if isinstance(text, bytes):
        return text
    if not isinstance(text, str):
        raise wrong_type("JSON text", "a str or bytes", text)
    try:
        return text.encode("utf-8")
    except UnicodeEncodeError as error:
        raise InvalidJSONError(f"the text cannot be UTF-8: {error}") from None


def decode(text: str, alternative: str) -> Any:
    """Reads JSON that the library wrote. alternative: the function that returns it as text.

    Raises LimitError: nesting too deep for Python.
    """
    try:
        return json.loads(text)
    except RecursionError:
        raise LimitError(
            f"the output nests too deep for Python's json, whose recursion limit is "
            f"{sys.getrecursionlimit()}; use {alternative} to get it as text"
        ) from None
