"""Tells what a reducer calls from what interrupts it: signal handlers, finalizers, debuggers.

The library fails a reducer that uses its store, and it knows only the thread of a call. What
interrupts a reducer runs on the same thread, so it is refused here, before the library.
"""

from __future__ import annotations

import functools
import gc
import sys
import types
import weakref
from collections.abc import Iterator
from typing import Any

from .thread_state import ENTRIES

# Flags of code, see inspect.CO_VARARGS and the others.
_VARIABLE_ARGUMENTS, _GENERATOR = 0x04, 0x20


def is_interruption(function: Any) -> bool:
    """Whether the calling code has interrupted a function that must be pure.

    function: the one that is running, if the library may call it without an entry.
    """
    ends = {*ENTRIES, _code_of(function)}
    frame: types.FrameType | None = sys._getframe(1)
    while frame is not None and frame.f_code not in ends:
        if _is_called_by_interpreter(frame):
            return True
        frame = frame.f_back
    return False


def _is_called_by_interpreter(frame: types.FrameType) -> bool:
    """Whether the interpreter called the function of a frame, not the code below it.

    It passes what no other caller does: the frame or the code that it interrupted, a weak reference
    to an object that has gone, an object to its finalizer.
    """
    code, caller = frame.f_code, frame.f_back
    arguments = list(_arguments(frame))
    if arguments and _code_of(getattr(type(arguments[0]), "__del__", None)) is code:
        return True
    for argument in arguments:
        kind = type(argument)
        if kind is types.FrameType and _is_below(frame, argument):
            return True  # A signal handler, or the function of a debugger or profiler.
        if caller is not None and argument is caller.f_code:
            return True  # A function of sys.monitoring.
        if issubclass(kind, weakref.ref) and argument() is None:
            return True
    if code.co_flags & _GENERATOR and _is_closing(frame):
        return True
    return any(_code_of(callback) is code for callback in gc.callbacks)


def _arguments(frame: types.FrameType) -> Iterator[Any]:
    """What the function of a frame was called with, as far as it still has it."""
    code = frame.f_code
    count = code.co_argcount + code.co_kwonlyargcount
    values = frame.f_locals
    for name in code.co_varnames[:count]:
        if name in values:
            yield values[name]
    if code.co_flags & _VARIABLE_ARGUMENTS:
        more = values.get(code.co_varnames[count])
        if type(more) is tuple:
            yield from more


def _is_below(frame: types.FrameType, other: types.FrameType) -> bool:
    below = frame.f_back
    while below is not None and below is not other:
        below = below.f_back
    return below is not None


def _is_closing(frame: types.FrameType) -> bool:
    """Whether the generator of a frame is being closed, as the interpreter does to a lost one."""
    raised = sys.exc_info()[1]
    while raised is not None:
        trace = raised.__traceback__
        if isinstance(raised, GeneratorExit) and trace is not None and trace.tb_frame is frame:
            return True
        raised = raised.__context__
    return False


def _code_of(function: Any) -> Any:
    """The code that a call of a function runs first; None if that is not Python."""
    while isinstance(function, functools.partial):
        function = function.func
    function = getattr(function, "__func__", function)
    code = getattr(function, "__code__", None)
    if code is None:
        code = getattr(getattr(type(function), "__call__", None), "__code__", None)
    return code
