"""The dialog in which a day is typed."""

from __future__ import annotations

from datetime import date
from typing import Optional

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Horizontal, Vertical
from textual.screen import ModalScreen
from textual.widgets import Button, Footer, Input, Static


class DayDialog(ModalScreen[Optional[date]]):
    """Asks for a day. The result is the day, or None if the user cancels."""

    BINDINGS = [Binding("escape", "dismiss(None)", "Cancel")]
    AUTO_FOCUS = "#day"

    def __init__(self, day: date) -> None:
        """day: the day that the field shows at first."""
        super().__init__()
        self.input = Input(day.isoformat(), id="day")
        self.message = Static("Year, month and day", id="message", markup=False)

    def compose(self) -> ComposeResult:
        with Vertical(classes="dialog") as dialog:
            dialog.border_title = "Show another day"
            yield self.input
            yield self.message
            with Horizontal(classes="buttons"):
                yield Button("Cancel", action="screen.dismiss(None)", id="cancel")
                yield Button("Show", action="screen.show", variant="primary", id="show")
        yield Footer()

    @on(Input.Submitted)
    def action_show(self) -> None:
        text = self.input.value.strip()
        try:
            self.dismiss(date.fromisoformat(text))
        except ValueError:
            self.message.update(f'"{text}" is not a day; type one such as 2026-11-22.')
            self.message.add_class("-failure")
