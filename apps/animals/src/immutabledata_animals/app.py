"""The application."""

from __future__ import annotations

from functools import partial
from typing import Callable

import immutabledata as imd
from immutabledata_terminal import STYLES, StoreApp

from .browse import BrowseScreen


class AnimalsApp(StoreApp):
    """Shows a store of animals."""

    TITLE = "Animals"
    CSS_PATH = [STYLES, "animals.tcss"]

    def __init__(self, open_store: Callable[[], imd.Store], location: str) -> None:
        """The title shows location. Raises the errors of open_store."""
        super().__init__(open_store, location)

    def first_screen(self) -> BrowseScreen:
        return BrowseScreen(self.retry)

    async def retry(self, category_id: str | None) -> None:
        """Fetches everything again, and shows a category."""
        await self.reopen(partial(BrowseScreen, self.retry, category_id))
