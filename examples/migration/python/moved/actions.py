"""From stage 4: the buttons dispatch actions; a listener performs them on the model's thread."""

from __future__ import annotations

from contextlib import suppress
from typing import Any, Callable

import immutabledata as imd

TAP_STATUS = "ui/orderDetailView/onTapStatusButton"
TAP_COMPLETE = "ui/ordersView/onTapCompleteOrderButton"
TAP_ADD = "ui/ordersView/onTapAddOrderButton"


class StoreTaps:
    """Does what Taps does, for the screens that read from the store."""

    def __init__(self, store: Any) -> None:
        self._store = store

    def status(self, id: str) -> None:
        self._store.dispatch(TAP_STATUS, {"orderID": id})

    def add(self) -> None:
        self._store.dispatch(TAP_ADD)

    def complete(self, id: str) -> None:
        self._store.dispatch(TAP_COMPLETE, {"orderID": id})


class StoreListener:
    """Calls a function for each action of a type, with the payload, or None.

    The actions wait in a stream. The program calls forward when its event loop is idle, on the
    thread of the model; an event loop can watch stream.fileno() instead.
    """

    def __init__(self, store: Any, functions: dict[str, Callable[[Any], object]]) -> None:
        self._functions = functions
        self.stream = store.stream(types=functions)

    def forward(self) -> None:
        with suppress(imd.TimedOutError):
            while True:
                action = self.stream.next(timeout=0).action
                self._functions[action["type"]](action.get("payload"))
