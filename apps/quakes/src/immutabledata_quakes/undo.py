"""The actions that delete quakes, and those that take them back."""

from __future__ import annotations

from typing import Any

import immutabledata as imd
from immutabledata_terminal import Action

DELETE = "ui/quakeList/onTapDeleteSelectedQuakeButton"
DELETE_ALL = "ui/quakeList/onTapDeleteAllQuakesButton"
RESTORE = "ui/quakeList/onTapRestoreQuakesButton"


def reverse_of(action: Action, store: imd.Store) -> Action:
    """The action that takes another one back, which the store has not reduced yet."""
    quakes: list[Any]
    if action["type"] == RESTORE:
        quakes = action["payload"]["quakes"]
        if len(quakes) == 1:
            return {"type": DELETE, "payload": {"quakeId": quakes[0]["quakeId"]}}
        return {"type": DELETE_ALL}
    if action["type"] == DELETE:
        quake = store.select("selectQuake", quakeId=action["payload"]["quakeId"])
        quakes = [] if quake is None else [quake]
    else:
        quakes = list(store.state["quakes"]["data"].values())
    return {"type": RESTORE, "payload": {"quakes": quakes}}
