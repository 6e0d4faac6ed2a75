"""An entry of a log."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal

from .history_step import to_datetime


@dataclass(frozen=True)
class LogEntry:
    """What a store has done, as its log has it; an element of log.entries."""

    number: int
    """The number of the last action or jump that it has: a store counts them from 1."""

    time: int
    """When it happened, in milliseconds since 1970."""

    kind: Literal["actions", "jump", "history", "options", "opened"]
    """Actions; an undo, redo or travel, or a rollback of optimistic updates; marks of groups and of
    what was saved; the options that hold for later entries; or, in a shared log, who its writer is.
    """

    content: Any
    """What the file has for its kind: a Value. None if it was redacted."""

    writer: int = 0
    """The number of the store that has written it; 0 if the log is not shared."""

    @property
    def actions(self) -> Sequence[Any]:
        """Its actions: one, or those of a batch. Empty for other kinds, and if it was redacted."""
        actions: Sequence[Any] = self.content if self.kind == "actions" else ()
        return () if actions is None else actions

    @property
    def redacted(self) -> bool:
        """Whether its content was replaced by log.redact."""
        return self.content is None

    @property
    def when(self) -> datetime:
        """When it happened, in UTC."""
        return to_datetime(self.time)


@dataclass(frozen=True)
class LogSnapshot:
    """The last state that a log has, as log.snapshot returns it."""

    state: Any
    """A Value, or None, a bool, an int, a float or a str."""

    number: int
    """The number of the commit that led to it."""

    time: int
    """When it was written, in milliseconds since 1970."""

    entries: int
    """How many entries follow."""

    last: int
    """The number of the last commit."""
