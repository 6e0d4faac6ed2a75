"""The steps of a history, and the changes that it finds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta, timezone
from typing import Any, Literal

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
        return to_datetime(self.time)


@dataclass(frozen=True)
class HistoryChange:
    """What an action changed at a path of the state; an element of what Store.blame returns."""

    number: int
    """The number of the action: a store counts its actions and jumps."""

    step: int
    """The number of the step that it belongs to, as for Store.travel."""

    time: int
    """When it was dispatched, in milliseconds since 1970."""

    type: str
    """Its type."""

    op: Literal["add", "replace", "remove"]
    """Whether the state had no value there before, or none afterwards."""

    before: Any
    """The value before: a Value or a scalar. None for "add"."""

    after: Any
    """The value afterwards. None for "remove"."""

    writer: int = 0
    """The number of the store that dispatched the action to a shared log; 0 in another one."""

    @property
    def when(self) -> datetime:
        """When it was dispatched, in UTC."""
        return to_datetime(self.time)


def to_datetime(milliseconds: int) -> datetime:
    return _EPOCH + timedelta(milliseconds=milliseconds)
