"""A pane with a list in which one element is selected."""

from __future__ import annotations

from collections.abc import Sequence

from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Vertical
from textual.content import Content
from textual.reactive import var
from textual.widgets import Button, OptionList
from textual.widgets.option_list import Option

from .store_widget import StoreWidget

Row = tuple[str, Content]
"""An id, and the content shown for it."""


class Rows(OptionList):
    """A list in which a click selects, and Enter opens the selection."""

    BINDINGS = [Binding("enter", "screen.enter", show=False)]


class ListPane(Vertical, StoreWidget):
    """A list with one selected element, or a placeholder if it is empty, above a button."""

    selected: var[str | None] = var(None, init=False)
    """The id of the element at the cursor. Its watchers are called before the next key is read."""

    def __init__(self, title: str, button: Button, id: str) -> None:
        super().__init__(id=id, classes="pane")
        self.border_title = title
        self.list = Rows(markup=False, compact=True)
        self.button = button
        self._pending: str | None = None
        self._rows: Sequence[Row] = ()

    def compose(self) -> ComposeResult:
        yield self.list
        yield self.button

    def on_mount(self) -> None:
        self.watch(self.list, "highlighted", self._follow_cursor)

    @property
    def is_empty(self) -> bool:
        return not self._rows

    def select(self, id: str | None) -> None:
        """Selects an element, as soon as it exists."""
        self._pending = id
        if self._rows:
            self.show_rows(self._rows)

    def placeholder(self) -> str:
        """The text shown if there are no rows."""
        raise NotImplementedError

    def show_rows(self, rows: Sequence[Row]) -> None:
        """Replaces the rows. Keeps the selection, or else the position of the cursor."""
        ids = [id for id, _ in rows]
        position = self.list.highlighted or 0
        if self._pending in ids:
            position, self._pending = ids.index(self._pending), None
        elif self.selected in ids:
            position = ids.index(self.selected)
        self._rows = rows
        self.border_subtitle = str(len(rows)) if rows else ""
        self.list.set_class(bool(rows), "-rows")
        if rows:
            self.list.set_options(Option(content, id=id) for id, content in rows)
            self.list.highlighted = min(position, len(rows) - 1)
        else:
            self.refresh_placeholder()
            self.selected = None

    def refresh_placeholder(self) -> None:
        """Updates the placeholder, if there are no rows."""
        if self.is_empty:
            # A disabled option keeps the focus on the list.
            self.list.set_options([Option(self.placeholder(), disabled=True)])

    def _follow_cursor(self) -> None:
        # Replacing the rows removes the cursor, until show_rows sets it.
        option = self.list.highlighted_option
        if option is not None and not self.is_empty:
            self.selected = option.id
