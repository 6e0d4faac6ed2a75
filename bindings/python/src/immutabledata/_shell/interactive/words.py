"""The words after a name: member=value, or values alone."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from .vocabulary import Shape, is_text


class LineError(Exception):
    """A line that cannot be understood; offset is where."""

    def __init__(self, message: str, offset: int) -> None:
        super().__init__(message)
        self.message = message
        self.offset = offset


@dataclass(frozen=True)
class Word:
    """A value, perhaps with a name before it."""

    name: str | None
    value: Any
    start: int
    text: str
    """As it was typed."""


_SPACE = re.compile(r"\s*")
# A name, and one "=": a == b is an expression.
_NAME = re.compile(r'([A-Za-z_][\w.-]*|"(?:[^"\\]|\\.)*")=(?!=)')
_BARE = re.compile(r"\S*")
_STRUCTURED = "{", "[", '"'


# What the messages of the module json mean.
_REASONS = {
    "Expecting value": "a value is missing here",
    "Expecting property name enclosed in double quotes": 'expected a name in "quotation marks"',
    "Expecting ':' delimiter": 'expected ":"',
    "Expecting ',' delimiter": 'expected "," or the end of the array or object',
    "Unterminated string starting at": 'the text that begins here has no closing "',
}


def _no_constant(name: str) -> Any:
    raise ValueError(f"{name} is not JSON")


_DECODER = json.JSONDecoder(parse_constant=_no_constant)


def has_members(text: str, start: int) -> bool:
    """Whether the text goes on with member=."""
    return _NAME.match(text, _skip(text, start)) is not None


def parse_words(text: str, start: int = 0) -> list[Word]:
    """Splits the rest of a line into values. A value is JSON, 'text', or else text up to a space.

    Raises LineError: a value that begins like JSON, and is not; or a name without a value.
    """
    words: list[Word] = []
    at = _skip(text, start)
    while at < len(text):
        named = _NAME.match(text, at)
        name = None
        begin = at
        if named is not None:
            name = named[1] if named[1][0] != '"' else str(json.loads(named[1]))
            at = named.end()
            if at == len(text) or text[at].isspace():
                raise LineError(f'a value is missing after "{named[0]}"', at)
        value, end = _value(text, at)
        words.append(Word(name, value, begin, text[at:end]))
        at = _skip(text, end)
    return words


def _skip(text: str, at: int) -> int:
    match = _SPACE.match(text, at)
    return at if match is None else match.end()


def _value(text: str, at: int) -> tuple[Any, int]:
    if text[at] == "'":
        end = text.find("'", at + 1)
        if end < 0:
            raise LineError("the text that begins here has no closing '", at)
        return text[at + 1 : end], _end_of_value(text, end + 1)
    if text[at] in _STRUCTURED:
        try:
            value, end = _DECODER.raw_decode(text, at)
        except json.JSONDecodeError as error:
            reason = _REASONS.get(error.msg, error.msg)
            raise LineError(f"the value is not JSON: {reason}", error.pos) from None
        except RecursionError:
            raise LineError("the value nests too deep", at) from None
        except ValueError as error:
            raise LineError(f"the value is not JSON: {error}", at) from None
        return value, _end_of_value(text, end)
    match = _BARE.match(text, at)
    end = at if match is None else match.end()
    try:
        return _DECODER.decode(text[at:end]), end
    except ValueError:
        return text[at:end], end


def _end_of_value(text: str, end: int) -> int:
    if end < len(text) and not text[end].isspace():
        raise LineError("expected a space after the value", end)
    return end


def to_members(text: str, words: Sequence[Word], shape: Shape | None, role: str) -> dict[str, Any]:
    """The values by their names; for those without a name, see Shape.unnamed.

    Raises LineError: a name is unknown, missing or given twice, or a value has none.
    """
    members: dict[str, Any] = {}
    known: Mapping[str, Any] = {} if shape is None else shape.members
    named = {word.name for word in words if word.name is not None}
    free = [] if shape is None else shape.unnamed(len(words) - len(named), named)
    for word in words:
        name = word.name
        if name is None:
            if not free:
                raise _no_name(word, words, role)
            name = free.pop(0)
        elif name in members:
            raise LineError(f'"{name}" is given twice', word.start)
        elif shape is not None and shape.is_closed and name not in known:
            raise LineError(f'there is no {role} "{name}": {shape.usage}', word.start)
        members[name] = _for_schema(word, known.get(name, {}))
    if shape is not None:
        _require_all(members, shape, role, len(text.rstrip()))
    return members


def _require_all(members: Mapping[str, Any], shape: Shape, role: str, end: int) -> None:
    for name in shape.required:
        if name not in members:
            raise LineError(f'the {role} "{name}" is missing: {shape.usage}', end)


def _no_name(word: Word, words: Sequence[Word], role: str) -> LineError:
    if len(words) > 1 and all(isinstance(each.value, str) for each in (word, words[1])):
        second = words[1] if word is words[0] else word
        hint = 'put a text with spaces into quotes: "a b"'
        return LineError(f'"{second.text}" belongs to no {role}; {hint}', second.start)
    return LineError(f'"{word.text}" belongs to no {role}; write {role}=value', word.start)


def _for_schema(word: Word, schema: Mapping[str, Any]) -> Any:
    is_bare = word.text[0] not in (*_STRUCTURED, "'")
    return word.text if is_bare and is_text(schema) else word.value
