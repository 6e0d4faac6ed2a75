"""From the store to the model."""

from __future__ import annotations

import asyncio
from typing import Any, Callable

import immutabledata as imd

from ..legacy import FoodTruckModel
from .activities import Activities


class StoreListener:
    """Performs the effects of the domain with a model and the activities of the program.

    A thread of the library calls the functions of effects. The model belongs to the thread of the
    event loop, so they only ask the loop for a call.
    """

    def __init__(self, store: imd.Store, loop: asyncio.AbstractEventLoop) -> None:
        self._store = store
        self._loop = loop

    def listen(self, model: FoodTruckModel, activities: Activities) -> None:
        for effect, function in {
            "markOrderAsNextStep": lambda it: model.mark_order_as_next_step(it["orderID"]),
            "markOrderAsCompleted": lambda it: model.mark_order_as_completed(it["orderID"]),
            "addOrder": lambda it: model.add_order(),
            "startActivity": lambda it: activities.start(it["order"]),
            "endActivity": lambda it: activities.end(it["order"]),
        }.items():
            self._store.set_effect(effect, self._on_loop(function))

    def _on_loop(self, function: Callable[[Any], object]) -> Callable[[Any], None]:
        def perform(arguments: Any) -> None:
            plain = arguments.to_python() if isinstance(arguments, imd.Value) else arguments
            self._loop.call_soon_threadsafe(function, plain)

        return perform
