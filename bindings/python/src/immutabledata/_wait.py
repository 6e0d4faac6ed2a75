"""Waiting in the library, for as long as Python says, and not deaf to signals meanwhile."""

from __future__ import annotations

import math
import threading
from typing import Callable, TypeVar

from .errors import TimedOutError

_Result = TypeVar("_Result")

# For how many milliseconds the main thread waits at once: only between two waits can Python react
# to a signal, such as Ctrl-C.
_PATIENCE = 100

_FOREVER = -1
_LONGEST = 2**31 - 1


def wait(timeout: float | None, body: Callable[[int], _Result]) -> _Result:
    """Calls body with a number of milliseconds to wait, until it raises no TimedOutError, or for
    timeout seconds; None is as long as it takes.
    """
    milliseconds = _milliseconds(timeout)
    if threading.current_thread() is not threading.main_thread():
        return body(milliseconds)
    while milliseconds == _FOREVER or milliseconds > _PATIENCE:
        try:
            return body(_PATIENCE)
        except TimedOutError:
            if milliseconds != _FOREVER:
                milliseconds -= _PATIENCE
    return body(milliseconds)


def _milliseconds(timeout: float | None) -> int:
    if timeout is None:
        return _FOREVER
    if isinstance(timeout, bool) or not isinstance(timeout, (int, float)):
        raise TypeError(f"a timeout is a number of seconds or None, not {type(timeout).__name__}")
    if math.isnan(timeout) or timeout < 0:
        raise ValueError(f"a timeout is not negative; it cannot be {timeout}")
    return math.ceil(min(timeout * 1000, _LONGEST))
