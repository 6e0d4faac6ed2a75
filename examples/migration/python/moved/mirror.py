"""From stage 1: a store whose state is a copy of what the legacy model publishes."""

from __future__ import annotations

import logging
from dataclasses import asdict
from functools import partial
from typing import Any

from legacy import FoodTruckModel

DID_RECEIVE_ORDERS = "data/modelListener/didReceiveOrders"
DID_RECEIVE_DONUTS = "data/modelListener/didReceiveDonuts"

EMPTY: dict[str, Any] = {"donuts": {}, "orders": {}}

log = logging.getLogger(__name__)


def by_id(records: Any) -> dict[str, Any]:
    """The records by id. A second record with the same id would hide the first, so it is refused."""
    found = {record["id"]: record for record in records}
    if len(found) < len(records):
        raise ValueError("two records have the same id")
    return found


def updated(old: Any, records: Any) -> Any:
    """The new records. Those that did not change are the same instances as before."""
    return old.patch(old.diff(by_id(records)))


def reduce(state: Any, action: Any) -> Any:
    """Replaces the orders or the donuts with the published ones."""
    if action["type"] == DID_RECEIVE_ORDERS:
        return state.change("/orders", lambda old: updated(old, action["payload"]["orders"]))
    if action["type"] == DID_RECEIVE_DONUTS:
        return state.change("/donuts", lambda old: updated(old, action["payload"]["donuts"]))
    return state


def mirror(model: FoodTruckModel, store: Any) -> None:
    """The model listener: dispatches each publication. Call it before other code follows the model,
    so that the store is up to date when that code is called.

    The program does not depend on the store yet. So a publication that the reducer refuses is
    logged, and the store keeps the last one that it accepted.
    """

    def receive(type: str, name: str, records: list[Any]) -> None:
        try:
            store.dispatch(type, payload={name: [asdict(record) for record in records]})
        except Exception:
            log.exception("the store did not receive the %s", name)

    model.on_donuts(partial(receive, DID_RECEIVE_DONUTS, "donuts"))
    model.on_orders(partial(receive, DID_RECEIVE_ORDERS, "orders"))
