"""The steps of a history."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta, timezone
from typing import Any

from .._values.patch import Patch

_EPOCH = datetime(1970, 1, 1, tzinfo=timezone.utc)


@dataclass(frozen=True)
class HistoryStep:
    """One or more actions that are undone together; an element of Store.history."""

    number: int
    """The number of its first action, for Store.travel: a store counts its actions and jumps."""

    time: int
    """When its first action was dispatched, in milliseconds since 1970, as actions have times."""

    type: str
    """The type of its first action."""

    count: int
    """The number of its actions."""

    undone: bool
    """Whether it has been undone, and can be redone."""

    actions: Sequence[Any] | None = None
    """Its actions, an ArrayValue of ObjectValues; None unless History.read was asked for them."""

    patch: Patch | None = None
    """What it changed in the state; None unless History.read was asked for it."""

    @property
    def when(self) -> datetime:
        """When its first action was dispatched, in UTC."""
        return _EPOCH + timedelta(milliseconds=self.time)
