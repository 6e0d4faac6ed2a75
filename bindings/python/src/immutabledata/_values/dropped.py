"""Warns about calls that change nothing, because their result is dropped.

    state["todos"].append(todo)    # returns a new Value, and nothing keeps it

This looks like code for a list. Python warns in the same way about a coroutine that is not awaited.
"""

from __future__ import annotations

import sys
import warnings
from dis import opmap

_POP_TOP = opmap["POP_TOP"]
_CACHE = opmap.get("CACHE")  # Follows a call since Python 3.11; does nothing.


def warn_if_dropped(method: str) -> None:
    """Warns if the public method that calls this was called by code that drops the result.

    Python shows such a warning once for each line. It is raised if warnings are errors.
    """
    frame = sys._getframe(1).f_back
    if frame is None:  # The method is the first function of its thread.
        return
    code, after = frame.f_code.co_code, frame.f_lasti + 2
    while code[after] == _CACHE:
        after += 2
    if code[after] == _POP_TOP:
        warnings.warn(
            f"{method} does not change the Value but returns a new one, which is not used here; "
            "use it, or write the reducer with @immutabledata.drafting",
            RuntimeWarning,
            stacklevel=3,
        )
