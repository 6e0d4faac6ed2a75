"""The pane with one order."""

from __future__ import annotations

from immutabledata_terminal import StoreWidget, printable
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.content import Content
from textual.reactive import var
from textual.widgets import Button, Static

from .order_text import (
    STATUSES,
    clock_text,
    donuts_text,
    ingredients_text,
    name_text,
    price_text,
)
from .records import Order

STATUS_BUTTON = {"placed": "Prepare", "preparing": "Finish", "ready": "Ready", "completed": "Done"}
"""The label of the status button, by the status of the order."""


class OrderPane(Vertical, StoreWidget):
    """An order and its donuts, and the buttons that change its status."""

    order_id: var[str | None] = var(None, init=False)
    order: var[Order | None] = var(None, init=False, bindings=True)

    def __init__(self) -> None:
        super().__init__(id="order", classes="pane")
        self.border_title = "Order"
        self.text = Static(id="card")
        self.status_button = Button("Prepare", action="screen.next_status", id="next", compact=True)
        self.complete_button = Button("Complete", action="screen.complete", compact=True)
        self.edit_button = Button("Edit", action="screen.edit_donuts", compact=True)

    def compose(self) -> ComposeResult:
        with VerticalScroll():
            yield self.text
        with Horizontal(classes="buttons"):
            yield self.status_button
            yield self.complete_button
            yield self.edit_button

    def on_mount(self) -> None:
        self.show_order(None)

    def watch_order_id(self, order_id: str | None) -> None:
        self.observe("selectOrder", self.show_order, orderID=order_id)
        self.store.poll()

    @property
    def has_next_status(self) -> bool:
        """Whether the status button is enabled."""
        return self.order is not None and self.order["status"] in ("placed", "preparing")

    @property
    def can_complete(self) -> bool:
        return self.order is not None and self.order["status"] != "completed"

    def show_order(self, order: Order | None) -> None:
        self.order = order
        self.text.update(self._content())
        self.status_button.label = STATUS_BUTTON[order["status"]] if order else "Prepare"
        self.status_button.disabled = not self.has_next_status
        self.complete_button.disabled = not self.can_complete
        self.edit_button.disabled = order is None or not order["donuts"]

    def _content(self) -> Content:
        order = self.order
        if order is None:
            text = "The order was removed." if self.order_id else "Choose an order to see it here."
            return Content(text).stylize("dim")
        place = f"{order['parkingSpot']}, {order['city']}"
        times = f"Placed {clock_text(order['creationDate'])}"
        if order.get("completionDate") is not None:
            times += f", ready {clock_text(order['completionDate'])}"
        parts: list[str | Content | tuple[str, str]] = [
            (printable(order["id"]), "bold"),
            "  ",
            (order["status"], STATUSES[order["status"]]),
            f"\n{donuts_text(order)}, {price_text(order)}\n{times}\n",
            (f"{printable(place)}, {order['temperature']:.0f} °F", "dim"),
            "\n",
        ]
        for donut in order["donuts"]:
            count = order["sales"].get(str(donut["id"]), 0)
            parts += [f"\n{count} × {name_text(donut)}\n", (ingredients_text(donut), "dim")]
        if not order["donuts"]:
            parts += ["\n", ("no donuts", "dim")]
        return Content.assemble(*parts)
