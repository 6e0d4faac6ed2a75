"""From the model to the store."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

import immutabledata as imd

from ..legacy import Donut, FoodTruckModel, Order


class ModelListener:
    """Dispatches what a model publishes. Equal records in the store stay the same instances."""

    def __init__(self, store: imd.Store) -> None:
        self._store = store

    def listen(self, model: FoodTruckModel) -> None:
        model.subscribe(self.receive_orders, self.receive_donuts)

    def receive_orders(self, orders: list[Order]) -> None:
        self._dispatch("didReceiveOrders", orders=[order_json(order) for order in orders])

    def receive_donuts(self, donuts: list[Donut]) -> None:
        self._dispatch("didReceiveDonuts", donuts=[donut_json(donut) for donut in donuts])

    def _dispatch(self, event: str, **payload: Any) -> None:
        self._store.dispatch({"type": f"data/modelListener/{event}", "payload": payload})
        # Shows it before the next key is read.
        self._store.poll()


def donut_json(donut: Donut) -> dict[str, Any]:
    """A donut of the domain. What it does not have is left out."""
    return {name: value for name, value in asdict(donut).items() if value is not None}


def order_json(order: Order) -> dict[str, Any]:
    """An order of the domain."""
    json: dict[str, Any] = {
        "id": order.id,
        "status": order.status,
        "donuts": [donut_json(donut) for donut in order.donuts],
        "sales": {str(id): count for id, count in order.sales.items()},
        "grandTotal": str(order.grand_total),
        "city": order.city,
        "parkingSpot": order.parking_spot,
        "creationDate": order.creation_date,
        "temperature": order.temperature,
        "wasRaining": order.was_raining,
    }
    if order.completion_date is not None:
        json["completionDate"] = order.completion_date
    return json
