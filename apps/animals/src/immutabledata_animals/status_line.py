"""The status line: fetches and changes in progress, failures, and the connection."""

from __future__ import annotations

from typing import Any

from immutabledata_terminal import Status, StatusLine
from textual.reactive import var

from .connection import Connection


class AnimalsStatusLine(StatusLine):
    """Shows the status of the connection, of fetches, and of the selected animal."""

    animal_id: var[str | None] = var(None)
    has_fetch_failed: var[bool] = var(False, bindings=True)

    def __init__(self, attempts: dict[str, str]) -> None:
        """attempts: what was last attempted with each animal."""
        super().__init__()
        self.attempts = attempts
        self.fetches = {"categories": Status(), "animals": Status()}
        self.change = Status()
        self.connection = Connection()

    def on_mount(self) -> None:
        self.observe("selectConnection", self.show_connection)
        self.observe("selectCategoriesStatus", self.show_categories)
        self.observe("selectAnimalsStatus", self.show_animals)

    def watch_animal_id(self, animal_id: str | None) -> None:
        self.observe("selectAnimalStatus", self.show_change, animalId=animal_id)

    def show_connection(self, output: Any) -> None:
        was_lost = self.connection.is_lost
        self.connection = Connection.of(output)
        if was_lost and not self.connection.is_lost and self.change.has_failed:
            # The failure was shown as a notification too, and may be out of date.
            self.change = Status()
        self._show()

    def show_categories(self, output: Any) -> None:
        self.fetches["categories"] = Status.of(output)
        self._show()

    def show_animals(self, output: Any) -> None:
        self.fetches["animals"] = Status.of(output)
        self._show()

    def show_change(self, output: Any) -> None:
        self.change = Status.of(output)
        self._show()

    def _show(self) -> None:
        self.show_message()
        self.has_fetch_failed = any(status.has_failed for status in self.fetches.values())

    @property
    def _attempt(self) -> str:
        return self.attempts.get(self.animal_id or "", "saved")

    def message(self) -> tuple[str, str]:
        if self.connection.is_lost:
            return "failure", self.connection.message
        waiting = [name for name, status in self.fetches.items() if status.is_waiting]
        if waiting:
            return "waiting", f"Waiting for the {' and the '.join(waiting)}…"
        for name, status in self.fetches.items():
            if status.has_failed:
                return "failure", f"Couldn't load {name}: {status.error}. Press r to try again."
        if self.change.is_waiting:
            return "waiting", f"Waiting until this animal is {self._attempt}…"
        if self.change.has_failed:
            error = self.change.error
            return "failure", f"This animal was not {self._attempt}: {error}. Try again."
        if self.connection.is_connecting:
            return "waiting", "Connecting to the server…"
        return "ready", "Ready"
