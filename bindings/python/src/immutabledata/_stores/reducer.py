"""Reducers written in Python, as the library calls them."""

from __future__ import annotations

import _thread
import itertools
import time
import weakref
from sys import getrefcount
from typing import Any, Callable, TypeVar

from .. import _ffi
from .._ffi.waiting import PORTION
from .._values import (
    ASYNC_REDUCER,
    ObjectValue,
    Reducer,
    Reference,
    Value,
    read,
    refuse_coroutine,
    to_reference,
)
from .._values.value import explain_attribute
from ..errors import Error, LimitError, ReducerFailedError, ReentrantError, TimedOutError
from .action import PAYLOAD, WHOLE, LazyValue, SentAction
from .thread_state import ThreadState, local

# Names of this module for what each dispatch uses: Python finds them faster.
_retain = _ffi.quick_retain
_spare_errors = _ffi.spare_errors
_ZERO_TERMINATED = _ffi.ZERO_TERMINATED
_FAILED = ReducerFailedError.status
_INTERRUPTED = _TIMED_OUT = TimedOutError.status
# What the library says if the reducer did not confirm its result.
_INTERRUPTION = b"the reducer was interrupted"

_Result = TypeVar("_Result")


class RegisteredReducer:
    """A reducer, and the number by which the library calls it.

    Only its store keeps it alive, and each call that may lead to the reducer keeps the store. If
    the library had a reference, a reducer that refers to its own store would leak both.
    """

    def __init__(self, reducer: Reducer[Any], is_optimistic: bool, has_history: bool) -> None:
        self.reducer = reducer
        # Whether a dispatch may call the reducer for earlier actions again.
        self.is_optimistic = is_optimistic
        # Whether a slice takes a type; None if the reducer may take all.
        self.takes: Callable[[str], bool] | None = getattr(reducer, "takes", None)
        # The types that a warning was about.
        self.warned: set[str] = set()
        # Whether the reducer makes all states except the first, one at a time. In an optimistic
        # store or one with a history, a state can return without a call of the reducer.
        self.makes_all_states = not is_optimistic and not has_history
        # The number of the last run of the reducer that changed a state, and the Value that it
        # returned, which has members cached. It is usually the state for the next action, but not
        # if the library repeats a log, perhaps on another thread; so both are one attribute.
        self.last: tuple[int, Any] = (0, None)
        # The number of the last run whose dispatch succeeded. If it is that of last, a dispatch gets
        # the state of last; it never is unless the reducer makes all states.
        self.committed_run = -1
        self.number = next(_numbers)
        _reducers[self.number] = weakref.ref(self)
        weakref.finalize(self, _reducers.pop, self.number)


_reducers: dict[int, Callable[[], RegisteredReducer | None]] = {}
_numbers = itertools.count(1)
_runs = itertools.count(1)


def is_reducing(number: int | None) -> bool:
    """Whether this thread is inside the reducer with a number; False for None."""
    return number is not None and local.state.running == number


def call_outside_reducer(
    number: int | None, function: Callable[[Any], object], argument: Any
) -> None:
    """Calls a function; on another thread if this one is inside the reducer with a number.

    For finalizers: the interpreter may run them anywhere, which is not a mistake of the reducer.
    """
    if is_reducing(number):
        _thread.start_new_thread(function, (argument,))
    else:
        function(argument)


Functions = tuple[Callable[..., int], Callable[..., int]]
"""The quick functions that send JSON and a value."""


def send(
    functions: Functions,
    store: Any,
    data: bytes | Reference,
    sent: SentAction | None,
    may_repeat: bool = False,
) -> None:
    """Dispatches data to a store; raises what the reducer raised, unchanged.

    sent: the action; None if the function may call the reducer for other actions, or the store has
        no reducer in Python.
    may_repeat: whether the function may call a reducer in Python several times, and skip actions
        that it rejects. An exception such as KeyboardInterrupt does not reject an action: it fails
        the whole call.
    """
    thread = local.state
    try:
        spare = _spare_errors.pop()
    except IndexError:
        spare = _ffi.new_error()
    error, argument = spare
    # An observer may dispatch after the reducer raised. A C function may have called the reducer
    # outside any dispatch of the package; what that raised is not kept.
    outer = thread.may_repeat
    outer_raised = None if outer is None else thread.raised
    thread.sent, thread.raised, thread.may_repeat = sent, None, may_repeat
    try:
        start = 0.0
        while True:
            if isinstance(data, bytes):
                status = functions[0](store, data, _ZERO_TERMINATED, argument)
            else:
                status = functions[1](store, data._handle, argument)
            # Also set if the call skipped an action that the reducer rejected, and succeeded.
            raised = thread.raised
            if status != _TIMED_OUT or time.monotonic() - start < PORTION / 2000:
                break
            # It waited for room in a stream. Between two waits, Python runs its signal handlers.
            start, thread.sent = time.monotonic(), sent
    finally:
        thread.sent, thread.raised, thread.may_repeat = None, outer_raised, outer
        thread.selector_raised = None
    if status:
        failure = _failure(_ffi.exception(error), raised)
        if raised is None and status == _FAILED and _INTERRUPTION in error.message:
            # An exception left _reduce, so its status is not valid.
            failure = _interrupted(thread)
        try:
            raise failure
        finally:
            # The traceback refers to this frame; the frame must not refer back.
            del failure, raised, outer_raised
    _spare_errors.append(spare)


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
    except (LimitError, ReducerFailedError, ReentrantError) as error:
        raised = thread.raised
        if raised is None and _INTERRUPTION in error.message.encode():
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
    thread.running = thread.reducing = None
    return KeyboardInterrupt(
        "a signal handler interrupted the call of the reducer; its exception went to "
        "sys.unraisablehook"
    )


def _failure(error: Error, raised: BaseException | None) -> BaseException:
    """The exception for a failed dispatch: what the reducer raised, if it did."""
    if raised is None:
        return error
    if isinstance(error, ReentrantError) and isinstance(raised, Exception):
        if not isinstance(raised, ReentrantError):
            # The reducer used its store, even if it caught that error and raised another.
            error.__cause__ = raised
            return error
    return raised


def _reduce(context: Any, state: Any, action: Any, out: Any, error: Any) -> int:
    # A signal handler may raise anywhere here, also before the first statement. If that leaves this
    # function, ctypes returns the bytes that happen to be on the stack: often the last status. So
    # the store is "interruptible": 0 counts only if out is set, another status only if
    # error.status is set to it too. These are set last: what raises before fails the dispatch.
    thread = local.state
    sent, thread.sent = thread.sent, None
    if thread.may_repeat:
        thread.raised = None  # Of an earlier action that the reducer rejected.
    users = 0
    result: Reference | None = None
    rejection: BaseException | None = None
    try:
        thread.running = context
        registered: Any
        if sent is None:
            registered = _reducers[context]()
            value = read(action)
        else:
            registered = sent.reducer
            users = getrefcount(sent)
            thread.action_handle, thread.reducing = action, sent
            # The action as the reducer sees it. The SentAction does not keep the members: the
            # payload, which is one of them, refers to it, which would make a cycle.
            members = sent.members
            del sent.members
            if sent.payload is not None:
                members["payload"] = payload = LazyValue()
                payload._sent = sent
                payload._pointer = PAYLOAD
                payload._cache = sent.payload
                del payload
            value = LazyValue()
            value._sent = sent
            value._pointer = WHOLE
            value._cache = members
            del members
        run, before = registered.last
        if before is None or not (
            (sent is not None and run == registered.committed_run)
            or _ffi.imd_value_identical(before._handle, state)
        ):
            before = read(state)
        after = registered.reducer(before, value)
        if after is not before:
            run = next(_runs)
            if sent is not None:
                sent.run = run
            if type(after) is ObjectValue or isinstance(after, Value):
                result = after
                registered.last = run, after
            else:
                registered.last = run, None
                result = _converted(after)
    except BaseException as raised:
        if isinstance(raised, AttributeError):
            explain_attribute(raised)
        rejection = raised
    thread.running = thread.reducing = value = None
    # More users than before: the reducer, or the traceback of its exception, kept the action.
    if sent is not None and getrefcount(sent) > users:
        sent.keep(action)
    if rejection is None:
        out[0] = state if result is None else _retain(result._handle)
        return 0
    try:
        failure = _ffi.imd_error.from_address(error)
        failure.message, failure.code = message_of(rejection), code_of(rejection)
        status = _status_of(rejection)
        thread.raised = rejection
        failure.status = status
        return status
    finally:
        # The traceback refers to this frame; the frame must not refer back.
        rejection = None


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
C_REDUCER = _ffi.imd_reducer(_reduce)


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
