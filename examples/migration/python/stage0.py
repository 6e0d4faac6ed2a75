"""Stage 0: the model and the screens, without a store."""

from legacy import App, DonutsScreen, FoodTruckModel, OrdersScreen, Sessions, Taps, Till
from legacy import TruckScreen, play

model = FoodTruckModel(Till())
sessions = Sessions()
taps = Taps(model, sessions)
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
