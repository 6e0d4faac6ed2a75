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


def reduce(state: Any, action: Any) -> Any:
    """Replaces the orders or the donuts with the published ones.

    A patch keeps records that did not change: they are the same instances as before.
    """
    if action["type"] == DID_RECEIVE_ORDERS:
        orders = action["payload"]["orders"]
        return state.change("/orders", lambda old: old.patch(old.diff(orders)))
    if action["type"] == DID_RECEIVE_DONUTS:
        donuts = action["payload"]["donuts"]
        return state.change("/donuts", lambda old: old.patch(old.diff(donuts)))
    return state


def by_id(records: list[Any]) -> dict[str, Any]:
    """The records by id. Refuses a second record with the same id: it would hide the first."""
    found = {record.id: asdict(record) for record in records}
    if len(found) < len(records):
        raise ValueError("two records have the same id")
    return found


def mirror(model: FoodTruckModel, store: Any) -> None:
    """The model listener: dispatches each publication. Call it before other code follows the model,
    so that the store is up to date when that code is called.

    The program does not depend on the store yet. So a publication that is refused is logged, and
    the store keeps the last one that it accepted.
    """

    def receive(type: str, name: str, records: list[Any]) -> None:
        try:
            store.dispatch(type, payload={name: by_id(records)})
        except Exception:
            log.exception("the store did not receive the %s", name)

    model.on_donuts(partial(receive, DID_RECEIVE_DONUTS, "donuts"))
    model.on_orders(partial(receive, DID_RECEIVE_ORDERS, "orders"))
