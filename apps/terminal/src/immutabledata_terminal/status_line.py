"""The line that says what is in progress and what has failed."""

from __future__ import annotations

from textual.content import Content
from textual.widgets import Static

from .store_widget import StoreWidget


class StatusLine(Static, StoreWidget):
    """Shows one message, in the color of its kind."""

    def __init__(self) -> None:
        super().__init__(id="status")

    def message(self) -> tuple[str, str]:
        """The kind of the message ("waiting", "failure" or "ready"), and its text."""
        raise NotImplementedError

    def show_message(self) -> None:
        """Shows the current message."""
        kind, text = self.message()
        self.set_classes(f"-{kind}")
        self.update(Content(text))
