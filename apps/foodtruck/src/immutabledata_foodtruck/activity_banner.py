"""The line with the orders that are being prepared."""

from __future__ import annotations

from immutabledata_terminal import printable
from textual.content import Content
from textual.widgets import Static

from .order_text import donuts_text
from .records import Order


class ActivityBanner(Static):
    """Shows the activities; hidden if there are none."""

    def __init__(self) -> None:
        super().__init__(id="banner")
        self.display = False

    def show(self, orders: list[Order]) -> None:
        """Shows the activities of these orders."""
        self.display = bool(orders)
        if orders:
            first = orders[0]
            text = f"Preparing {printable(first['id'])}, {donuts_text(first)}"
            more = f", and {len(orders) - 1} more" if len(orders) > 1 else ""
            self.update(Content(text + more))
