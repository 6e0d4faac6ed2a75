"""Exceptions that interrupt a callback: they reach the call that led to it, when it has ended."""

from __future__ import annotations

from typing import Callable, TypeVar

from ..errors import add_note
from .thread_state import local

_Result = TypeVar("_Result")


def keep_interruption(error: BaseException, role: str = "a callback") -> bool:
    """Keeps an exception that is no Exception, such as KeyboardInterrupt, for the call of the
    program on this thread that led to the callback.

    Of several, the first one is raised, with notes about the others.

    role: what raised it: 'the observer of "total"'.

    Returns whether it was kept; False for an Exception, and if there is no such call, as on a
    thread of the library.
    """
    if isinstance(error, Exception):
        return False
    thread = local.state
    if thread.may_repeat is None:
        return False
    first = thread.interruption
    if first is None:
        thread.interruption = error
    elif first is not error:
        add_note(first, f"{role} raised {_described(error)}")
    return True


def _described(error: BaseException) -> str:
    name = type(error).__name__
    try:
        text = str(error)
    except Exception:
        text = ""
    return f"{name}: {text}" if text else name


def raising_interruptions(call: Callable[[], _Result]) -> _Result:
    """Makes a call that may lead to callbacks, and is no dispatch; then raises what interrupted one
    of them.
    """
    thread = local.state
    outer = thread.may_repeat, thread.raised, thread.interruption, thread.rejections
    thread.may_repeat, thread.interruption, thread.rejections = False, None, []
    interruption: BaseException | None = None
    try:
        return call()
    finally:
        interruption = thread.interruption
        thread.may_repeat, thread.raised, thread.interruption, thread.rejections = outer
        try:
            if interruption is not None:
                raise interruption
        finally:
            # The traceback refers to this frame; the frame must not refer back.
            del interruption, outer
