"""The card with the newest orders."""

from __future__ import annotations

from immutabledata_terminal import StoreWidget, printable
from textual.content import Content
from textual.events import Click
from textual.message import Message
from textual.widgets import Static

from .order_text import STATUSES, clock_text, donuts_text
from .records import Order

COUNT = 5


class NewestCard(Static, StoreWidget):
    """The newest orders. A click chooses one of them."""

    class Chosen(Message):
        """The user has clicked an order."""

        def __init__(self, order_id: str) -> None:
            super().__init__()
            self.order_id = order_id

    def __init__(self) -> None:
        super().__init__(id="newest", classes="pane")
        self.border_title = "Newest"
        self.orders: list[Order] = []

    def on_mount(self) -> None:
        self.observe(
            "selectOrdersValues",
            self.show_orders,
            sort=[{"by": "creationDate", "order": "reverse"}],
            min=COUNT,
        )

    def show_orders(self, orders: list[Order]) -> None:
        self.orders = orders
        lines = [
            Content.assemble(
                (clock_text(order["creationDate"]), "dim"),
                f" {printable(order['id'])} ",
                (order["status"], STATUSES[order["status"]]),
                (f" {donuts_text(order)}", "dim"),
            )
            for order in orders
        ]
        self.update(Content("\n").join(lines) if lines else Content("no orders").stylize("dim"))

    def on_click(self, event: Click) -> None:
        offset = event.get_content_offset(self)
        if offset is not None and offset.y < len(self.orders):
            self.post_message(self.Chosen(self.orders[offset.y]["id"]))
