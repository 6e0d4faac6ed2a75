"""From stage 5: the truck screen reads from the store, too."""

from __future__ import annotations

from typing import Any

from legacy import truck_row

COUNTS = """
    let $statuses = orders.*.status in {
      placed: length($statuses[?@ == 'placed']),
      preparing: length($statuses[?@ == 'preparing']),
      completed: length($statuses[?@ == 'completed'])
    }
"""


class StoreTruckScreen:
    """Does what TruckScreen does."""

    title = "truck"

    def __init__(self, store: Any) -> None:
        self.rows: list[str] = []
        self.built = 0
        store.define("selectCounts", COUNTS)
        store.observe("selectCounts", self._build)

    def _build(self, counts: Any) -> None:
        self.rows = [truck_row(counts["placed"], counts["preparing"], counts["completed"])]
        self.built += 1
