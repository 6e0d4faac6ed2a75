"""What a line yields, before it is shown."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Union

UNKNOWN: Any = object()
"""For a state that is not known; None is a state."""


@dataclass(frozen=True)
class Shown:
    """A value: a state, an output."""

    data: Any


@dataclass(frozen=True)
class Typed:
    """An action, shown as it can be typed."""

    type: str
    payload: Any
    has_payload: bool = True
    names: Sequence[str] = ()
    """The members whose values need no names, in their order."""


@dataclass(frozen=True)
class Changed:
    """A value before and after an action."""

    op: str
    before: Any
    after: Any


@dataclass(frozen=True)
class Rows:
    """Objects with the same members."""

    columns: Sequence[str]
    rows: Sequence[Mapping[str, Any]]
    note: str = ""
    """What a terminal shows after them."""
    has_head: bool = True
    """Whether the names of the columns are shown."""
    wraps: bool = False
    """Whether the last column has sentences, which are wrapped and not cut."""
    members: Sequence[str] = ()
    """What a pipe gets, if that is not what the columns have."""


@dataclass(frozen=True)
class Changes:
    """A JSON Patch."""

    patch: Sequence[Mapping[str, Any]]
    before: Any = UNKNOWN
    """What it changes."""
    is_answer: bool = True
    """Whether it was asked for. A pipe gets no changes of actions."""


@dataclass(frozen=True)
class Prose:
    """Text for people and for pipes, such as help."""

    text: str


@dataclass(frozen=True)
class Note:
    """What has happened, for a terminal only."""

    text: str


@dataclass(frozen=True)
class Traced:
    """A line of a trace, see Store.set_trace."""

    line: Mapping[str, Any]


Result = Union[Shown, Rows, Changes, Prose, Note, Traced]
