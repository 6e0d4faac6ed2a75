"""What can follow an unfinished line: types, members, selectors, paths and commands."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Callable

from .expression_context import Context, context_of, first_keys
from .lines import _TYPE_WITH_SLASH
from .values import is_array
from .vocabulary import Shape, Vocabulary, kind_of

# How many candidates of one kind are offered, so that a large state costs little.
_LIMIT = 200

FUNCTIONS = {
    "abs": "(number)",
    "avg": "(numbers)",
    "ceil": "(number)",
    "contains": "(where, what)",
    "ends_with": "(text, end)",
    "floor": "(number)",
    "get": "(where, key)",
    "join": "(separator, texts)",
    "keys": "(object)",
    "length": "(value)",
    "map": "(&expression, array)",
    "max": "(array)",
    "max_by": "(array, &expression)",
    "merge": "(objects…)",
    "min": "(array)",
    "min_by": "(array, &expression)",
    "not_null": "(values…)",
    "reverse": "(array)",
    "sort": "(array)",
    "sort_by": "(array, &expression)",
    "starts_with": "(text, start)",
    "sum": "(numbers)",
    "to_array": "(value)",
    "to_number": "(value)",
    "to_string": "(value)",
    "type": "(value)",
    "values": "(object)",
}
"""The functions of JMESPath, and their arguments."""


@dataclass(frozen=True)
class Candidate:
    """A text for the end of the line."""

    text: str
    start: int
    """Where the text begins, in the line."""
    meta: str = ""
    """What is shown beside it."""


@dataclass(frozen=True)
class Surroundings:
    """What completion knows."""

    vocabulary: Vocabulary
    state: Any
    commands: Mapping[str, tuple[str, str]]
    """The kind of argument and the summary of each command, by its name without the dot."""
    choices: Callable[[str], Iterable[tuple[str, str]]] = lambda kind: ()
    """Texts and descriptions for another kind of argument."""


_IDENTIFIER = re.compile(r"[A-Za-z_]\w*")
_JSON_TYPE = re.compile(r'\s*[\[{].*"type"\s*:\s*"([^"]*)$', re.DOTALL)
_JSON_MEMBER = re.compile(
    r'.*"type"\s*:\s*"([^"]*)".*"payload"\s*:\s*\{(?:[^{}]*,)?\s*"([^"]*)$', re.DOTALL
)
_COMMAND = re.compile(r"\s*\.(\w*)$")
_COMMAND_WITH_ARGUMENT = re.compile(r"\s*\.(\w+)\s+")
_FIRST_WORD = re.compile(r"\s*(\S+)\s+")
# The last word: spaces inside quotation marks belong to it.
_LAST_WORD = re.compile(r"""(?:[^\s"']|"(?:[^"\\]|\\.)*("|$)|'[^']*('|$))*$""")
_MEMBER = re.compile(r"([A-Za-z_][\w.-]*)=(.*)$", re.DOTALL)


def complete(text: str, around: Surroundings) -> Iterator[Candidate]:
    """What can follow the text, best first."""
    command = _COMMAND.fullmatch(text)
    if command is not None:
        names = ((f".{name}", meta) for name, (_, meta) in around.commands.items())
        yield from _matching(names, f".{command[1]}", len(text) - len(command[1]) - 1)
        return
    command = _COMMAND_WITH_ARGUMENT.match(text)
    if command is not None:
        kind, _ = around.commands.get(command[1], ("", ""))
        yield from _argument(kind, text, command.end(), around)
        return
    found = _JSON_MEMBER.fullmatch(text)
    if found is not None and found[1] in around.vocabulary.actions:
        members = around.vocabulary.actions[found[1]].members
        yield from _matching(_described(members), found[2], len(text) - len(found[2]))
        return
    found = _JSON_TYPE.fullmatch(text)
    if found is not None:
        yield from _matching(_named(around.vocabulary.actions), found[1], found.start(1))
        return
    if text.lstrip().startswith("/"):
        yield from _pointer(text.lstrip(), len(text) - len(text.lstrip()), around.state)
        return
    first = _FIRST_WORD.match(text)
    if first is not None:
        shape = around.vocabulary.actions.get(first[1])
        if shape is not None or _TYPE_WITH_SLASH.fullmatch(first[1]):
            yield from _members(text, first.end(), shape, around)
            return
    else:
        start = len(text) - len(text.lstrip())
        types = list(_matching(_named(around.vocabulary.actions), text[start:], start))
        yield from (each for each in types if each.text.startswith(text[start:]))
        yield from _expression(text, 0, around.state)
        yield from (each for each in types if not each.text.startswith(text[start:]))
        return
    yield from _expression(text, 0, around.state)


# ---- Commands ------------------------------------------------------------------------------------


def _argument(kind: str, text: str, start: int, around: Surroundings) -> Iterator[Candidate]:
    rest = text[start:]
    if kind == "expression":
        yield from _expression(rest, start, around.state)
    elif kind == "observable":
        yield from _matching(_named(around.vocabulary.selectors), rest, start)
        yield from _expression(rest, start, around.state)
    elif kind == "pointer":
        yield from _pointer(rest, start, around.state)
    elif kind == "selector":
        name = _FIRST_WORD.match(rest)
        if name is None:
            yield from _matching(_named(around.vocabulary.selectors), rest, start)
        else:
            shape = around.vocabulary.selectors.get(name[1])
            yield from _members(text, start + name.end(), shape, around)
    elif kind == "name":
        vocabulary = around.vocabulary
        names = [*_named(vocabulary.actions), *_named(vocabulary.selectors)]
        yield from _matching(names, rest, start)
    elif kind == "command":
        names = [(name, meta) for name, (_, meta) in around.commands.items()]
        yield from _matching(names, rest.lstrip("."), start + len(rest) - len(rest.lstrip(".")))
    elif kind:
        yield from _matching(around.choices(kind), rest, start)
        if kind in ("file", "store"):
            yield from _files(rest, start)


def _files(rest: str, start: int) -> Iterator[Candidate]:
    folder, name = os.path.split(rest)
    try:
        entries = sorted(os.scandir(os.path.expanduser(folder) or "."), key=lambda each: each.name)
    except OSError:
        return
    for entry in entries[:_LIMIT]:
        if entry.name.startswith(name) and (name or not entry.name.startswith(".")):
            path = os.path.join(folder, entry.name) + ("/" if entry.is_dir() else "")
            yield Candidate(path, start)


# ---- Members -------------------------------------------------------------------------------------


def _members(
    text: str, start: int, shape: Shape | None, around: Surroundings
) -> Iterator[Candidate]:
    """The members that an action or a selector takes, and their values."""
    if shape is None:
        return
    last = _LAST_WORD.search(text, start)
    begin = len(text) if last is None else max(last.start(), start)
    word, before = text[begin:], text[start:begin].split()
    given = {each.partition("=")[0] for each in before if "=" in each}
    count = sum("=" not in each for each in before)
    # What values without names are for depends on how many follow.
    orders = [shape.unnamed(total, given) for total in (count, count + 1, len(shape.members))]
    next_names = dict.fromkeys(order[count] for order in orders[1:] if len(order) > count)
    taken = set.intersection(*(set(order[:count]) for order in orders)) | given
    free = [name for name in shape.members if name not in taken]
    named = _MEMBER.match(word)
    if named is not None:
        schema = shape.members.get(named[1])
        if schema is not None:
            yield from _values(named[2], begin + named.start(2), schema, around)
        return
    for name in next_names:
        yield from _values(word, begin, shape.members[name], around)
    described = ((f"{name}=", _meta(shape.members[name])) for name in free)
    yield from _matching(described, word, begin)


def _values(
    text: str, start: int, schema: Mapping[str, Any], around: Surroundings
) -> Iterator[Candidate]:
    if schema.get("format") == "json-pointer":
        yield from _pointer(text, start, around.state)
        return
    choices = list(schema.get("enum", ()))
    if schema.get("type") == "boolean":
        choices = [False, True]
    plain = ((each if isinstance(each, str) else json.dumps(each), "") for each in choices)
    yield from _matching(plain, text, start)


# ---- Pointers and expressions --------------------------------------------------------------------


def _pointer(text: str, start: int, state: Any) -> Iterator[Candidate]:
    before, slash, step = text.rpartition("/")
    parent = state
    for each in before.split("/")[1:]:
        parent = _child(parent, each.replace("~1", "/").replace("~0", "~"))
    begin = start + len(before) + len(slash)
    steps: Iterable[tuple[str, Any]] = ()
    if isinstance(parent, Mapping):
        keys = first_keys([parent], _LIMIT, step.replace("~1", "/").replace("~0", "~"))
        steps = ((key.replace("~", "~0").replace("/", "~1"), parent[key]) for key in keys)
    elif is_array(parent):
        steps = ((str(index), parent[index]) for index in range(min(len(parent), _LIMIT)))
    prefix = slash or "/"
    for name, value in steps:
        if name.startswith(step):
            yield Candidate(prefix + name, begin - len(slash), summary(value))


def _child(parent: Any, step: str) -> Any:
    if isinstance(parent, Mapping):
        return parent.get(step, None)
    if is_array(parent) and step.isdecimal() and int(step) < len(parent):
        return parent[int(step)]
    return None


def _expression(text: str, start: int, state: Any) -> Iterator[Candidate]:
    context = context_of(text, state)
    if context is None:
        return
    begin = start + context.start
    prefix = context.unfinished.lstrip('"')
    for key in first_keys(context.samples, _LIMIT, prefix):
        is_plain = _IDENTIFIER.fullmatch(key) and not context.unfinished.startswith('"')
        quoted = key if is_plain else json.dumps(key, ensure_ascii=False)
        yield Candidate(quoted, begin, _member_summary(context, key))
    if not context.is_member and prefix:
        for name, arguments in FUNCTIONS.items():
            if name.startswith(prefix):
                yield Candidate(f"{name}(", begin, arguments)


def _member_summary(context: Context, key: str) -> str:
    first = next(each for each in context.samples if isinstance(each, Mapping) and key in each)
    return summary(first[key])


def summary(value: Any) -> str:
    """A value in a few characters."""
    if isinstance(value, Mapping):
        return "{…}" if value else "{}"
    if is_array(value):
        return f"[{len(value)}]"
    text = json.dumps(value[:24] if isinstance(value, str) else value, ensure_ascii=False)
    return text if len(text) <= 24 else text[:23] + "…"


# ---- Choosing ------------------------------------------------------------------------------------


def _matching(named: Iterable[tuple[str, str]], typed: str, start: int) -> Iterator[Candidate]:
    """The names that begin with what was typed, then those that contain it."""
    later = []
    for name, meta in named:
        if name.startswith(typed):
            yield Candidate(name, start, meta)
        elif len(typed) > 1 and typed.lower() in name.lower():
            later.append(Candidate(name, start, meta))
    yield from later


def _named(shapes: Mapping[str, Shape]) -> Iterable[tuple[str, str]]:
    return ((shape.name, shape.summary) for shape in shapes.values())


def _described(members: Mapping[str, Mapping[str, Any]]) -> Iterable[tuple[str, str]]:
    return ((name, _meta(schema)) for name, schema in members.items())


def _meta(schema: Mapping[str, Any]) -> str:
    description = schema.get("description", "")
    return f"{kind_of(schema)}: {description}" if description else kind_of(schema)
