"""Warns about calls that have no effect, because their result is dropped.

    state["todos"].append(todo)    # returns a new Value, and nothing keeps it

This looks like code for a list. Python warns in the same way about a coroutine that is not awaited.
"""

from __future__ import annotations

import functools
import sys
import warnings
from dis import Instruction, get_instructions, opmap
from types import CodeType

_POP_TOP = opmap["POP_TOP"]
_CACHE = opmap.get("CACHE")  # Follows a call since Python 3.11; does nothing.

# The calls that use their result, by code and offset: reading the bytecode copies it. The code is
# kept alive, so its id is not reused.
_harmless: dict[tuple[int, int], CodeType] = {}
_CAPACITY = 4096

recent: dict[int, CodeType] = {}
"""For an offset, the code that used the result there last: a caller may look here first."""


def warn_if_dropped(method: str) -> None:
    """Warns if the public method that calls this was called by code that drops the result.

    Python shows such a warning once for each line. It is raised if warnings are errors.
    """
    try:
        # Not f_back: Python would make an object for each frame on the way.
        frame = sys._getframe(2)
    except ValueError:  # The method is the first function of its thread.
        return
    code, call = frame.f_code, frame.f_lasti
    if _harmless.get((id(code), call)) is code:
        recent[call] = code
        return
    after = call + 2
    bytecode = code.co_code
    while bytecode[after] == _CACHE:
        after += 2
    if bytecode[after] != _POP_TOP or not _calls(code, method):
        if len(_harmless) >= _CAPACITY:
            _harmless.clear()
            recent.clear()
        _harmless[id(code), call] = code
    else:
        warnings.warn(
            f"{method} does not change the Value but returns a new one, which is not used here; "
            "use it, or write the reducer with @immutabledata.drafting",
            RuntimeWarning,
            stacklevel=3,
        )


@functools.lru_cache
def _calls(code: CodeType, method: str) -> bool:
    """Whether code itself calls a method of that name.

    If it only passes the method on, as in any(map(value.append, data)), it drops the result of
    another call.
    """
    return any(step.argval == method and _loads_callee(step) for step in get_instructions(code))


def _loads_callee(step: Instruction) -> bool:
    """Whether an instruction loads a method in order to call it."""
    if step.opname == "LOAD_ATTR":
        # Python 3.12 has a flag for this. Before 3.11, a call with keywords loads its method as any
        # other attribute.
        flag = (step.arg or 0) & 1
        return sys.version_info < (3, 11) or (sys.version_info >= (3, 12) and flag == 1)
    return step.opname == "LOAD_METHOD"
