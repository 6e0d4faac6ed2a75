"""What actions would do, without dispatching them."""

from __future__ import annotations

from typing import Any, Generic

from .._values.patch import Patch
from .base import State


class Preview(tuple[State, Patch], Generic[State]):
    """The state that actions would make, and the JSON Patch that leads there; from Store.preview.

        len(preview.state["todos"]), preview.patch[0]["path"]
        state, patch = preview
    """

    __slots__ = ()
    __match_args__ = ("state", "patch")

    def __new__(cls, state: State, patch: Patch) -> Preview[State]:
        return tuple.__new__(cls, (state, patch))

    @property
    def state(self) -> State:
        """The state after the actions."""
        return self[0]

    @property
    def patch(self) -> Patch:
        """The operations that turn the current state into it."""
        return self[1]

    def __getnewargs__(self) -> tuple[Any, Any]:
        return self[0], self[1]

    def __repr__(self) -> str:
        return f"Preview(state={self[0]!r}, patch={self[1]!r})"
