"""Stage 1: a store follows the model. No screen knows it."""

import immutabledata as imd
from legacy import App, DonutsScreen, FoodTruckModel, OrdersScreen, Sessions, Taps, Till
from legacy import TruckScreen, play
from moved.mirror import EMPTY, mirror, reduce

model = FoodTruckModel(Till())
sessions = Sessions()
taps = Taps(model, sessions)
with imd.Store(reduce, state=EMPTY) as store:
    mirror(model, store)
    play(
        App(
            screens=[OrdersScreen(model), TruckScreen(model), DonutsScreen(model)],
            sessions=sessions,
            tap_status=taps.status,
            tap_add=taps.add,
            tap_complete=taps.complete,
            tap_rename=taps.rename,
        )
    )
