"""The application."""

from __future__ import annotations

from typing import Callable

import immutabledata as imd
from immutabledata_terminal import STYLES, StoreApp

from .browse import BrowseScreen
from .legacy import FoodTruckModel
from .migration import Activities, ModelHistory, ModelListener, StoreListener


class FoodTruckApp(StoreApp):
    """Shows a store, whose records come from a legacy model."""

    TITLE = "Food truck"
    CSS_PATH = [STYLES, "foodtruck.tcss"]

    def __init__(self, open_store: Callable[[], imd.Store], model: FoodTruckModel) -> None:
        """Raises the errors of open_store."""
        super().__init__(open_store, "today")
        self.model = model
        self.history = ModelHistory(self.show_history)
        self.browse = BrowseScreen(model, self.history)
        self.activities = Activities(self.show_activities)

    def first_screen(self) -> BrowseScreen:
        return self.browse

    def on_mount(self) -> None:
        StoreListener(self.store).listen(self.model, self.activities)
        ModelListener(self.store).listen(self.model)
        self.history.listen(self.model)

    def show_history(self) -> None:
        self.browse.refresh_bindings()

    def show_activities(self) -> None:
        self.browse.banner.show(list(self.activities.orders.values()))
