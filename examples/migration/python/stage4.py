"""Stage 4: the buttons of the orders screen dispatch actions; an observer follows the sessions."""

import immutabledata as imd
from legacy import App, DonutsScreen, FoodTruckModel, Sessions, Taps, Till, TruckScreen, play
from moved.actions import TAP_ADD, TAP_STATUS, StoreListener, StoreTaps
from moved.mirror import EMPTY, mirror, reduce
from moved.orders_screen import StoreOrdersScreen
from moved.sessions import follow_sessions

SELECT_ORDER = """
    let $donuts = donuts in
    get(orders, $id).{status: status, donuts: donuts[].get($donuts, id).name}
"""

model = FoodTruckModel(Till())
sessions = Sessions()
taps = Taps(model, sessions)
with imd.Store(reduce, state=EMPTY) as store:
    mirror(model, store)
    follow_sessions(store, sessions)
    store_taps = StoreTaps(store)
    listener = StoreListener(
        store,
        {
            TAP_STATUS: lambda payload: model.mark_order_as_next_step(payload["orderID"]),
            TAP_ADD: lambda payload: model.add_order(),
        },
    )
    play(
        App(
            screens=[
                StoreOrdersScreen(store, SELECT_ORDER),
                TruckScreen(model),
                DonutsScreen(model),
            ],
            sessions=sessions,
            tap_status=store_taps.status,
            tap_add=store_taps.add,
            tap_complete=taps.complete,
            tap_rename=taps.rename,
            idle=listener.forward,
        )
    )
