"""From stage 2: the orders screen reads from the store. An observer of an order builds its row."""

from __future__ import annotations

from functools import partial
from typing import Any

from legacy import order_row


class StoreOrdersScreen:
    """Does what OrdersScreen does. The selector has the argument id; it returns the order with the
    names of its donuts."""

    title = "orders"

    def __init__(self, store: Any, selector: str) -> None:
        self.built = 0
        self._rows: dict[str, str] = {}  # by id, in the order of the ids in the state
        self._observations: dict[str, Any] = {}
        self._store = store
        store.define("selectOrder", selector)
        store.define("selectOrderIDs", "orderIDs")
        store.observe("selectOrderIDs", self._follow)

    @property
    def rows(self) -> list[str]:
        return list(self._rows.values())

    def _follow(self, ids: Any) -> None:
        for id in self._observations.keys() - set(ids):
            self._observations.pop(id).cancel()
        self._rows = {id: self._rows.get(id, "") for id in ids}
        for id in ids:
            if id not in self._observations:
                self._observations[id] = self._store.observe(
                    "selectOrder", partial(self._build, id), id=id
                )

    def _build(self, id: str, order: Any) -> None:
        if order is not None:  # None once the order is gone, until _follow cancels the observation
            self._rows[id] = order_row(id, order["status"], order["donuts"])
            self.built += 1
