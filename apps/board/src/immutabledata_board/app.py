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

        self._is_quitting = False

    def first_screen(self) -> BrowseScreen:
        return self.browse

    async def action_quit(self) -> None:
        """Quits when the commands so far have ended; at once if the user asks again."""
        if self._is_quitting:
            self.exit()
        self._is_quitting = True
        self.run_worker(self._finish())

    async def _finish(self) -> None:
        await self.browse.commands.join()
        self.exit()
