"""Ctrl+C while something must not be left half done."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager


class Interrupts:
    """Delays Ctrl+C in its with statements. A second Ctrl+C takes effect at once, as what is inside
    may never end.
    """

    def __init__(self) -> None:
        self.is_held = False
        """Whether such a statement is running."""
        self._is_pending = False

    @contextmanager
    def handled(self) -> Iterator[None]:
        """Handles Ctrl+C in a with statement, which is around all others."""
        is_main = threading.current_thread() is threading.main_thread()
        if not is_main or signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
            yield  # As in the background, where Ctrl+C is ignored.
            return
        signal.signal(signal.SIGINT, self._handle)
        try:
            yield
        finally:
            signal.signal(signal.SIGINT, signal.default_int_handler)

    def check(self) -> None:
        """Raises KeyboardInterrupt: there was a Ctrl+C."""
        if self._is_pending:
            raise KeyboardInterrupt

    def __enter__(self) -> None:
        self.is_held = True

    def __exit__(self, *exception: object) -> None:
        self.is_held = False

    def _handle(self, *signal_and_frame: object) -> None:
        if self._is_pending or not self.is_held:
            raise KeyboardInterrupt
        self._is_pending = True
