"""A modal dialog that asks for confirmation."""

from __future__ import annotations

from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Horizontal, Vertical
from textual.screen import ModalScreen
from textual.widgets import Button, Footer, Label


class Confirmation(ModalScreen[bool]):
    """Asks whether to perform a command. The result is whether the user confirmed."""

    BINDINGS = [
        Binding("y", "dismiss(True)", "Confirm"),
        Binding("n,escape", "dismiss(False)", "Cancel", key_display="n"),
        Binding("left,up", "app.focus_previous", show=False),
        Binding("right,down", "app.focus_next", show=False),
    ]
    AUTO_FOCUS = "#cancel"

    def __init__(self, title: str, question: str, command: str) -> None:
        """command: the label of the button that confirms."""
        super().__init__()
        self._title = title
        self.question = Label(question, id="question", markup=False)
        self.confirm_button = Button(
            command, action="screen.dismiss(True)", variant="error", id="confirm"
        )

    def compose(self) -> ComposeResult:
        with Vertical(classes="dialog") as dialog:
            dialog.border_title = self._title
            yield self.question
            with Horizontal(classes="buttons"):
                yield Button("Cancel", action="screen.dismiss(False)", id="cancel")
                yield self.confirm_button
        yield Footer()
