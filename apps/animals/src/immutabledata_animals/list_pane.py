"""A pane with a list, of which one element is chosen."""

from __future__ import annotations

from collections.abc import Sequence

from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Vertical
from textual.content import Content
from textual.reactive import var
from textual.widgets import Button, OptionList
from textual.widgets.option_list import Option

from .observing import Observing

Row = tuple[str, Content]
"""An id, and what is shown for it."""


class Rows(OptionList):
    """A list in which a click chooses, and Enter goes on with what is chosen."""

    BINDINGS = [Binding("enter", "screen.enter", show=False)]


class ListPane(Vertical, Observing):
    """A list of which one element is chosen, or words where there is none, over a button."""

    chosen: var[str | None] = var(None, init=False)
    """The id of what the cursor is at. Who watches it is told before the next key is read."""

    def __init__(self, title: str, button: Button, id: str) -> None:
        super().__init__(id=id, classes="pane")
        self.border_title = title
        self.list = Rows(markup=False, compact=True)
        self.button = button
        self._wanted: str | None = None
        self._rows: Sequence[Row] = ()

    def compose(self) -> ComposeResult:
        yield self.list
        yield self.button

    def on_mount(self) -> None:
        self.watch(self.list, "highlighted", self._follow_cursor)

    @property
    def is_empty(self) -> bool:
        return not self._rows

    def choose(self, id: str | None) -> None:
        """Chooses an element, as soon as it is there."""
        self._wanted = id
        if self._rows:
            self.show_rows(self._rows)

    def words(self) -> str:
        """What stands there if there are no rows."""
        raise NotImplementedError

    def show_rows(self, rows: Sequence[Row]) -> None:
        """Shows other rows; what is chosen stays so, or else what now stands where it stood."""
        ids = [id for id, _ in rows]
        place = self.list.highlighted or 0
        if self._wanted in ids:
            place, self._wanted = ids.index(self._wanted), None
        elif self.chosen in ids:
            place = ids.index(self.chosen)
        self._rows = rows
        self.border_subtitle = str(len(rows)) if rows else ""
        self.list.set_class(bool(rows), "-rows")
        if rows:
            self.list.set_options(Option(content, id=id) for id, content in rows)
            self.list.highlighted = min(place, len(rows) - 1)
        else:
            self.refresh_words()
            self.chosen = None

    def refresh_words(self) -> None:
        """Shows the words anew, if there are no rows."""
        if self.is_empty:
            # An option that is disabled leaves the list the focus.
            self.list.set_options([Option(self.words(), disabled=True)])

    def _follow_cursor(self) -> None:
        # Other rows take the cursor away, and show_rows then puts it somewhere.
        option = self.list.highlighted_option
        if option is not None and not self.is_empty:
            self.chosen = option.id
