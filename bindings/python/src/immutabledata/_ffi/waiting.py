"""Waiting in the library, for as long as Python says, and not deaf to signals meanwhile."""

from __future__ import annotations

import math
import threading
import time
from typing import Callable, TypeVar

from ..errors import TimedOutError

_Result = TypeVar("_Result")

# For how many milliseconds the main thread waits at once: only between two waits can Python react
# to a signal, such as Ctrl-C.
_PATIENCE = 100

_FOREVER = -1
_LONGEST = 2**31 - 1


def wait(timeout: float | None, body: Callable[[int], _Result], late: str) -> _Result:
    """Calls body with a number of milliseconds to wait, until it raises no TimedOutError, or for
    timeout seconds; None is as long as it takes.

    late: what has not happened in time, for the message; the timeout follows.
    """
    left = _milliseconds(timeout)
    is_main = threading.current_thread() is threading.main_thread()
    while True:
        once = _PATIENCE if is_main and (left == _FOREVER or left > _PATIENCE) else left
        start = time.monotonic()
        try:
            return body(once)
        except TimedOutError:
            # Inside a callback the library does not wait, and says so.
            if once == _FOREVER or time.monotonic() - start < once / 2000:
                raise
            if once == left:
                raise TimedOutError(f"{late} {timeout} s") from None
            if left != _FOREVER:
                left -= once


def _milliseconds(timeout: float | None) -> int:
    if timeout is None:
        return _FOREVER
    if isinstance(timeout, bool) or not isinstance(timeout, (int, float)):
        raise TypeError(f"a timeout is a number of seconds or None, not {type(timeout).__name__}")
    if math.isnan(timeout) or timeout < 0:
        raise ValueError(f"a timeout is not negative; it cannot be {timeout}")
    return math.ceil(min(timeout * 1000, _LONGEST))
