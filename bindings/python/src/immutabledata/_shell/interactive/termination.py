"""SIGTERM and SIGHUP, which a closed window of a terminal sends, end the shell as Ctrl+D does."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType


class Terminated(SystemExit):
    """A signal has asked the process to end. Event loops pass on a SystemExit."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.exit_code = 128 + number


def _raise(number: int, frame: FrameType | None) -> None:
    raise Terminated(number)


@contextmanager
def signals_raise() -> Iterator[None]:
    """Lets the with statements around a session end, which restore the terminal and remove what is
    temporary.
    """
    before = {each: signal.signal(each, _raise) for each in (signal.SIGTERM, signal.SIGHUP)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
