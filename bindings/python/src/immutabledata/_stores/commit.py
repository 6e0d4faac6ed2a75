"""The commits that a stream delivers."""

from __future__ import annotations

from typing import Any, Generic

from .base import State


class Commit(tuple[Any, State, State], Generic[State]):
    """An action, and the states before and after it; delivered by a Stream.

        commit.action["type"], commit.old["n"], commit.new["n"]
        action, old, new = commit

    It belongs to the program: it stays readable after its store was closed.
    """

    __slots__ = ()
    __match_args__ = ("action", "old", "new")

    def __new__(cls, action: Any, old: State, new: State) -> Commit[State]:
        return tuple.__new__(cls, (action, old, new))

    @property
    def action(self) -> Any:
        """The action: an ObjectValue."""
        return self[0]

    @property
    def old(self) -> State:
        """The state before the action."""
        return self[1]

    @property
    def new(self) -> State:
        """The state after the action."""
        return self[2]

    def __getnewargs__(self) -> tuple[Any, State, State]:
        return self[0], self[1], self[2]

    def __repr__(self) -> str:
        return f"Commit(action={self[0]!r}, old={self[1]!r}, new={self[2]!r})"
