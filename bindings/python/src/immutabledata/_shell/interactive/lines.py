"""What a line is: a command, an action, several actions, a pointer or an expression."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Union

import immutabledata as imd

from .vocabulary import Shape, Vocabulary
from .words import LineError, has_members, parse_words, to_members


@dataclass(frozen=True)
class CommandLine:
    """A line that begins with a dot."""

    name: str
    """Without the dot."""

    start: int
    """Where what follows the name begins."""


@dataclass(frozen=True)
class ActionLine:
    """An action, or a batch of actions that are dispatched together."""

    actions: Sequence[Any]
    is_batch: bool = False


@dataclass(frozen=True)
class PointerLine:
    """A JSON Pointer into the state."""

    pointer: str


@dataclass(frozen=True)
class ExpressionLine:
    """A JMESPath expression over the state."""

    expression: str


Line = Union[CommandLine, ActionLine, PointerLine, ExpressionLine]

_WORD = re.compile(r"\S+")
_COMMAND = re.compile(r"\.([A-Za-z]\w*)?\s*")
# The type of an action, unless it can be an expression.
_TYPE = re.compile(r"[\w@$#:-][\w@$#:.-]*")
_TYPE_WITH_SLASH = re.compile(r"[\w@$#:-][\w@$#:.-]*(/[\w@$#:.-]+)+")
_LIKE_ACTION = re.compile(r'\{\s*"[^"]*"\s*:')
_LIKE_BATCH = re.compile(r'\[\s*\{\s*"')


def split_lines(text: str) -> list[str]:
    """The lines of a text that was given as a whole. JSON may have several lines."""
    return [text] if text.lstrip()[:1] in ("{", "[") else text.split("\n")


def parse_line(text: str, vocabulary: Vocabulary) -> Line | None:
    """Parses a line; None if it is empty or a comment, which begins with "#" or "--".

    Raises LineError: it is none of these.
    """
    if not text.strip() or text.lstrip().startswith(("#", "--")):
        return None
    start = len(text) - len(text.lstrip())
    if text[start] == ".":
        command = _COMMAND.match(text, start)
        if command is None or command[1] is None:
            raise LineError("the name of a command is missing; .help lists all", start + 1)
        return CommandLine(command[1], command.end())
    if text[start] in "{[":
        action = _json_line(text.strip(), start)
        if action is not None:
            return action
    if text[start] == "/":
        return PointerLine(text.strip())
    return _typed(text, start, vocabulary) or ExpressionLine(text.strip())


def _json_line(text: str, start: int) -> ActionLine | None:
    """The actions that a text of JSON is; None if it is rather an expression."""
    try:
        data = imd.from_json(text)
    except imd.InvalidJSONError as error:
        if _LIKE_ACTION.match(text) or _LIKE_BATCH.match(text):
            message = error.message.partition("; write JSON")[0]
            raise LineError(message, start + _offset(text, error.line, error.column)) from None
        return None
    if isinstance(data, Mapping):
        if "type" not in data:
            raise LineError('an action needs a member "type": {"type": "added"}', start)
        return ActionLine([data])
    if data and all(isinstance(each, Mapping) and "type" in each for each in data):
        return ActionLine(data, is_batch=True)
    return None


def _offset(text: str, line: int, column: int) -> int:
    """The index of the character with a line and a column, which begin with 1."""
    before = text.split("\n")[: line - 1]
    return sum(len(each) + 1 for each in before) + max(column - 1, 0)


def _typed(text: str, start: int, vocabulary: Vocabulary) -> ActionLine | None:
    """The action of a line such as: added title=Write done=false."""
    word = _WORD.match(text, start)
    assert word is not None
    kind = word[0]
    shape = vocabulary.actions.get(kind)
    is_type = shape is not None or _TYPE_WITH_SLASH.fullmatch(kind)
    if not is_type and not (_TYPE.fullmatch(kind) and has_members(text, word.end())):
        return None
    words = parse_words(text, word.end())
    if not words and (shape is None or not shape.required):
        return ActionLine([{"type": kind}])
    if len(words) == 1 and words[0].name is None and _is_payload(words[0].value, shape):
        return ActionLine([{"type": kind, "payload": words[0].value}])
    payload = to_members(text, words, shape, "member")
    return ActionLine([{"type": kind, "payload": payload}])


def _is_payload(value: Any, shape: Shape | None) -> bool:
    """Whether a value without a name is the whole payload, not the first member of it."""
    if shape is None or shape.is_seen or not shape.members:
        return True
    return isinstance(value, Mapping) and all(name in shape.members for name in value)
