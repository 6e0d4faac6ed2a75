"""The model: mutable lists, changed in place, and published as a whole after each change."""

from __future__ import annotations

from copy import copy
from dataclasses import dataclass
from typing import Callable


@dataclass
class Donut:
    id: str
    name: str


@dataclass
class Order:
    id: str
    donuts: list[Donut]  # copies, made when the order was placed
    status: str = "placed"  # then "preparing", then "completed"


class Till:
    """Where orders come from: a till that numbers them."""

    def __init__(self, last_number: int = 1203) -> None:
        self._last_number = last_number

    def next_order(self, donuts: list[Donut]) -> Order:
        self._last_number += 1
        donut = donuts[self._last_number % len(donuts)]
        return Order(f"#{self._last_number}", [copy(donut)])


class FoodTruckModel:
    """The orders and the donuts. For one thread."""

    def __init__(self, till: Till) -> None:
        lemon, classic, rainbow = (
            Donut("lemon", "Super Lemon"),
            Donut("classic", "The Classic"),
            Donut("rainbow", "Rainbow"),
        )
        self.donuts = [lemon, classic, rainbow]  # as on the menu
        self.orders = [  # the newest first
            Order("#1203", [copy(rainbow)], "completed"),
            Order("#1202", [copy(lemon), copy(rainbow)]),
            Order("#1201", [copy(classic)]),
        ]
        self._till = till
        self._orders_listeners: list[Callable[[list[Order]], None]] = []
        self._donuts_listeners: list[Callable[[list[Donut]], None]] = []

    # ---- Publications ----------------------------------------------------------------------------

    def on_orders(self, listener: Callable[[list[Order]], None]) -> None:
        """Calls a function with all orders, now and after each change."""
        self._orders_listeners.append(listener)
        listener(self.orders)

    def on_donuts(self, listener: Callable[[list[Donut]], None]) -> None:
        """Calls a function with all donuts, now and after each change."""
        self._donuts_listeners.append(listener)
        listener(self.donuts)

    def _publish_orders(self) -> None:
        for listener in self._orders_listeners:
            listener(self.orders)

    # ---- Changes ---------------------------------------------------------------------------------

    def order(self, id: str) -> Order | None:
        return next((order for order in self.orders if order.id == id), None)

    def mark_order_as_next_step(self, id: str) -> None:
        order = self.order(id)
        if order is not None and order.status != "completed":
            order.status = "preparing" if order.status == "placed" else "completed"
            self._publish_orders()

    def mark_order_as_completed(self, id: str) -> None:
        order = self.order(id)
        if order is not None:
            order.status = "completed"
            self._publish_orders()

    def add_order(self) -> None:
        self.orders.insert(0, self._till.next_order(self.donuts))
        self._publish_orders()

    def rename_donut(self, id: str, name: str) -> None:
        for donut in self.donuts:
            if donut.id == id:
                donut.name = name
        for listener in self._donuts_listeners:
            listener(self.donuts)
