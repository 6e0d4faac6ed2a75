"""The progress of what takes longer than a second, on a terminal."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

from .output import one_line

# Seconds until something is shown, and between two updates.
_DELAY = 1
_INTERVAL = 0.1

_BAR = 30


class Progress:
    """What has been done so far. A call takes the part that is done, and the whole."""

    def __init__(self, title: str) -> None:
        self.title = title
        self.text = ""
        """What to show instead of the bar."""
        self._done = self._total = 0
        self._start = time.monotonic()

    def __call__(self, done: int, total: int) -> None:
        self._done, self._total = done, total

    def __str__(self) -> str:
        seconds = f"{time.monotonic() - self._start:.0f} s"
        if self.text:
            return f"{self.title} {self.text}  {seconds}"
        if not self._total:
            return f"{self.title} …  {seconds}"
        part = min(self._done / self._total, 1)
        filled = round(part * _BAR)
        return f"{self.title} [{'#' * filled}{'.' * (_BAR - filled)}] {part:4.0%}  {seconds}"


@contextmanager
def progress(title: str) -> Iterator[Progress]:
    """Shows the progress of what is inside the with statement, after a second, on a terminal."""
    shown = Progress(title)
    if not sys.stderr.isatty():
        yield shown
        return
    is_over = threading.Event()
    thread = threading.Thread(target=_show, args=(shown, is_over), daemon=True)
    thread.start()
    try:
        yield shown
    finally:
        is_over.set()
        thread.join()


def _show(shown: Progress, is_over: threading.Event) -> None:
    delay: float = _DELAY
    length = 0
    while not is_over.wait(delay):
        delay = _INTERVAL
        text = one_line(str(shown))
        sys.stderr.write(f"\r{text.ljust(length)}")
        sys.stderr.flush()
        length = len(text)
    if length:
        sys.stderr.write(f"\r{' ' * length}\r")
        sys.stderr.flush()
