"""A pane with a list in which one record is selected."""

from __future__ import annotations

from collections.abc import Sequence

from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Vertical
from textual.content import Content
from textual.reactive import var
from textual.widgets import Button

from .find import Find
from .records import Record
from .rows import Rows
from .store_widget import StoreWidget


class ListPane(Vertical, StoreWidget):
    """A list with one selected record, or a placeholder if it is empty, above a button."""

    BINDINGS = [Binding("escape", "show_all", show=False)]

    selected: var[str | None] = var(None, init=False)
    """The id of the record at the cursor. Its watchers are called before the next key is read."""

    def __init__(self, title: str, key: str, button: Button, id: str) -> None:
        """key: the name of the member that has the id of a record."""
        super().__init__(id=id, classes="pane")
        self.border_title = title
        self.list = Rows(self.line)
        self.find = Find(self.list)
        self.button = button
        self._key = key
        self._pending: str | None = None
        self._records: Sequence[Record] = ()

    def compose(self) -> ComposeResult:
        yield self.find
        yield self.list
        yield self.button

    def on_mount(self) -> None:
        self.watch(self.list, "cursor", self._follow_cursor, init=False)
        self.watch(self.find, "value", self._show, init=False)

    def line(self, record: Record) -> Content:
        """The content shown for a record."""
        raise NotImplementedError

    def placeholder(self) -> str:
        """The text shown if there are no records."""
        raise NotImplementedError

    def select(self, id: str | None) -> None:
        """Selects a record, as soon as it exists."""
        self._pending = id
        if self._records:
            self._show()

    def show_records(self, records: Sequence[Record]) -> None:
        """Replaces the records. Keeps the selection or, if it is gone, the position of the cursor."""
        self._records = records
        self._show()

    def action_show_all(self) -> None:
        self.find.end()

    def refresh_placeholder(self) -> None:
        """Updates the placeholder, in case it is shown."""
        found = not self._records or not self.find.value
        self.list.show_text(
            self.placeholder() if found else f'No name contains "{self.find.value}".'
        )

    def _show(self) -> None:
        shown = self.find.matches(self._records)
        position = self._index(shown, self._pending)
        if position is not None:
            self._pending = None
        elif self._index(self._records, self._pending) is not None:
            return self.find.end()  # which shows all records
        else:
            position = self._index(shown, self.selected)
        if position is None:
            position = self.list.cursor or 0
        self.border_subtitle = self._count(len(shown))
        self.list.show(shown, position)
        self.refresh_placeholder()
        self._follow_cursor()

    def _follow_cursor(self) -> None:
        index = self.list.cursor
        self.selected = None if index is None else self._id_of(self.list.records[index])

    def _id_of(self, record: Record) -> str:
        return record[self._key]

    def _index(self, records: Sequence[Record], id: str | None) -> int | None:
        if id is None:
            return None
        return next((index for index, each in enumerate(records) if self._id_of(each) == id), None)

    def _count(self, shown: int) -> str:
        if shown < len(self._records):
            return f"{shown:,} of {len(self._records):,}"
        return f"{shown:,}" if shown else ""
