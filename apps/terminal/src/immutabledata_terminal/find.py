"""The input with the text to find in a list."""

from __future__ import annotations

from typing import Callable

from textual.binding import Binding
from textual.widget import Widget
from textual.widgets import Input


class Find(Input):
    """Finds as you type. The arrow keys move the cursor of the list meanwhile."""

    BINDINGS = [
        Binding("up", "move(-1)", show=False),
        Binding("down", "move(1)", show=False),
        Binding("enter", "leave", "To the list", key_display="enter"),
        Binding("escape", "show_all", "Show all"),
    ]

    def __init__(self, list: Widget, move: Callable[[int], object]) -> None:
        """list: gets the focus back; move: moves its cursor by a number of lines."""
        super().__init__(placeholder="Part of a name", compact=True, select_on_focus=False)
        self.display = False
        self._list = list
        self._move = move

    def begin(self) -> None:
        self.display = True
        # Not deferred: the next key must not be a command.
        self.screen.set_focus(self)

    def end(self) -> None:
        """Clears the text, so that all records are shown, and hides this input."""
        self.value = ""
        self.action_leave()

    def action_leave(self) -> None:
        if self.has_focus:
            self.screen.set_focus(self._list)
        self.display = self.value != ""

    def action_show_all(self) -> None:
        self.end()

    def action_move(self, step: int) -> None:
        self._move(step)
