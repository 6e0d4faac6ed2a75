"""What the names at the end of an unfinished expression are members of."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

from .values import is_array

# How many elements of an array stand for all of them.
_SAMPLE = 20
# How many keys are searched.
_KEYS = 20_000

Samples = Sequence[Any]
"""Values that an expression may be evaluated for; for a projection, some of its elements."""

_TOKEN = re.compile(
    r"""
    (?P<space>\s+)
  | (?P<text>'(?:[^'\\]|\\.)*' | `(?:[^`\\]|\\.)*` | \$\w+ | -?\d[\d.eE+-]*)
  | (?P<name>[A-Za-z_]\w*)
  | (?P<quoted>"(?:[^"\\]|\\.)*")
  | (?P<flatten>\[\s*\] | \[\s*\*\s*\] | \[[-\d\s]*:[-\d\s:]*\])
  | (?P<index>\[\s*-?\d+\s*\])
  | (?P<filter>\[\?)
  | (?P<list>\[)
  | (?P<star>\*)
  | (?P<operator>\|\| | && | [<>=!]=? | , | : | =)
  | (?P<mark>[|.&@(){\]}])
    """,
    re.VERBOSE,
)


@dataclass
class _Frame:
    """An expression inside brackets, or the whole one."""

    context: Samples
    """What its names are members of."""
    result: Samples | None = None
    """What the expression before the cursor yields; None: nothing was written yet."""
    outer: Samples = ()
    """What the expression around it yields when the bracket is closed."""
    function: str = ""
    """The function whose arguments these are."""
    name: str = ""
    """The last token, if it is a name."""
    argument: Samples = ()
    """The first argument of the function."""
    is_first: bool = True


@dataclass(frozen=True)
class Context:
    """Where a name at the end of an expression belongs."""

    samples: Samples
    """It is a member of these."""
    start: int
    """Where it begins."""
    is_member: bool = False
    """Whether it follows a dot, so that it is no function."""
    unfinished: str = ""
    """What was typed of it, maybe with a quotation mark at its beginning."""


def context_of(expression: str, state: Any) -> Context | None:
    """Where the name at the end of an expression belongs; None inside a text or after garbage."""
    frames = [_Frame([state])]
    after_dot = False
    start, end = 0, len(expression)
    while start < end:
        token = _TOKEN.match(expression, start)
        if token is None and expression[start] == '"':
            break
        if token is None:
            return None
        kind, text = str(token.lastgroup), token[0]
        if token.end() == end and kind == "name":
            break
        start = token.end()
        if kind == "space":
            continue
        _read(frames, kind, text, after_dot)
        after_dot = text == "."
    frame = frames[-1]
    if frame.result is not None and not after_dot:
        return None  # An operator must come first.
    samples = (frame.result or ()) if after_dot else frame.context
    return Context(samples, start, after_dot, expression[start:])


def _read(frames: list[_Frame], kind: str, text: str, after_dot: bool) -> None:
    frame = frames[-1]
    current = frame.context if frame.result is None else frame.result
    name, frame.name = frame.name, ""
    if kind in ("name", "quoted"):
        frame.name = text if kind == "name" else text[1:-1]
        frame.result = members(current if after_dot else frame.context, frame.name)
    elif kind in ("flatten", "index"):
        frame.result = elements(current)
    elif kind == "star":
        frame.result = values(current)
    elif kind == "filter":
        inside = elements(current)
        frames.append(_Frame(inside, outer=inside))
    elif kind == "list" or text == "{":
        frames.append(_Frame(current))
    elif text == "(":
        frames.append(_Frame(frame.context, function=name))
    elif text in (")", "]", "}"):
        _close(frames, text)
    elif text == "&":
        frame.context = elements(frame.argument)
        frame.result = None
    elif text == "|":
        frame.context, frame.result = current, None
    elif text == "@":
        frame.result = frame.context
    elif text == ",":
        if frame.is_first:
            frame.argument, frame.is_first = frame.result or (), False
        frame.result = None
    elif kind == "operator":
        frame.result = None
    elif kind == "text":
        frame.result = ()


def _close(frames: list[_Frame], text: str) -> None:
    if len(frames) == 1:
        frames[0].result = ()
        return
    inner = frames.pop()
    first = inner.argument if not inner.is_first else inner.result or ()
    if text == ")":
        frames[-1].result = _output(inner.function, first)
    else:
        frames[-1].result = inner.outer


def _output(function: str, first: Samples) -> Samples:
    """What a function yields for its first argument, as far as it has members."""
    if function in ("sort_by", "reverse", "sort", "not_null", "to_array", ""):
        return first
    if function in ("max_by", "min_by"):
        return elements(first)
    if function == "values":
        return [values(first)]
    return ()


def members(samples: Samples, name: str) -> Samples:
    return [each[name] for each in samples if isinstance(each, Mapping) and name in each]


def elements(samples: Samples) -> Samples:
    found: list[Any] = []
    for each in samples:
        if is_array(each):
            found.extend(each[:_SAMPLE])
        if len(found) >= _SAMPLE:
            break
    return found[:_SAMPLE]


def values(samples: Samples) -> Samples:
    found: list[Any] = []
    for each in samples:
        if isinstance(each, Mapping):
            found.extend(each[key] for key in first_keys([each], _SAMPLE))
    return found[:_SAMPLE]


def first_keys(samples: Iterable[Any], limit: int, prefix: str = "") -> list[str]:
    """The first keys of objects that begin with a prefix, in their order, each once.

    It reads so many keys at most that nobody notices.
    """
    all_keys = (key for each in samples if isinstance(each, Mapping) for key in each)
    found: dict[str, None] = {}
    for key in islice(all_keys, _KEYS):
        if key.startswith(prefix):
            found[key] = None
            if len(found) >= limit:
                break
    return list(found)
