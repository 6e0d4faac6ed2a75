"""The screens, and what their buttons do. A screen keeps its rows, and counts those it builds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Callable, Protocol

from .model import Donut, FoodTruckModel, Order


def order_row(id: str, status: str, names: Iterable[str]) -> str:
    return f"{id} {status:<9}  {', '.join(names)}"


def truck_row(placed: int, preparing: int, completed: int) -> str:
    return f"{placed} placed, {preparing} preparing, {completed} completed"


class OrdersScreen:
    """A row for each order. The donuts of an order are copies, so it looks up their names."""

    title = "orders"

    def __init__(self, model: FoodTruckModel) -> None:
        self.rows: list[str] = []
        self.built = 0
        self._model = model
        model.on_orders(lambda orders: self._build())
        model.on_donuts(lambda donuts: self._build())

    def _build(self) -> None:
        names = {donut.id: donut.name for donut in self._model.donuts}
        self.rows = [
            order_row(order.id, order.status, [names[donut.id] for donut in order.donuts])
            for order in self._model.orders
        ]
        self.built += len(self.rows)


class TruckScreen:
    """How many orders are in each status."""

    title = "truck"

    def __init__(self, model: FoodTruckModel) -> None:
        self.rows: list[str] = []
        self.built = 0
        model.on_orders(self._build)

    def _build(self, orders: list[Order]) -> None:
        count = Counter(order.status for order in orders)
        self.rows = [truck_row(count["placed"], count["preparing"], count["completed"])]
        self.built += 1


class Publisher(Protocol):
    """What the donuts screen uses of the model."""

    def on_orders(self, listener: Callable[[list[Order]], None]) -> None: ...

    def on_donuts(self, listener: Callable[[list[Donut]], None]) -> None: ...


class DonutsScreen:
    """A row for each donut, with the number of its orders."""

    title = "donuts"

    def __init__(self, model: Publisher) -> None:
        self.rows: list[str] = []
        self.built = 0
        self._donuts: list[Donut] = []
        self._orders: list[Order] = []
        model.on_donuts(self._set_donuts)
        model.on_orders(self._set_orders)

    def _set_donuts(self, donuts: list[Donut]) -> None:
        self._donuts = donuts
        self._build()

    def _set_orders(self, orders: list[Order]) -> None:
        self._orders = orders
        self._build()

    def _build(self) -> None:
        count = Counter(donut.id for order in self._orders for donut in order.donuts)
        self.rows = [f"{donut.name}: {count[donut.id]}" for donut in self._donuts]
        self.built += len(self.rows)


class Sessions:
    """The activity session of each order that is being prepared, as a lock screen shows it."""

    def __init__(self) -> None:
        self.events: list[str] = []

    def start(self, id: str) -> None:
        self.events.append(f"{id} begins")

    def end(self, id: str) -> None:
        self.events.append(f"{id} ends")


class Taps:
    """What the buttons do. Each must update the session too, and one forgets to."""

    def __init__(self, model: FoodTruckModel, sessions: Sessions) -> None:
        self._model = model
        self._sessions = sessions

    def status(self, id: str) -> None:
        """The button of an order on the orders screen."""
        order = self._model.order(id)
        if order is not None and order.status == "placed":
            self._sessions.start(id)
        elif order is not None and order.status == "preparing":
            self._sessions.end(id)
        self._model.mark_order_as_next_step(id)

    def add(self) -> None:
        self._model.add_order()

    def complete(self, id: str) -> None:
        """The button of an order on the truck screen. It does not end the session."""
        self._model.mark_order_as_completed(id)

    def rename(self, id: str, name: str) -> None:
        """The text field of a donut on the donuts screen."""
        self._model.rename_donut(id, name)
