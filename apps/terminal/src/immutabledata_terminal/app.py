"""The application: it owns the store, and polls it from the event loop."""

from __future__ import annotations

import asyncio
import contextlib
import signal
from pathlib import Path
from typing import Any, Callable

import immutabledata as imd
from textual.app import App
from textual.screen import Screen

STYLES = Path(__file__).with_name("terminal.tcss")
"""The styles of the shared widgets; an application adds its own: CSS_PATH = [STYLES, "my.tcss"]."""


class StoreApp(App[None]):
    """Shows a store, which it opens, and closes on exit."""

    CSS_PATH = [STYLES]
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (72, "-wide")]
    VERTICAL_BREAKPOINTS = [(0, "-short"), (20, "-tall")]

    def __init__(self, open_store: Callable[[], imd.Store], location: str) -> None:
        """The title shows location. Raises the errors of open_store."""
        super().__init__()
        self.sub_title = location
        self._open_store = open_store
        self.store = open_store()

    def first_screen(self) -> Screen[None]:
        """The screen shown at the start."""
        raise NotImplementedError

    def on_mount(self) -> None:
        # Without a handler, SIGTERM would leave the terminal in the mode of the application.
        asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, self._terminate)
        self._watch_store()
        self.push_screen(self.first_screen())

    async def on_unmount(self) -> None:
        await self._close_store()
        asyncio.get_running_loop().remove_signal_handler(signal.SIGTERM)

    def _terminate(self) -> None:
        """Exits with the status that a shell reports for a program that SIGTERM has ended."""
        self.exit(return_code=128 + signal.SIGTERM)

    async def reopen(self, screen: Callable[[], Screen[None]]) -> None:
        """Opens a new store, and shows it on a new screen.

        A domain fetches its data for the first `onAppear` only, even if that fails, so the user
        retries with a new store. If it cannot be opened, the old one stays, and the user is
        notified.
        """
        try:
            store = self._open_store()
        except imd.Error as error:
            title = f"Cannot open the {self.TITLE.lower()}" if self.TITLE else "Cannot open it"
            self.notify(str(error), title=title, severity="error", markup=False)
            return
        await self._close_store()
        self.store = store
        self._watch_store()
        self.switch_screen(screen())

    def _watch_store(self) -> None:
        self.store.on_error = self._fail
        asyncio.get_running_loop().add_reader(self.store.fileno(), self.store.poll)

    async def _close_store(self) -> None:
        # Finishes pending effects first, unless they take long. Some may need the event loop.
        with contextlib.suppress(imd.TimedOutError):
            await asyncio.to_thread(self.store.settle, timeout=2)
        # The descriptor is closed with the store.
        asyncio.get_running_loop().remove_reader(self.store.fileno())
        self.store.close()

    def _fail(self, error: BaseException, callback: Callable[..., Any] | None) -> None:
        """Exits the application with the error of a callback, as for one of a message handler."""
        if callback is None:
            return  # An effect of the domain failed: the state says so, and the screen shows it.

        def fail() -> None:
            raise error

        self.call_later(fail)
