"""From stage 4: a rule asks for the sessions, whichever screen caused the change of an order."""

from __future__ import annotations

from typing import Any

import immutabledata as imd
from legacy import Sessions


def is_preparing(orders: Any, pointer: str) -> bool:
    try:
        status: str = orders.at(f"{pointer}/status")
    except imd.NotFoundError:
        return False
    return status == "preparing"


def ask_for_sessions(action: Any, old_state: Any, new_state: Any) -> list[dict[str, Any]]:
    """Asks to start a session for each order that becomes "preparing", and to end it afterwards."""
    old, new = old_state["orders"], new_state["orders"]
    changed = {"/" + operation["path"].split("/")[1] for operation in old.diff(new)}
    effects = []
    for order in sorted(changed):  # a JSON Pointer
        if is_preparing(new, order) and not is_preparing(old, order):
            effects.append({"effect": "startActivity", "arguments": {"order": new.at(order)}})
        if is_preparing(old, order) and not is_preparing(new, order):
            effects.append({"effect": "endActivity", "arguments": {"order": old.at(order)}})
    return effects


def follow_sessions(store: Any, sessions: Sessions) -> None:
    """Performs the effects. Call it after the first publications: they are not transitions."""
    store.set_effect("startActivity", lambda arguments: sessions.start(arguments["order"]["id"]))
    store.set_effect("endActivity", lambda arguments: sessions.end(arguments["order"]["id"]))
    store.set_rule(ask_for_sessions)
