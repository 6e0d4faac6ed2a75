"""The commits of a log, with the states between them, as far as they can be made."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import immutabledata as imd

from .database import Row
from .record import row_of
from .text import own

_REDACTED = {"type": "(redacted)"}


def commits_of(entry: Any, before: int) -> list[dict[str, Any]]:
    """The commits that an entry has, without patches, as the protocol describes them.

    before: the number of the last commit before it.
    """
    common = {"time": entry.time}
    if entry.writer:
        common["writer"] = entry.writer
    if entry.kind == "jump":
        jump = own(entry.content) or {}
        payload = {"number": jump.get("number")}
        action = {"type": f"@@history/{jump.get('kind')}", "payload": payload}
        return [{**common, "commit": entry.number, "action": action}]
    if entry.kind != "actions":
        return []
    actions: Sequence[Any] = own(entry.actions)
    if entry.redacted:
        actions = [_REDACTED] * max(entry.number - before, 1)
    first = entry.number - len(actions) + 1
    commits = [
        {**common, "commit": number, "action": action}
        for number, action in enumerate(actions, first)
    ]
    for commit in commits[:-1]:
        commit["batch"] = True
    return commits


class Replay:
    """A store in memory that does what a log says it has done.

    It has a history if the store of the log has one; the steps have the same numbers.
    """

    def __init__(
        self, reducer: Any, history: Any, number: int, state: Any, state_at: Callable[[int], Any]
    ) -> None:
        """number, state: the last commit before those that are repeated, and the state after it.

        state_at: returns the state after a commit, with all effort.
        """
        self._reducer = reducer
        self._history = history or None
        self._state_at = state_at
        self.problem: str | None = None
        """Why nothing more is repeated."""
        self.has_jumped = False
        self._begin(number, state)

    def _begin(self, number: int, state: Any) -> None:
        self._first = self.last = number
        # Not to be inspected itself, whatever the environment says.
        self._store = imd.Store(self._reducer, state, history=self._history, inspect=False)
        self.state = self._store.state

    def close(self) -> None:
        self._store.close()

    def describe(self) -> dict[str, Any]:
        described: dict[str, Any] = self._store.describe()
        return described

    def rows(self, entry: Any, commits: Sequence[dict[str, Any]]) -> Iterator[Row]:
        """The commits of an entry, with their patches."""
        if self.problem is None:
            states = self._repeat(entry)
            if len(states) == len(commits):
                for commit, after in zip(commits, states):
                    yield row_of({**commit, **self._patch(after)})
                    self.state = after
                self.last = entry.number
                return
        for commit in commits:
            yield row_of({**commit, "problem": self.problem})

    def _repeat(self, entry: Any) -> list[Any]:
        """The state after each commit of an entry; none if it cannot be repeated."""
        if entry.redacted:
            self.problem = "the log no longer has the action"
            return []
        try:
            if entry.kind == "jump":
                self.has_jumped = True
                return [self._jump(entry)]
            return self._dispatch(entry.actions)
        except Exception as error:  # A reducer may raise anything.
            reason = f"{type(error).__name__}: {error}"
            self.problem = f"commit {entry.number} cannot be repeated: {reason}"
            return []

    def _dispatch(self, actions: Sequence[Any]) -> list[Any]:
        if len(actions) == 1:
            self._store.dispatch(actions[0])
            return [self._store.state]
        # A batch is one step of the history.
        with self._store.stream(capacity=max(len(actions), 1)) as stream:
            self._store.dispatch_batch(actions)
            return [stream.next(0).new for _ in actions]

    def _jump(self, entry: Any) -> Any:
        step = entry.content["number"] - self._first
        if self._history is not None and step >= 0 and entry.content["kind"] in _STEPS:
            try:
                self._store.travel(step)
                return self._store.state
            except imd.NotFoundError:
                pass  # The step is older than what is repeated.
        state = self._state_at(entry.number)
        self._store.close()
        before = self.state
        self._begin(entry.number, state)
        self.state = before
        return self._store.state

    def _patch(self, after: Any) -> dict[str, Any]:
        before = self.state
        if not isinstance(before, imd.Value) or not isinstance(after, imd.Value):
            return {"patch": [{"op": "replace", "path": "", "value": after}]}
        other: Any = after
        try:
            return {"patch": before.diff(other)}
        except imd.LimitError as error:
            return {"problem": str(error)}


_STEPS = ("undone", "redone", "traveled")
