"""What the option strict adds in Python: it names impure calls of a reducer, and unused results."""

from __future__ import annotations

import builtins
import dis
import functools
import io
import os
import sys
import time
import types
from typing import Any, Callable

from ..errors import warn

# Functions of C that no reducer may call, with their names in warnings.
_IMPURE: dict[Any, str] = {
    **{
        function: f"time.{name}"
        for name, function in vars(time).items()
        if isinstance(function, types.BuiltinFunctionType)
        and name.startswith(("time", "monotonic", "perf_counter", "process_time", "localtime"))
    },
    builtins.open: "open",
    io.open: "open",
    builtins.input: "input",
    os.urandom: "os.urandom",
    os.getpid: "os.getpid",
    os.listdir: "os.listdir",
    os.stat: "os.stat",
}

# Functions in Python of these modules.
_IMPURE_MODULES = frozenset({"random", "secrets", "socket", "subprocess", "uuid", "urllib.request"})

# Functions of the module uuid.
_NEW_IDS = frozenset({"uuid1", "uuid4", "uuid6", "uuid7", "uuid8", "getnode"})

# Class methods of datetime and date.
_NOW = frozenset({"now", "today", "utcnow"})

# Methods of a Value that return another one, and change nothing.
_RETURNING = frozenset(
    {"set", "change", "insert", "remove", "merge", "patch", "update", "append", "extend"}
)


def watched(reducer: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    """The reducer, with warnings of what it calls that makes it impure, and of results that it
    drops, once for each line.

    While it runs, it replaces the profile function of the thread (sys.setprofile).
    """
    warned: set[str] = set()

    @functools.wraps(reducer)
    def reduce(state: Any, action: Any) -> Any:
        found: list[str] = []
        outer = sys.getprofile()
        sys.setprofile(functools.partial(_watch, found))
        try:
            return reducer(state, action)
        finally:
            sys.setprofile(outer)
            for message in found:
                if message not in warned:
                    warned.add(message)
                    warn(message)

    return reduce


def _watch(found: list[str], frame: types.FrameType, event: str, argument: Any) -> None:
    if event == "c_call":
        name = _impure_name(argument)
        # What a function of these modules calls in turn is its own matter.
        if name is not None and _module(frame) not in _IMPURE_MODULES:
            found.append(_impure_message(name, frame))
    elif event == "call":
        module, caller = _module(frame), frame.f_back
        if module in _IMPURE_MODULES and _module(caller) not in _IMPURE_MODULES:
            # A generator of random numbers that the reducer has made is pure.
            if caller is not None and _is_impure(module, frame):
                found.append(_impure_message(f"{module}.{frame.f_code.co_name}", caller))
    elif event == "c_return":
        if getattr(argument, "__name__", "") in _RETURNING:
            _note_dropped(found, frame, argument.__name__, getattr(argument, "__self__", None))
    elif event == "return":
        caller, name = frame.f_back, frame.f_code.co_name
        if name in _RETURNING and caller is not None:
            _note_dropped(found, caller, name, _self(frame))


def _impure_name(function: Any) -> str | None:
    try:
        name = _IMPURE.get(function)
    except TypeError:  # It has no hash.
        return None
    if name is not None:
        return name
    owner = getattr(function, "__self__", None)
    method = getattr(function, "__name__", "")
    if isinstance(owner, type) and owner.__module__ == "datetime" and method in _NOW:
        return f"{owner.__name__}.{method}"
    return f"random.{method}" if _is_shared_generator(owner) else None


def _is_shared_generator(owner: Any) -> bool:
    """Whether an object is the generator of the functions of the module random."""
    return owner is not None and owner is getattr(sys.modules.get("random"), "_inst", None)


def _is_impure(module: str, frame: types.FrameType) -> bool:
    """Whether a function of one of the modules may return something else each time."""
    if module == "random":
        return _is_shared_generator(_self(frame))
    # Not a method of a UUID, such as __str__, nor an id of a name.
    return module != "uuid" or frame.f_code.co_name in _NEW_IDS


def _module(frame: types.FrameType | None) -> str:
    return "" if frame is None else frame.f_globals.get("__name__", "")


def _self(frame: types.FrameType) -> Any:
    """The first argument of the function of a frame."""
    code = frame.f_code
    return frame.f_locals.get(code.co_varnames[0]) if code.co_argcount > 0 else None


def _impure_message(name: str, frame: types.FrameType) -> str:
    return (
        f"the reducer calls {name} at {_place(frame)}: a replay, an undo or another program would "
        "get another result; call it before the dispatch, or in an effect, and pass the result in "
        "the payload"
    )


def _note_dropped(found: list[str], caller: types.FrameType, name: str, owner: Any) -> None:
    from .._values import Value

    if isinstance(owner, Value) and _is_dropped(caller.f_code, caller.f_lasti):
        found.append(
            f"the reducer drops the result of {name} at {_place(caller)}: a Value does not change; "
            "use the result, or write the reducer with @drafting"
        )


def _place(frame: types.FrameType) -> str:
    return f"{os.path.basename(frame.f_code.co_filename)}:{frame.f_lineno}"


@functools.lru_cache(maxsize=1024)
def _is_dropped(code: types.CodeType, offset: int) -> bool:
    """Whether the instruction after a call drops what the call returned."""
    following = [
        instruction
        for instruction in dis.get_instructions(code)
        if instruction.offset > offset and instruction.opname != "CACHE"
    ]
    return bool(following) and following[0].opname == "POP_TOP"
