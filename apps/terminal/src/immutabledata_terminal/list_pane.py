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
from .rows import Record, Rows
from .store_widget import StoreWidget


class ListPane(Vertical, StoreWidget):
    """A list with one selected record, or a placeholder if it is empty, above a button."""

    BINDINGS = [Binding("escape", "show_all", show=False)]

    selected: var[str | None] = var(None, init=False)
    """The id of the record at the cursor. Its watchers are called before the next key is read."""

    def __init__(self, title: str, key: str, id: str, button: Button | None = None) -> None:
        """key: the name of the member that has the id of a record."""
        super().__init__(id=id, classes="pane")
        self.border_title = title
        self.list = Rows(self.line)
        self.find = Find(self.list, self.list.action_move)
        self._key = key
        self._button = button
        self._pending: str | None = None
        self._records: Sequence[Record] = ()

    def compose(self) -> ComposeResult:
        yield self.find
        yield self.list
        if self._button is not None:
            yield self._button

    def on_mount(self) -> None:
        self.watch(self.list, "cursor", self._follow_cursor, init=False)
        self.watch(self.find, "value", self.find_text, init=False)

    # ---- What a subclass defines -----------------------------------------------------------------

    def line(self, record: Record) -> Content:
        """The content shown for a record."""
        raise NotImplementedError

    def placeholder(self) -> str:
        """The text shown if there are no records."""
        raise NotImplementedError

    def find_text(self, text: str) -> None:
        """Called when the text to find changes. By default, searches the records of this list."""
        self._show()

    def matches(self, records: Sequence[Record]) -> Sequence[Record]:
        """The records to show: by default those whose names contain the text, ignoring case."""
        text = self.find.value.casefold()
        if not text:
            return records
        return [record for record in records if text in record["name"].casefold()]

    def count(self, shown: int) -> str:
        """The text in the lower border of the pane, for a number of shown records."""
        if shown < len(self._records):
            return f"{shown:,} of {len(self._records):,}"
        return f"{shown:,}" if shown else ""

    # ---- Records ---------------------------------------------------------------------------------

    def select(self, id: str | None) -> None:
        """Selects a record, as soon as it exists."""
        self._pending = id
        if self._records:
            self._show()

    def show_records(self, records: Sequence[Record]) -> None:
        """Replaces the records. Keeps the selection; if it is gone, the position of the cursor."""
        self._records = records
        self._show()

    @property
    def selected_record(self) -> Record | None:
        """The record at the cursor."""
        index = self.list.cursor
        return None if index is None else self.list.records[index]

    def action_show_all(self) -> None:
        self.find.end()

    def refresh_placeholder(self) -> None:
        """Updates the placeholder, in case it is shown."""
        is_searching = self._records and self.find.value
        self.list.show_text(
            f'No name contains "{self.find.value}".' if is_searching else self.placeholder()
        )

    def _show(self) -> None:
        shown = self.matches(self._records)
        position = self._index(shown, self._pending)
        if position is not None:
            self._pending = None
        elif self._index(self._records, self._pending) is not None:
            return self.find.end()  # which shows all records
        else:
            position = self._index(shown, self.selected)
        if position is None:
            position = self.list.cursor or 0
        self.border_subtitle = self.count(len(shown))
        self.list.show(shown, position)
        self.refresh_placeholder()
        self._follow_cursor()

    def _follow_cursor(self) -> None:
        record = self.selected_record
        self.selected = None if record is None else self._id_of(record)

    def _id_of(self, record: Record) -> str:
        id: str = record[self._key]
        return id

    def _index(self, records: Sequence[Record], id: str | None) -> int | None:
        if id is None:
            return None
        return next((index for index, each in enumerate(records) if self._id_of(each) == id), None)
