"""Waits inside the library in portions, so that Python can handle signals in between."""

from __future__ import annotations

import math
import threading
import time
from typing import Callable, TypeVar

from ..errors import InvalidArgumentError, TimedOutError, wrong_type

_Result = TypeVar("_Result")

# How many milliseconds the main thread waits inside the library at a time. Python runs its signal
# handlers, for example for Ctrl-C, only between two waits.
PORTION = 100

_FOREVER = -1
_MAX_MILLISECONDS = 2**31 - 1


def wait(timeout: float | None, call: Callable[[int], _Result], failure: str) -> _Result:
    """Calls call(milliseconds) until it does not raise TimedOutError, and returns its result.

    timeout: seconds in total; None waits without limit.
    failure: the beginning of the message of a timeout; the number of seconds follows.

    Raises TimedOutError: the timeout passed.
    """
    left = to_milliseconds(timeout)
    is_main = threading.current_thread() is threading.main_thread()
    while True:
        portion = PORTION if is_main and (left == _FOREVER or left > PORTION) else left
        start = time.monotonic()
        try:
            return call(portion)
        except TimedOutError:
            # Inside a callback the library does not wait, and its message says so.
            if portion == _FOREVER or time.monotonic() - start < portion / 2000:
                raise
            if portion == left:
                raise TimedOutError(f"{failure} {timeout} s") from None
            if left != _FOREVER:
                left -= portion


def to_milliseconds(timeout: float | None) -> int:
    """Converts a timeout in seconds for the library, in which None is a negative number."""
    if timeout is None:
        return _FOREVER
    if isinstance(timeout, bool) or not isinstance(timeout, (int, float)):
        raise wrong_type("a timeout", "a number of seconds or None", timeout)
    # Not isnan for an int: it raises OverflowError for one that no float can hold.
    if (isinstance(timeout, float) and math.isnan(timeout)) or timeout < 0:
        raise InvalidArgumentError(f"a timeout must be a number from 0, or None; got {timeout}")
    return math.ceil(min(timeout * 1000, _MAX_MILLISECONDS))
