"""The application."""

from __future__ import annotations

from datetime import date
from functools import partial
from typing import Callable

import immutabledata as imd
from immutabledata_terminal import STYLES, StoreApp

from .browse import BrowseScreen
from .time_zone import TimeZone


class QuakesApp(StoreApp):
    """Shows a store of quakes."""

    TITLE = "Quakes"
    CSS_PATH = [STYLES, "quakes.tcss"]

    def __init__(
        self, open_store: Callable[[], imd.Store], location: str, zone: TimeZone | None = None
    ) -> None:
        """The title shows location. Days begin in zone; None selects that of the system."""
        super().__init__(open_store, location)
        self.zone = zone or TimeZone()

    def first_screen(self) -> BrowseScreen:
        return BrowseScreen(self.zone, self.load)

    async def load(self, day: date | None) -> None:
        """Loads the stored quakes again, and shows a day."""
        await self.reopen(partial(BrowseScreen, self.zone, self.load, day))
