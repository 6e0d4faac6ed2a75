"""The dialog that edits a card, or the title of a column."""

from __future__ import annotations

from typing import Optional

from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Horizontal, Vertical
from textual.screen import ModalScreen
from textual.widgets import Button, Footer, Input, TextArea

from .reducer import MAX_NOTES, MAX_TITLE
from .texts import Texts


class Editor(ModalScreen[Optional[Texts]]):
    """The result is the texts, or None if the user cancels."""

    BINDINGS = [
        Binding("ctrl+s", "save", "Save"),
        Binding("escape", "dismiss(None)", "Cancel"),
    ]
    AUTO_FOCUS = "Input"

    def __init__(self, heading: str, texts: Texts, has_notes: bool) -> None:
        super().__init__()
        self._heading = heading
        self.title_input = Input(
            texts.title, placeholder="Title", max_length=MAX_TITLE, select_on_focus=False
        )
        self.notes = TextArea(texts.notes, tab_behavior="focus", placeholder="Notes")
        self._has_notes = has_notes

    def compose(self) -> ComposeResult:
        with Vertical(classes="dialog") as dialog:
            dialog.border_title = self._heading
            yield self.title_input
            if self._has_notes:
                yield self.notes
            with Horizontal(classes="buttons"):
                yield Button("Cancel", action="screen.dismiss(None)")
                yield Button("Save", action="screen.save", variant="primary", id="save")
        yield Footer()

    def on_input_submitted(self) -> None:
        self.action_save()

    def action_save(self) -> None:
        title, notes = self.title_input.value.strip(), self.notes.text.rstrip()
        if not title:
            self.notify("A title must not be empty.", severity="warning")
        elif len(notes) > MAX_NOTES:
            self.notify(f"Notes have at most {MAX_NOTES:,} characters.", severity="warning")
        else:
            self.dismiss(Texts(title, notes))
