"""Stage 6: the store is the source of truth. The donuts screen uses it like the old model."""

import immutabledata as imd
from legacy import App, DonutsScreen, FoodTruckModel, Sessions, Till, play
from moved.actions import TAP_ADD, StoreListener, StoreTaps
from moved.orders_screen import StoreOrdersScreen
from moved.sessions import follow_sessions
from moved.store_model import DID_PLACE_ORDER, StoreModel, encode, reduce, state_of
from moved.truck_screen import StoreTruckScreen

SELECT_ORDER = """
    let $donuts = donuts in
    get(orders, $id).{status: status, donuts: donuts[].get($donuts, @).name}
"""

till = Till()
sessions = Sessions()
with imd.Store(reduce, state=state_of(FoodTruckModel(till))) as store:
    model = StoreModel(store)
    follow_sessions(store, sessions)
    store_taps = StoreTaps(store)

    def place_order(payload: None) -> None:
        order = till.next_order(model.donuts)
        store.dispatch(DID_PLACE_ORDER, {"order": encode(order)})

    listener = StoreListener(store, {TAP_ADD: place_order})
    play(
        App(
            screens=[
                StoreOrdersScreen(store, SELECT_ORDER),
                StoreTruckScreen(store),
                DonutsScreen(model),
            ],
            sessions=sessions,
            tap_status=store_taps.status,
            tap_add=store_taps.add,
            tap_complete=store_taps.complete,
            tap_rename=model.rename_donut,
            idle=listener.forward,
        )
    )
