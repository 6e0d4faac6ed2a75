"""From stage 1: a store whose state is a copy of what the legacy model publishes."""

from __future__ import annotations

import logging
from dataclasses import asdict
from functools import partial
from typing import Any

from legacy import FoodTruckModel

DID_RECEIVE_ORDERS = "data/modelListener/didReceiveOrders"
DID_RECEIVE_DONUTS = "data/modelListener/didReceiveDonuts"

EMPTY: dict[str, Any] = {"donutIDs": [], "donuts": {}, "orderIDs": [], "orders": {}}

log = logging.getLogger(__name__)


def reduce(state: Any, action: Any) -> Any:
    """Replaces the orders or the donuts with the published ones."""
    if action["type"] == DID_RECEIVE_ORDERS:
        orders = action["payload"]
        return patch(patch(state, "/orderIDs", orders["ids"]), "/orders", orders["orders"])
    if action["type"] == DID_RECEIVE_DONUTS:
        donuts = action["payload"]
        return patch(patch(state, "/donutIDs", donuts["ids"]), "/donuts", donuts["donuts"])
    return state


def patch(state: Any, pointer: str, published: Any) -> Any:
    """Replaces a part of the state. Records that did not change stay the same instances."""
    return state.change(pointer, lambda old: old.patch(old.diff(published)))


def by_id(records: list[Any]) -> dict[str, Any]:
    """The records by id. Refuses a second record with the same id: it would hide the first."""
    found = {record.id: asdict(record) for record in records}
    if len(found) < len(records):
        raise ValueError("two records have the same id")
    return found


def mirror(model: FoodTruckModel, store: Any) -> None:
    """The model listener: dispatches the records of each publication by id, and their ids, because
    records by id have no order of their own. Call it before other code follows the model,
    so that the store is up to date when that code is called.

    The program does not depend on the store yet. So a publication that is refused is logged, and
    the store keeps the last one that it accepted.
    """

    def receive(type: str, name: str, records: list[Any]) -> None:
        try:
            ids = [record.id for record in records]
            store.dispatch(type, {"ids": ids, name: by_id(records)})
        except Exception:
            log.exception("the store did not receive the %s", name)

    model.on_donuts(partial(receive, DID_RECEIVE_DONUTS, "donuts"))
    model.on_orders(partial(receive, DID_RECEIVE_ORDERS, "orders"))
