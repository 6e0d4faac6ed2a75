"""The pane with the orders."""

from __future__ import annotations

from collections.abc import Sequence

from immutabledata_terminal import ListPane, Record
from textual.app import ComposeResult
from textual.content import Content
from textual.reactive import var
from textual.widgets import Button, Static

from .order_text import STATUSES, clock_text, price_text, total_sales
from .sorting import COLUMNS, Sorting

WIDTHS = {"id": -10, "status": -9, "totalSales": 8, "grandTotal": 7, "creationDate": 8}
"""The widths of the columns; negative if the text is aligned to the left."""

FILTERS = (None, *STATUSES)
"""The statuses to show, in the order in which a key chooses them; None: all."""


def cell(column: str, text: str) -> str:
    width = WIDTHS[column]
    return text.ljust(-width) if width < 0 else text.rjust(width)


class OrdersPane(ListPane):
    """The orders that contain a text and have a status, and a button that adds an order."""

    sorting: var[Sorting] = var(Sorting(), init=False)
    status: var[str | None] = var(None, init=False)
    """The status of the orders to show; None: any."""

    def __init__(self) -> None:
        button = Button("Add an order", action="screen.add_order", compact=True)
        super().__init__("Orders", "id", id="orders", button=button)
        self.find.placeholder = "Part of an id, a donut or an ingredient"
        self.head = Static(id="head")
        self.marked: set[str] = set()
        """The ids of the orders that the user has marked."""
        self._kept: str | None = None
        """The id of the order that stays in the list when its status changes: the selected one."""

    def compose(self) -> ComposeResult:
        yield self.head
        yield from super().compose()

    def on_mount(self) -> None:
        self.watch_sorting()

    # ---- What is shown ---------------------------------------------------------------------------

    def find_text(self, text: str) -> None:
        self.search()

    def watch_sorting(self) -> None:
        titles = [
            f"[@click=screen.sort('{column}')]{cell(column, self.sorting.title(column))}[/]"
            for column in COLUMNS
        ]
        self.head.update(Content.from_markup(" ".join(titles)))
        self.search()

    def watch_status(self) -> None:
        self.border_title = f"Orders: {self.status}" if self.status else "Orders"
        self._keep(None)
        self._keep(self.selected)

    def watch_selected(self, selected: str | None) -> None:
        self._keep(selected)

    def _keep(self, order_id: str | None) -> None:
        self._kept = order_id
        self._show()

    def search(self) -> None:
        """Observes the orders that contain the text, and shows them before the next key is read."""
        self.observe(
            "selectOrdersValues",
            self.show_records,
            searchText=self.find.value,
            sort=self.sorting.argument,
        )
        self.store.poll()

    def choose(self, order_id: str) -> None:
        """Selects an order, and shows all orders if it is hidden."""
        if all(order["id"] != order_id for order in self.list.records):
            self.status = None
            self.find.end()
        self.select(order_id)

    def matches(self, records: Sequence[Record]) -> Sequence[Record]:
        if self.status is None:
            return records  # The selector has searched.
        return [
            order
            for order in records
            if order["status"] == self.status or order["id"] == self._kept
        ]

    # ---- Marks -----------------------------------------------------------------------------------

    @property
    def marked_orders(self) -> list[Record]:
        """The marked orders, as far as they are shown."""
        return [order for order in self.list.records if order["id"] in self.marked]

    def toggle_mark(self) -> None:
        """Marks the selected order, or removes its mark, and goes to the next one."""
        if self.selected is not None:
            self.marked ^= {self.selected}
            self._show()
            self.list.action_move(1)

    def clear_marks(self) -> None:
        self.marked.clear()
        self._show()

    def action_show_all(self) -> None:
        """Removes the marks first."""
        if self.marked:
            self.clear_marks()
        else:
            super().action_show_all()

    def count(self, shown: int) -> str:
        marked = len(self.marked_orders)
        text = super().count(shown)
        return f"{marked:,} marked, {text}" if marked else text

    def line(self, order: Record) -> Content:
        status = order["status"]
        is_marked = order["id"] in self.marked
        return Content.assemble(
            (cell("id", order["id"]), "bold" if is_marked else ""),
            "✓" if is_marked else " ",
            (cell("status", status), STATUSES[status]),
            " ",
            cell("totalSales", str(total_sales(order))),
            " ",
            cell("grandTotal", price_text(order)),
            " ",
            (cell("creationDate", clock_text(order["creationDate"])), "dim"),
        )

    def placeholder(self) -> str:
        if self.find.value:
            found = f"{self.status} order" if self.status else "order"
            return f'No {found} contains "{self.find.value}".'
        if self.status:
            return f"No order is {self.status}."
        return "There are no orders yet. Press the a key to add one."

    def refresh_placeholder(self) -> None:
        self.list.show_text(self.placeholder())
