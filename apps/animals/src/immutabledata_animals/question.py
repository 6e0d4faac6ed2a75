"""A modal yes-or-no question."""

from __future__ import annotations

from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Horizontal, Vertical
from textual.screen import ModalScreen
from textual.widgets import Button, Footer, Label


class Question(ModalScreen[bool]):
    """Asks for confirmation. The result is whether the user confirmed."""

    BINDINGS = [
        Binding("y", "dismiss(True)", "Yes"),
        Binding("n,escape", "dismiss(False)", "No", key_display="n"),
        Binding("left,up", "app.focus_previous", show=False),
        Binding("right,down", "app.focus_next", show=False),
    ]
    AUTO_FOCUS = "#no"

    def __init__(self, title: str, text: str, yes: str) -> None:
        super().__init__()
        self._title = title
        self._text = text
        self._yes = yes

    def compose(self) -> ComposeResult:
        with Vertical(classes="dialog") as dialog:
            dialog.border_title = self._title
            yield Label(self._text, markup=False)
            with Horizontal(classes="buttons"):
                yield Button("Cancel", action="screen.dismiss(False)", id="no")
                yield Button(self._yes, action="screen.dismiss(True)", variant="error", id="yes")
        yield Footer()
