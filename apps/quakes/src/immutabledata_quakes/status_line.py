"""The status line: what is in progress, and what has failed."""

from __future__ import annotations

from typing import Any

from immutabledata_terminal import Status, StatusLine, printable
from textual.reactive import var

from .outcomes import Outcome
from .ranges import RANGES


class QuakesStatusLine(StatusLine):
    """Keeps the last failure of each kind until that kind succeeds, and shows the latest."""

    has_load_failed: var[bool] = var(False, bindings=True)
    """Whether the stored quakes could not be loaded."""

    def __init__(self) -> None:
        super().__init__()
        self.status = Status()
        self.range = "allDay"
        """The range of the last refresh."""
        self._is_loading = True
        self._deletions = 0
        self._failures: dict[str, str] = {}

    def on_mount(self) -> None:
        self.observe("selectQuakesStatus", self.show_status)
        self._listener = self.store.listener("data/persistentSession/*")(self.show_outcome)

    def on_unmount(self) -> None:
        super().on_unmount()
        self._listener.cancel()

    def begin_refresh(self, range: str) -> None:
        """Records the range of a refresh that is about to begin."""
        self.range = range
        self._is_loading = False

    def begin_deletion(self) -> None:
        """Counts a deletion that was dispatched; its outcome ends it."""
        self._deletions += 1
        self.show_message()

    def show_status(self, output: Any) -> None:
        self.status = Status.of(output)
        self.show_message()

    async def show_outcome(self, action: Any, old: Any, new: Any) -> None:
        """Shows the outcome of an effect, from the action that reports it."""
        outcome = Outcome.of(action)
        if outcome.notice:
            self.notify(printable(outcome.notice), severity="warning", markup=False)
        if outcome.kind == "delete":
            self._deletions -= 1
        self._failures.pop(outcome.kind, None)
        if outcome.failure:
            self._failures[outcome.kind] = printable(outcome.failure)
        self.has_load_failed = "load" in self._failures
        self.show_message()

    def message(self) -> tuple[str, str]:
        if self.status.is_waiting and self._is_loading:
            return "waiting", "Loading the stored quakes…"
        if self.status.is_waiting:
            return "waiting", f"Getting the quakes of {RANGES[self.range]}…"
        if self._deletions > 0:
            return "waiting", "Deleting…"
        if self._failures:
            return "failure", list(self._failures.values())[-1]
        return "ready", "Ready"
