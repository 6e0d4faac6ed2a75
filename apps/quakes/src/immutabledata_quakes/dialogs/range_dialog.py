"""The dialog in which the range of the feed is chosen."""

from __future__ import annotations

from typing import Optional

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Vertical
from textual.screen import ModalScreen
from textual.widgets import Footer, OptionList
from textual.widgets.option_list import Option

from ..ranges import RANGES


class RangeDialog(ModalScreen[Optional[str]]):
    """Asks which quakes to get. The result is a range of the feed, or None if the user cancels."""

    BINDINGS = [
        Binding("escape", "dismiss(None)", "Cancel"),
        Binding("h", "dismiss('allHour')", show=False),
        Binding("d", "dismiss('allDay')", show=False),
        Binding("w", "dismiss('allWeek')", show=False),
        Binding("m", "dismiss('allMonth')", show=False),
    ]

    def __init__(self, selected: str) -> None:
        """selected: the range at the cursor."""
        super().__init__()
        options = [Option(title.capitalize(), id=name) for name, title in RANGES.items()]
        self.list = OptionList(*options, compact=True)
        self.list.highlighted = list(RANGES).index(selected)

    def compose(self) -> ComposeResult:
        with Vertical(classes="dialog") as dialog:
            dialog.border_title = "Get the quakes of"
            yield self.list
        yield Footer()

    @on(OptionList.OptionSelected)
    def choose(self, event: OptionList.OptionSelected) -> None:
        self.dismiss(event.option_id)
