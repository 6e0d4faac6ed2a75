"""JSON text: of answers, and short ones of large values."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import immutabledata as imd

PREVIEW = 120
"""How many characters a preview has at most."""


class JSONText(str):
    """A text that is JSON already."""

    __slots__ = ()


def to_json(data: Any) -> str:
    """Plain data as JSON; it may contain Values and texts that are JSON already."""
    pieces: list[str] = []
    _write(data, pieces)
    return "".join(pieces)


def _write(data: Any, pieces: list[str]) -> None:
    if isinstance(data, dict):
        separator = "{"
        for key, member in data.items():
            pieces.append(f"{separator}{json.dumps(key)}:")
            _write(member, pieces)
            separator = ","
        pieces.append("}" if data else "{}")
    elif isinstance(data, (list, tuple)):
        separator = "["
        for element in data:
            pieces.append(separator)
            _write(element, pieces)
            separator = ","
        pieces.append("]" if data else "[]")
    elif isinstance(data, imd.Value):
        pieces.append(data.to_json())
    else:
        pieces.append(data if isinstance(data, JSONText) else json.dumps(data))


def own(data: Any) -> Any:
    """A value, also one of another library, as a Value of the default one."""
    is_foreign = not isinstance(data, imd.Value) and hasattr(data, "to_json")
    return imd.from_json(data.to_json()) if is_foreign else data


def kind_of(data: Any) -> str:
    """The kind of a JSON value."""
    if isinstance(data, Mapping):
        return "object"
    if is_array(data):
        return "array"
    if isinstance(data, str):
        return "string"
    if data is None:
        return "null"
    return "boolean" if isinstance(data, bool) else "number"


def is_array(data: object) -> bool:
    return isinstance(data, Sequence) and not isinstance(data, str)


def preview(data: Any, limit: int = PREVIEW) -> str:
    """The beginning of a value as JSON. It reads no more of the value than it shows."""
    text = ""
    for piece in _pieces(data, limit):
        text += piece
        if len(text) > limit:
            return f"{text[: limit - 1]}…"
    return text


def _pieces(data: Any, limit: int) -> Iterator[str]:
    separator = ""
    if isinstance(data, Mapping):
        yield "{"
        for key, member in data.items():
            yield f"{separator}{_scalar(key, limit)}:"
            yield from _pieces(member, limit)
            separator = ","
        yield "}"
    elif is_array(data):
        yield "["
        for element in data:
            yield separator
            yield from _pieces(element, limit)
            separator = ","
        yield "]"
    else:
        yield _scalar(data, limit)


def _scalar(data: Any, limit: int) -> str:
    return json.dumps(data[:limit] if isinstance(data, str) else data, ensure_ascii=False)


def text_within(data: Any, limit: int) -> str | None:
    """A value as JSON; None if it has more bytes than the limit. Then it is not written."""
    size = 0
    pending: list[Iterator[Any]] = [iter((data,))]
    while pending:
        for part in pending[-1]:
            if isinstance(part, Mapping):
                size += 2 + len(part)
                pending.append(_keys_and_members(part))
                break
            if is_array(part):
                size += 2 + len(part)
                pending.append(iter(part))
                break
            size += len(part) + 2 if isinstance(part, str) else 1
            if size > limit:
                return None
        else:
            pending.pop()
        if size > limit:
            return None
    text = to_json(data)
    return None if len(text) > limit else text


def _keys_and_members(data: Mapping[str, Any]) -> Iterator[Any]:
    for key, member in data.items():
        yield key
        yield member


# ---- The envelopes of messages -------------------------------------------------------------------

_TOKEN = re.compile(rb'"(?:[^"\\]|\\.)*"|[{}\[\],:]', re.DOTALL)
_OPENING, _CLOSING = (b"{", b"["), (b"}", b"]")

# What a message has that a Value with other parts inside could be too deep for.
_ENVELOPES = {"params", "result", "error"}


def parse_message(line: bytes) -> Mapping[str, Any]:
    """A message, which is an object.

    Raises imd.Error: it is not JSON, or not an object.
    """
    try:
        message = imd.from_json(line)
    except imd.LimitError:  # It nests deeper than what it carries.
        message = _parse_envelope(line, 2)
    if not isinstance(message, Mapping):
        raise imd.InvalidJSONError("a message is an object")
    return message


def _parse_envelope(text: bytes, levels: int) -> Any:
    if not levels or text.lstrip()[:1] != b"{":
        return imd.from_json(text)
    members = {}
    for key, member in _members(text):
        inside = levels - 1 if key in _ENVELOPES else 0
        members[key] = _parse_envelope(member, inside)
    return members


def _members(text: bytes) -> Iterable[tuple[str, bytes]]:
    """The members of an object as texts; what is wrong with them is found when they are parsed."""
    depth, key, start = 0, b'""', 0
    for token in _TOKEN.finditer(text):
        mark = token[0]
        if mark in _OPENING:
            depth += 1
        elif mark in _CLOSING:
            depth -= 1
            if depth == 0 and start:
                yield imd.from_json(key), text[start : token.start()]
        elif depth == 1 and mark == b":":
            start = token.end()
        elif depth == 1 and mark == b",":
            yield imd.from_json(key), text[start : token.start()]
            start = 0
        elif depth == 1 and not start:
            key = mark
