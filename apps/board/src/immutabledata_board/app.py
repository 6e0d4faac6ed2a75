"""The application."""

from __future__ import annotations

from typing import Any, Callable

import immutabledata as imd
from immutabledata_terminal import STYLES, StoreApp

from .browse import BrowseScreen
from .changes import Changes


class BoardApp(StoreApp):
    """Shows a store with the reducer of the board."""

    TITLE = "Board"
    CSS_PATH = [STYLES, "board.tcss"]

    def __init__(
        self, open_store: Callable[[], imd.Store[Any]], location: str, changes: Changes
    ) -> None:
        """Raises the errors of open_store."""
        super().__init__(open_store, location)
        self.browse = BrowseScreen(changes)

    def first_screen(self) -> BrowseScreen:
        return self.browse
