"""Reducers written in Python, as the library calls them."""

from __future__ import annotations

import _thread
import itertools
import time
import weakref
from collections.abc import Mapping
from typing import Any, Callable, TypeVar

from .. import _ffi
from .._ffi.waiting import PORTION
from .._values import (
    ASYNC_REDUCER,
    Reducer,
    Reference,
    Value,
    read,
    refuse_coroutine,
    to_reference,
)
from .._values.value import explain_attribute
from ..errors import (
    Error,
    LimitError,
    OutdatedError,
    ReducerFailedError,
    ReentrantError,
    RefusedError,
    TimedOutError,
)
from .effect_failures import is_same
from .interrupting import keep_interruption
from .thread_state import IN_DRIVER, ThreadState, entry, local

_FAILED = ReducerFailedError.status
_INTERRUPTED = TimedOutError.status
# What the library says if the reducer did not confirm its result.
_INTERRUPTION = "the reducer was interrupted"

_Result = TypeVar("_Result")


class RegisteredReducer:
    """A reducer, and the number by which the library calls it.

    Only its store keeps it alive, and each call that may lead to the reducer keeps the store. If
    the library had a reference, a reducer that refers to its own store would leak both.
    """

    def __init__(self, reducer: Reducer[Any], is_optimistic: bool, shares_log: bool = False) -> None:
        from .._types import TypedReducer, classes_of

        self.reducer = reducer
        # Whether a dispatch may call the reducer for earlier actions again.
        self.is_optimistic = is_optimistic
        # Whether a dispatch calls the reducer for actions of other stores first.
        self.shares_log = shares_log
        # Whether a slice takes a type; None if the reducer may take all, or its schema says which.
        self.takes: Callable[[str], bool] | None = None
        if not isinstance(reducer, TypedReducer):
            self.takes = getattr(reducer, "takes", None)
        # What makes the type and payload of an action, by its class.
        self.classes: dict[type, Any] = classes_of(reducer)
        # Some of the types that a slice takes, or that another reducer was called with. The
        # extension leaves a dispatch of any other type to the package.
        self.taken: set[str] = set()
        # Those of another reducer that changed the state.
        self.changing: set[str] = set()
        # The types that a warning was about.
        self.warned: set[str] = set()
        self.number = next(_numbers)
        _reducers[self.number] = weakref.ref(self)
        weakref.finalize(self, _reducers.pop, self.number)

    def may_repeat(self, action: Mapping[str, Any]) -> bool:
        """Whether the dispatch of an action may call the reducer for others, too."""
        return self.shares_log or self.is_optimistic and "meta" in action


_reducers: dict[int, Callable[[], RegisteredReducer | None]] = {}
_numbers = itertools.count(1 if _ffi.FUNCTIONS is None else _ffi.FUNCTIONS.first_number)


def is_reducing(number: int | None) -> bool:
    """Whether this thread is inside the reducer with a number; False for None."""
    return number is not None and local.state.running == number


def call_outside_reducer(
    number: int | None, function: Callable[[Any], object], argument: Any
) -> None:
    """Calls a function; on another thread if this one is inside the reducer with a number, or has
    interrupted another function that must be pure.

    For finalizers: the interpreter may run them anywhere, which is not a mistake of the reducer.
    """
    if is_reducing(number) or is_interrupting():
        _thread.start_new_thread(function, (argument,))
    else:
        function(argument)


def is_interrupting() -> bool:
    """Whether the calling code has interrupted a function that must be pure."""
    number = local.state.running
    if number is None:
        return False
    if number == IN_DRIVER:
        return True  # A finalizer: the methods of a driver cannot use a store.
    from .interruption import is_interruption

    return is_interruption(_function_of(number) if number in _reducers else None)


def refuse_interruption() -> None:
    """Raises ReentrantError if the calling code has interrupted a function that must be pure."""
    if is_interrupting():
        raise ReentrantError(
            "a signal handler, a finalizer or a debugger interrupted a reducer or another function "
            "that must not do this; wait until that function has returned"
        )


def send(call: Callable[[], _Result], may_repeat: bool = False) -> _Result:
    """Makes a call that dispatches; raises what the reducer raised, unchanged, and what interrupted
    another callback, see keep_interruption.

    may_repeat: whether the call may reach a reducer in Python several times, and skip actions that
        it rejects. An exception such as KeyboardInterrupt does not reject an action: it fails the
        whole call.
    """
    thread = local.state
    refuse_interruption()
    # An observer may dispatch after the reducer raised. A C function may have called the reducer
    # outside any dispatch of the package; what that raised is not kept.
    outer = thread.may_repeat
    outer_raised = None if outer is None else thread.raised
    outer_interruption = thread.interruption
    thread.raised, thread.may_repeat, thread.interruption = None, may_repeat, None
    failure: Error | None = None
    raised: BaseException | None = None
    interruption: BaseException | None = None
    try:
        while True:
            start = time.monotonic()
            try:
                return call()
            except Error as failed:
                failure = failed
            # Also set if the call skipped an action that the reducer rejected, and then failed.
            raised = thread.raised
            # Not for the file of a shared log, whose limit is long.
            is_late = (
                isinstance(failure, TimedOutError)
                and raised is None
                and str(failure).startswith("a stream ")
            )
            if not is_late or time.monotonic() - start < PORTION / 2000:
                break
            # It waited for room in a stream. Between two waits, Python runs its signal handlers.
        raise failed_dispatch(failure, raised)
    finally:
        interruption = thread.interruption
        thread.raised, thread.may_repeat = outer_raised, outer
        thread.interruption, thread.selector_raised = outer_interruption, None
        try:
            if interruption is not None:
                raise interruption
        finally:
            # The traceback refers to this frame; the frame must not refer back.
            del failure, raised, interruption, outer_raised, outer_interruption


def create(
    registered: RegisteredReducer, state: bytes, options: tuple[bytes | None, int], handle: Any
) -> None:
    """Creates the store of a reducer, which the library calls for the entries of a log."""
    repeat(
        _ffi.imd_store_create,
        state,
        len(state),
        C_REDUCER,
        registered.number,
        _ffi.imd_release(),
        *options,
        handle,
        _ffi.imd_error(),
    )


def repeat(function: Callable[..., _Result], *arguments: Any) -> _Result:
    """Calls a function that may call a reducer in Python for the entries of a log.

    What the reducer raises is the cause of the error, whose message names the entry. An exception
    such as KeyboardInterrupt is raised unchanged.
    """
    thread = local.state
    outer, outer_raised = thread.may_repeat, thread.raised
    thread.raised, thread.may_repeat = None, True
    try:
        return function(*arguments)
    except (LimitError, OutdatedError, ReducerFailedError, ReentrantError, RefusedError) as error:
        raised = thread.raised
        if raised is None and _INTERRUPTION in error.message:
            raised = _interrupted(thread)
        try:
            if raised is None:
                raise
            if isinstance(raised, Exception):
                raise error from raised
            raise raised from None
        finally:
            # The traceback refers to this frame; the frame must not refer back.
            del raised
    finally:
        thread.raised, thread.may_repeat = (None if outer is None else outer_raised), outer


def _interrupted(thread: ThreadState) -> KeyboardInterrupt:
    """The exception for a call of the reducer that an exception left, so it returned no status."""
    thread.running = None
    return KeyboardInterrupt(
        "a signal handler interrupted the call of the reducer; its exception went to "
        "sys.unraisablehook"
    )


def failed_dispatch(error: Error, raised: BaseException | None) -> BaseException:
    """The exception for a failed dispatch: what the reducer raised, if it did."""
    if raised is None:
        if isinstance(error, ReducerFailedError) and _INTERRUPTION in error.message:
            # An exception left _reduce, so its status is not valid.
            return _interrupted(local.state)
        return error
    if isinstance(error, (OutdatedError, ReentrantError)) and isinstance(raised, Exception):
        if not isinstance(raised, ReentrantError):
            # The reducer refused the action of another store; or it used its store, even if it
            # caught that error and raised another.
            error.__cause__ = raised
            return error
    return raised


def keep_reducer_interruption(reported: bytes) -> bool:
    """Keeps what interrupted a reducer that was called with an outcome, see keep_interruption.

    reported: the message of the library about it.

    Returns whether it was kept.
    """
    thread = local.state
    rejections = thread.rejections or []
    for at, (message, raised) in enumerate(rejections):
        if is_same(reported, message):
            del rejections[at]
            return keep_interruption(raised, "the reducer")
    if thread.rejections is None or _INTERRUPTION.encode() not in reported:
        return False
    return keep_interruption(_interrupted(thread), "the reducer")


@entry
def _reduce(context: Any, state: Any, action: Any, out: Any, error: Any) -> int:
    # A signal handler may raise anywhere here, also before the first statement. If that leaves this
    # function, ctypes returns the bytes that happen to be on the stack: often the last status. So
    # the store is "interruptible": 0 counts only if out is set, another status only if
    # error.status is set to it too. These are set last: what raises before fails the dispatch.
    thread = local.state
    outer = thread.running
    if thread.may_repeat:
        thread.raised = None  # Of an earlier action that the reducer rejected.
    result: Reference | None = None
    rejection: BaseException | None = None
    try:
        thread.running = context
        before = read(state)
        after = _function_of(context)(before, read(action))
        if after is not before:
            result = after if isinstance(after, Value) else _converted(after)
    except BaseException as raised:
        rejection = raised
    thread.running = outer
    if rejection is None:
        out[0] = state if result is None else _ffi.imd_value_retain(result._handle)
        return 0
    try:
        return _rejected(rejection, error)
    finally:
        # The traceback refers to this frame; the frame must not refer back.
        rejection = None


def _function_of(number: int) -> Any:
    """The reducer with a number."""
    registered: Any = _reducers[number]()
    return registered.reducer


def _rejected(raised: BaseException, error: int) -> int:
    """Fails a call of a reducer: sets the imd_error at an address, and returns the status."""
    if isinstance(raised, AttributeError):
        explain_attribute(raised)
    thread = local.state
    failure = _ffi.imd_error.from_address(error)
    failure.message, failure.code = message_of(raised), code_of(raised)
    status = _status_of(raised)
    if thread.may_repeat is not None:
        thread.raised = raised
    if thread.rejections is not None and not isinstance(raised, Exception):
        thread.rejections.append((failure.message, raised))
    failure.status = status
    return status


def _status_of(raised: BaseException) -> int:
    """The status for an exception: whether it rejects the action, also one that is reduced again."""
    if isinstance(raised, LimitError):
        return LimitError.status
    return _FAILED if isinstance(raised, Exception) else _INTERRUPTED


def _converted(after: Any) -> Reference:
    """What a reducer returned, if it is not a Value."""
    if after is None:
        raise ReducerFailedError(
            "the reducer returned None; it must return the next state, or its argument if nothing "
            "changes"
        )
    refuse_coroutine(after, "the reducer", ASYNC_REDUCER)
    return to_reference(after, "what the reducer returned")


# The C function of every reducer; its context is the number. A global, so that it is never freed
# while the library may call it.
C_REDUCER = _ffi.imd_reducer(
    _reduce if _ffi.FUNCTIONS is None else _ffi.FUNCTIONS.reducer
)

_ffi.call_back("find_reducer", _function_of)
_ffi.call_back("rejected", _rejected)
_ffi.call_back("converted", _converted)


def message_of(raised: BaseException) -> bytes:
    """The message that the library gets for an exception of a reducer or of a rule."""
    try:
        text = f"{type(raised).__name__}: {raised}"
    except Exception:  # Exceptions of __str__ must not reach C.
        text = type(raised).__name__
    return text.encode("utf-8", "replace")[:255].decode("utf-8", "ignore").encode()


def code_of(raised: BaseException) -> int:
    """The code that the library gets for an exception of a reducer or of a rule; 0 if it has no
    code that fits into an int of C.
    """
    code = raised.code if isinstance(raised, Error) else 0
    return code if isinstance(code, int) and -(2**31) <= code < 2**31 else 0
