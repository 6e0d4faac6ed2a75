"""From stage 4: an observer starts and ends the sessions, whichever screen changed an order."""

from __future__ import annotations

from typing import Any

from legacy import Sessions


def follow_sessions(store: Any, sessions: Sessions) -> None:
    """Starts a session for each order that becomes "preparing", and ends it afterwards.

    Call it after the first publications: orders that are already being prepared have sessions.
    Observers are called in the order of the dispatches, on a thread that dispatches: here always
    the thread of the model.
    """
    current: set[str] | None = None

    def follow(ids: Any) -> None:
        nonlocal current
        previous, current = current, set(ids)
        if previous is None:
            return
        for id in sorted(previous - current):
            sessions.end(id)
        for id in sorted(current - previous):
            sessions.start(id)

    store.define("selectPreparing", "orders.* | [?status == 'preparing'].id")
    store.observe("selectPreparing", follow)
