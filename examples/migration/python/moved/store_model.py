"""Stage 6: the store is the source of truth, and the legacy model is a view of it."""

from __future__ import annotations

from typing import Any, Callable

import immutabledata as imd
from legacy import Donut, Order

from .actions import TAP_COMPLETE, TAP_STATUS

RENAME_DONUT = "ui/donutEditor/onRename"
DID_PLACE_ORDER = "data/till/didPlaceOrder"

NEXT_STATUS = {"placed": "preparing", "preparing": "completed", "completed": "completed"}


@imd.drafting
def reduce(draft: Any, action: Any) -> None:
    """Does what the model did. An order has the ids of its donuts, and no copies."""
    payload = action.get("payload")
    if action["type"] in (TAP_STATUS, TAP_COMPLETE):
        order = draft["orders"].get(payload["orderID"])
        if order is not None:
            is_step = action["type"] == TAP_STATUS
            order["status"] = NEXT_STATUS[order["status"]] if is_step else "completed"
    elif action["type"] == RENAME_DONUT:
        donut = draft["donuts"].get(payload["donutID"])
        if donut is not None:
            donut["name"] = payload["name"]
    elif action["type"] == DID_PLACE_ORDER:
        order = payload["order"]
        if order["id"] in draft["orders"]:
            raise ValueError(f'there is an order "{order["id"]}" already')
        draft["orders"][order["id"]] = order
        draft["orderIDs"].insert(0, order["id"])


def encode(order: Order) -> dict[str, Any]:
    return {"id": order.id, "status": order.status, "donuts": [donut.id for donut in order.donuts]}


def decode_donuts(donuts: Any) -> list[Donut]:
    return [Donut(**donut) for donut in donuts]


def decode(order: Any) -> Order:
    return Order(order["id"], decode_donuts(order["donuts"]), order["status"])


def state_of(model: Any) -> dict[str, Any]:
    """The state that the store takes over from a legacy model."""
    return {
        "donutIDs": [donut.id for donut in model.donuts],
        "donuts": {donut.id: {"id": donut.id, "name": donut.name} for donut in model.donuts},
        "orderIDs": [order.id for order in model.orders],
        "orders": {order.id: encode(order) for order in model.orders},
    }


class StoreModel:
    """What the remaining legacy screens use of FoodTruckModel, on top of a store.

    A listener gets new objects each time: changing them does not change the state.
    """

    def __init__(self, store: Any) -> None:
        self._store = store
        store.define("legacyDonuts", "let $donuts = donuts in donutIDs[].get($donuts, @)")
        store.define(
            "legacyOrders",
            """let $donuts = donuts, $orders = orders in orderIDs[].get($orders, @)
               .{id: id, status: status, donuts: donuts[].get($donuts, @)}""",
        )

    @property
    def donuts(self) -> list[Donut]:
        return decode_donuts(self._store.select("legacyDonuts"))

    def on_donuts(self, listener: Callable[[list[Donut]], None]) -> None:
        self._store.observe("legacyDonuts", lambda donuts: listener(decode_donuts(donuts)))

    def on_orders(self, listener: Callable[[list[Order]], None]) -> None:
        self._store.observe("legacyOrders", lambda orders: listener(list(map(decode, orders))))

    def rename_donut(self, id: str, name: str) -> None:
        self._store.dispatch(RENAME_DONUT, {"donutID": id, "name": name})
