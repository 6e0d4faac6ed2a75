"""Orders and donuts as text."""

from __future__ import annotations

from datetime import datetime

from immutabledata_terminal import printable

from .legacy import DOUGHS, GLAZES, TOPPINGS
from .records import Donut, Order

STATUSES = {
    "placed": "#f08c2e",
    "preparing": "#5c9dff",
    "ready": "#3fb950",
    "completed": "#8a8f98",
}
"""The colors of the statuses, in the order of their progress."""


def total_sales(order: Order) -> int:
    """The number of donuts in an order."""
    return sum(order["sales"].values())


def donuts_text(order: Order) -> str:
    count = total_sales(order)
    return "1 donut" if count == 1 else f"{count:,} donuts"


def price_text(order: Order) -> str:
    return f"${order['grandTotal']}"


def clock_text(milliseconds: int) -> str:
    """A time such as "14:05", in the time zone of the system."""
    return f"{datetime.fromtimestamp(milliseconds / 1000):%H:%M}"


def ingredients_text(donut: Donut) -> str:
    """What a donut is made of, such as "Plain, Chocolate Glaze, Sprinkles"."""
    parts = [
        DOUGHS.get(donut["dough"]),
        GLAZES.get(donut.get("glaze") or ""),
        TOPPINGS.get(donut.get("topping") or ""),
    ]
    return ", ".join(part for part in parts if part)


def name_text(donut: Donut) -> str:
    return printable(donut["name"]) or "(no name)"
