"""From the store to the model."""

from __future__ import annotations

from collections.abc import Awaitable
from typing import Any, Callable

import immutabledata as imd

from ..legacy import FoodTruckModel
from .activities import Activities


class StoreListener:
    """Performs the effects of the domain with a model and the activities of the program.

    The model belongs to the thread of an event loop. The library runs coroutine functions on that
    loop, in the order of the effects. Other functions would run on threads of their own.
    """

    def __init__(self, store: imd.Store) -> None:
        self._store = store

    def listen(self, model: FoodTruckModel, activities: Activities) -> None:
        """Call this on the event loop of the model."""
        for effect, function in {
            "markOrderAsNextStep": lambda it: model.mark_order_as_next_step(it["orderID"]),
            "markOrderAsCompleted": lambda it: model.mark_order_as_completed(it["orderID"]),
            "addOrder": lambda it: model.add_order(),
            "startActivity": lambda it: activities.start(it["order"]),
            "endActivity": lambda it: activities.end(it["order"]),
        }.items():
            self._store.set_effect(effect, _coroutine_function(function))


def _coroutine_function(function: Callable[[Any], object]) -> Callable[[Any], Awaitable[None]]:
    async def perform(arguments: Any) -> None:
        function(arguments.to_python() if isinstance(arguments, imd.Value) else arguments)

    return perform
