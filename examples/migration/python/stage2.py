"""Stage 2: the orders screen reads from the store. It shows the old name of a renamed donut."""

import immutabledata as imd
from legacy import App, DonutsScreen, FoodTruckModel, Sessions, Taps, Till, TruckScreen, play
from moved.mirror import EMPTY, mirror, reduce
from moved.orders_screen import StoreOrdersScreen

SELECT_ORDER = "get(orders, $id).{status: status, donuts: donuts[].name}"

model = FoodTruckModel(Till())
sessions = Sessions()
taps = Taps(model, sessions)
with imd.Store(reduce, state=EMPTY) as store:
    mirror(model, store)
    play(
        App(
            screens=[
                StoreOrdersScreen(store, SELECT_ORDER),
                TruckScreen(model),
                DonutsScreen(model),
            ],
            sessions=sessions,
            tap_status=taps.status,
            tap_add=taps.add,
            tap_complete=taps.complete,
            tap_rename=taps.rename,
        )
    )
