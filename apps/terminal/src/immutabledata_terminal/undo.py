"""Undo where the truth is outside the store, for example in a database.

To show an old state would not change the database. So a change is taken back by a new action, its
reverse, which has effects as any other action.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from textual.binding import Binding

Action = dict[str, Any]

_GROUP = Binding.Group("Undo", compact=True)
UNDO_BINDINGS = [
    Binding("u,ctrl+z", "undo", "Undo", key_display="u", group=_GROUP),
    Binding("U,ctrl+y", "redo", "Redo", key_display="U", group=_GROUP),
]
"""The keys of a screen with the actions undo and redo."""


class Step(NamedTuple):
    """What the user did, and the action that takes it back."""

    key: str
    """Names the change that the action makes, among those whose outcome is awaited."""
    action: Action
    replaces: str = ""
    """The id of the record that the action adds again, with another id."""


class UndoList:
    """The steps that can be undone and redone.

    An application records each change when it has succeeded. undo and redo return the action to
    dispatch. Its success is recorded in the same way: the reverse of an undo is what redo takes,
    and the other way around. While the outcome of one is awaited, no other begins.
    """

    def __init__(self) -> None:
        self._past: list[Step] = []
        self._future: list[Step] = []
        self._begun: tuple[Step, list[Step], list[Step]] | None = None
        """The step that is being undone or redone, its list, and the list for its reverse."""

    @property
    def can_undo(self) -> bool:
        return self._begun is None and bool(self._past)

    @property
    def can_redo(self) -> bool:
        return self._begun is None and bool(self._future)

    def undo(self) -> Step | None:
        """The step whose action takes the last change back; None if there is none."""
        return self._begin(self._past, self._future)

    def redo(self) -> Step | None:
        """The step whose action makes the change again that was undone last; None if none was."""
        return self._begin(self._future, self._past)

    def _begin(self, source: list[Step], target: list[Step]) -> Step | None:
        if self._begun is not None or not source:
            return None
        step = source.pop()
        self._begun = (step, source, target)
        return step

    def succeeded(self, key: str, reverse: Step) -> None:
        """Records a change that succeeded, and its reverse. A new change drops what was undone."""
        begun = self._end(key)
        if begun is None:
            self._future.clear()
            self._past.append(reverse)
        else:
            begun[2].append(reverse)

    def failed(self, key: str) -> None:
        """Records that a change failed. An undo or a redo can then be tried again."""
        begun = self._end(key)
        if begun is not None:
            begun[1].append(begun[0])

    def rejected(self) -> None:
        """Drops the step that was begun: its action was rejected."""
        self._begun = None

    def begun(self, key: str) -> Step | None:
        """The step that is being undone or redone, if it has this key."""
        return self._begun[0] if self._begun is not None and self._begun[0].key == key else None

    def _end(self, key: str) -> tuple[Step, list[Step], list[Step]] | None:
        if self.begun(key) is None:
            return None
        begun, self._begun = self._begun, None
        return begun

    def rename(self, name: str, old: str, new: str) -> None:
        """Replaces the id of a record: that of the member name of payloads."""
        for steps in (self._past, self._future):
            for index, step in enumerate(steps):
                payload = step.action.get("payload", {})
                if payload.get(name) == old:
                    action = {**step.action, "payload": {**payload, name: new}}
                    steps[index] = step._replace(key=new, action=action)

    def clear(self) -> None:
        """Drops all steps: the records were replaced."""
        self._past.clear()
        self._future.clear()
        self._begun = None
