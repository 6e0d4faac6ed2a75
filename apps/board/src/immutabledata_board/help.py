"""The list of keys."""

from __future__ import annotations

from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import VerticalScroll
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Footer, Static

KEYS = {
    "←↓↑→ hjkl": "go to a card",
    "shift+←↓↑→ HJKL": "move the card, as a drag does",
    "home end": "go to the first or last card",
    "n": "add a card below it",
    "enter": "edit it, as a double click does",
    "d": "delete it",
    "c r D": "add, rename, delete a column",
    "/": "search; esc shows all cards",
    "u U": "undo, redo; also ctrl+z, ctrl+y",
    "q": "quit",
}


class Help(ModalScreen[None]):
    BINDINGS = [Binding("escape,question_mark,q,enter", "dismiss", "Close", key_display="esc")]

    def compose(self) -> ComposeResult:
        with VerticalScroll(classes="dialog") as dialog:
            dialog.border_title = "Keys"
            width = max(map(len, KEYS))
            lines = (Content.assemble((k.ljust(width), "bold"), "  ", v) for k, v in KEYS.items())
            yield Static(Content("\n").join(lines))
        yield Footer()
