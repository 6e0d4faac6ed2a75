"""Commands that follow the store: .observe, .unobserve and .trace."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from .arguments import numbers
from .following import TRACES, Observed
from .results import Note, Result, Rows
from .session import Session
from .values import is_array
from .words import LineError, parse_words, to_members


def observe(session: Session, text: str, start: int) -> Result | None:
    rest = text[start:].strip()
    if not rest:
        rows = [{"number": number, "observed": each} for number, each in session.following.listed()]
        return Rows(["number", "observed"], rows) if rows else Note("nothing is observed")
    observed = Observed(rest, rest)
    first = rest.split()[0]
    shape = session.vocabulary.selectors.get(first)
    if shape is not None:
        arguments = to_members(text, parse_words(text, start + len(first)), shape, "argument")
        observed = Observed(rest, first, is_expression=False, arguments=arguments)
    elif rest.startswith("/"):
        observed = Observed(rest, to_expression(rest, session.store.state))
    session.following.observe(observed)
    return None


def to_expression(pointer: str, state: Any) -> str:
    """The expression for what is at a JSON Pointer in a state."""
    expression = "@"
    part: Any = state
    for step in pointer.split("/")[1:]:
        key = step.replace("~1", "/").replace("~0", "~")
        if is_array(part) and key.isdecimal():
            expression += f"[{key}]"
            part = part[int(key)] if int(key) < len(part) else None
        else:
            expression += f".{json.dumps(key, ensure_ascii=False)}"
            part = part[key] if isinstance(part, Mapping) and key in part else None
    return expression


def unobserve(session: Session, text: str, start: int) -> Result | None:
    given = numbers(text, start, 1)
    listed = [number for number, _ in session.following.listed()]
    if given and given[0] not in listed:
        raise LineError(f"there is no observation {given[0]}; .observe lists all", start)
    for number in given or listed:
        session.following.cancel(number)
    return None


def trace(session: Session, text: str, start: int) -> Result | None:
    kind = text[start:].strip() or ("off" if session.following.is_traced else "on")
    if kind != "off" and kind not in TRACES:
        raise LineError(f'"{kind}" is none of: {", ".join([*TRACES, "off"])}', start)
    session.following.trace(TRACES.get(kind, ()))
    return Note("the trace is off" if kind == "off" else "the trace is on; .trace off ends it")
