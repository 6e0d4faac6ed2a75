"""Live activities: the orders that are being prepared, as a system shows them outside an app."""

from __future__ import annotations

from typing import Callable

from ..records import Order


class Activities:
    """Starts and ends the activities of orders. `changed` is called after each change.

    The domain asks for each start and each end once, so nothing here compares statuses.
    """

    def __init__(self, changed: Callable[[], object]) -> None:
        self.orders: dict[str, Order] = {}
        """The orders with an activity, by id, the earliest first."""
        self._changed = changed

    def start(self, order: Order) -> None:
        self.orders[order["id"]] = order
        self._changed()

    def end(self, order: Order) -> None:
        # An order that was already preparing when the model first published it has no activity.
        self.orders.pop(order["id"], None)
        self._changed()
