"""The model: the orders and the menu, which any code can change."""

from __future__ import annotations

import time
from typing import Callable

from .donut import Donut, menu
from .order import Order, OrderGenerator


def clock() -> int:
    """The current time in milliseconds since 1970."""
    return time.time_ns() // 1_000_000


class FoodTruckModel:
    """Mutable orders and donuts. Code that changes them publishes them, for the subscribers.

    Use it in one thread.
    """

    NEXT_STATUS = {"placed": "preparing", "preparing": "completed"}

    def __init__(self, seed: int = 1, now: Callable[[], int] = clock) -> None:
        self._now = now
        self.donuts = menu()
        self._generator = OrderGenerator(self.donuts, seed)
        self.orders = self._generator.orders_of_today(now())
        self._orders_subscribers: list[Callable[[list[Order]], object]] = []
        self._donuts_subscribers: list[Callable[[list[Donut]], object]] = []

    # ---- Subscriptions ---------------------------------------------------------------------------

    def subscribe(
        self,
        orders: Callable[[list[Order]], object],
        donuts: Callable[[list[Donut]], object],
    ) -> None:
        """Calls the functions now, and after each change."""
        self._orders_subscribers.append(orders)
        self._donuts_subscribers.append(donuts)
        donuts(self.donuts)
        orders(self.orders)

    def publish_orders(self) -> None:
        for subscriber in self._orders_subscribers:
            subscriber(self.orders)

    def publish_donuts(self) -> None:
        for subscriber in self._donuts_subscribers:
            subscriber(self.donuts)

    # ---- Changes ---------------------------------------------------------------------------------

    def order(self, order_id: str) -> Order | None:
        return next((order for order in self.orders if order.id == order_id), None)

    def mark_order_as_next_step(self, order_id: str) -> None:
        """Prepares a placed order, or completes one in preparation. Others stay as they are."""
        order = self.order(order_id)
        if order is not None and order.status in self.NEXT_STATUS:
            order.status = self.NEXT_STATUS[order.status]
            self.publish_orders()

    def mark_order_as_completed(self, order_id: str) -> None:
        order = self.order(order_id)
        if order is not None:
            order.status = "completed"
            self.publish_orders()

    def add_order(self) -> None:
        self.orders.append(self._generator.order(len(self.orders) + 1, self._now()))
        self.publish_orders()
