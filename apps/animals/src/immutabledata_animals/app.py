"""The application: it owns the store, and polls it from the event loop."""

from __future__ import annotations

import asyncio
import contextlib
from typing import Any, Callable

import immutabledata as imd
from textual.app import App

from .browse import BrowseScreen


class AnimalsApp(App[None]):
    """Shows a store of animals, which it opens, and closes on exit."""

    TITLE = "Animals"
    CSS_PATH = "animals.tcss"
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (72, "-wide")]
    VERTICAL_BREAKPOINTS = [(0, "-short"), (20, "-tall")]

    def __init__(self, open_store: Callable[[], imd.Store], location: str) -> None:
        """The title shows location. Raises the errors of open_store."""
        super().__init__()
        self.sub_title = location
        self.changes: dict[str, str] = {}
        """What was last attempted with each animal: "saved" or "deleted"."""
        self._open_store = open_store
        self.store = open_store()

    def on_mount(self) -> None:
        self._watch_store()
        self.push_screen(BrowseScreen())

    def on_unmount(self) -> None:
        self._close_store()

    def reopen(self, category_id: str | None) -> None:
        """Opens a new store and shows a category.

        A store fetches only once, even if that fails, so retrying needs a new store.
        """
        try:
            store = self._open_store()
        except imd.Error as error:
            self.notify(str(error), title="Cannot open the animals", severity="error", markup=False)
            return
        self._close_store()
        self.store = store
        self._watch_store()
        self.switch_screen(BrowseScreen(category_id))

    def _watch_store(self) -> None:
        self.store.on_error = self._fail
        asyncio.get_running_loop().add_reader(self.store.fileno(), self.store.poll)

    def _close_store(self) -> None:
        # Finishes pending effects first, unless they take long.
        with contextlib.suppress(imd.TimedOutError):
            self.store.settle(timeout=2)
        # The descriptor is closed with the store.
        asyncio.get_running_loop().remove_reader(self.store.fileno())
        self.store.close()

    def _fail(self, error: BaseException, callback: Callable[..., Any]) -> None:
        """Exits the application with an observer's error, as for an error of a message handler."""

        def fail() -> None:
            raise error

        self.call_later(fail)
