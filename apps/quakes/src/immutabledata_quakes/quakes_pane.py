"""The pane with the quakes of a day."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import Any

from immutabledata_terminal import ListPane, Record, Status, printable
from textual.app import ComposeResult
from textual.content import Content
from textual.reactive import var
from textual.widgets import Button, Static

from .magnitude import color_of, magnitude_text
from .time_zone import TimeZone

SORTS = (
    ("time", "reverse"),
    ("time", "forward"),
    ("magnitude", "reverse"),
    ("magnitude", "forward"),
)
"""The arguments "sort" and "order" of the selector, in the order in which a key selects them."""

ARROWS = {"forward": "▲", "reverse": "▼"}


class QuakesPane(ListPane):
    """The quakes of a day whose places contain a text, and the button that deletes all quakes."""

    day: var[date | None] = var(None, init=False)
    sorting: var[int] = var(0, init=False)
    quakes: var[Sequence[Record]] = var((), init=False, always_update=True)
    """The quakes found."""
    total: var[int] = var(0, init=False)
    """The number of all quakes."""

    def __init__(self, zone: TimeZone) -> None:
        self.button = Button("Delete all", action="screen.delete_all", compact=True)
        super().__init__("Quakes", "quakeId", id="quakes", button=self.button)
        self.zone = zone
        self.status = Status()
        self.head = Static(id="head")

    def compose(self) -> ComposeResult:
        yield self.head
        yield from super().compose()

    def on_mount(self) -> None:
        self.observe("selectQuakesCount", self.show_total)
        self.observe("selectQuakesStatus", self.show_status)
        self.watch_sorting()

    def watch_day(self) -> None:
        self.search()
        self.list.action_first()

    def watch_sorting(self) -> None:
        time, magnitude = self._titled("Time", "time"), self._titled("Mag.", "magnitude")
        self.head.update(Content(f"{time:<8}{magnitude:>6}  Place"))
        self.search()
        self.list.action_first()

    def _titled(self, title: str, sort: str) -> str:
        """The title of a column, with an arrow if the quakes are sorted by it."""
        sorting, order = SORTS[self.sorting]
        return title + ARROWS[order] if sort == sorting else title

    def find_text(self, text: str) -> None:
        self.search()

    def search(self) -> None:
        """Observes the quakes of the day, and shows them before the next key is read."""
        if self.day is None:
            return
        sort, order = SORTS[self.sorting]
        self.observe(
            "selectQuakesValues",
            self.show_records,
            searchText=self.find.value,
            sort=sort,
            order=order,
            **self.zone.times(self.day),
        )
        self.store.poll()

    # ---- What is shown ---------------------------------------------------------------------------

    def show_records(self, records: Sequence[Record]) -> None:
        super().show_records(records)
        self.quakes = records

    def show_total(self, total: int) -> None:
        self.total = total
        self.button.disabled = total == 0
        self.border_subtitle = self.count(len(self._records))
        self.refresh_placeholder()

    def show_status(self, output: Any) -> None:
        self.status = Status.of(output)
        self.refresh_placeholder()

    def matches(self, records: Sequence[Record]) -> Sequence[Record]:
        return records  # The selector has searched.

    def line(self, quake: Record) -> Content:
        magnitude = quake["magnitude"]
        return Content.assemble(
            (self.zone.clock(quake["time"]), "dim"),
            (f"{magnitude_text(magnitude):>6}  ", color_of(magnitude)),
            printable(quake["name"]),
        )

    def count(self, shown: int) -> str:
        return f"{shown:,} of {self.total:,}" if self.total else ""

    def placeholder(self) -> str:
        if self.status.is_waiting:
            return "Waiting for the quakes…"
        if self.find.value:
            return f'No place of this day contains "{self.find.value}".'
        if self.total:
            return "There are no quakes on this day. Choose another, or press r to refresh."
        return "There are no quakes here yet. Press r to get them from the feed."
