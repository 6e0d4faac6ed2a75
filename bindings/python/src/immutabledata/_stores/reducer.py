"""Reducers written in Python, as the library calls them."""

from __future__ import annotations

import itertools
import threading
import weakref
from typing import Any, Callable

from .. import _ffi
from .._values import Reducer, Reference, Value, read, to_reference
from ..errors import Error, ReducerFailedError, ReentrantError, TimedOutError
from .action import SentAction


class RegisteredReducer:
    """A reducer, and the number by which the library calls it.

    Only its store keeps it alive, and each call that may lead to the reducer keeps the store. If
    the library had a reference, a reducer that refers to its own store would leak both.
    """

    def __init__(self, reducer: Reducer[Any], is_optimistic: bool) -> None:
        self.reducer = reducer
        # Whether a dispatch may call the reducer for earlier actions again.
        self.is_optimistic = is_optimistic
        # The Value that the reducer returned last. It is usually the state for the next action, and
        # has members cached.
        self.last_state: Any = None
        self.number = next(_numbers)
        _reducers[self.number] = weakref.ref(self)
        weakref.finalize(self, _reducers.pop, self.number)


_reducers: dict[int, Callable[[], RegisteredReducer | None]] = {}
_numbers = itertools.count(1)


class _ThreadState(threading.local):
    """The data that a dispatch and its reducer pass to each other; both run on the same thread."""

    # The action that is being dispatched.
    sent: SentAction | None = None

    # The exception that the reducer raised; the dispatch raises it again.
    raised: BaseException | None = None

    # Whether the library may call the reducer again after it raised.
    may_continue: bool = False

    # The number of the reducer that is running.
    running: int | None = None

    # Calls that must wait until the reducer has returned.
    deferred: list[tuple[Callable[[Any], object], Any]] | None = None


_thread = _ThreadState()


def is_reducing(number: int | None) -> bool:
    """Whether this thread is inside the reducer with a number; False for None."""
    return number is not None and _thread.running == number


def defer(function: Callable[[Any], object], argument: Any) -> None:
    """Calls a function after the reducer that is running on this thread has returned."""
    if _thread.deferred is None:
        _thread.deferred = []
    _thread.deferred.append((function, argument))


def _run_deferred() -> None:
    deferred, _thread.deferred = _thread.deferred, None
    for function, argument in deferred or ():
        function(argument)


def call(function: Any, sent: SentAction | None, *arguments: Any) -> None:
    """Calls a function that may call the reducer; raises what the reducer raised, unchanged.

    sent: the action that the function dispatches; None if it may call the reducer for others.
    """
    _thread.sent, _thread.raised = sent, None
    try:
        function(*arguments)
        return
    except Error as error:
        raised = _thread.raised
        if raised is None:
            raise
        is_failure = isinstance(raised, Exception) and not isinstance(raised, ReentrantError)
        if is_failure and isinstance(error, ReentrantError):
            # The reducer used its store, even if it caught that error and raised another.
            raise error from raised
    finally:
        # Set also if a call skipped an action that the reducer rejected, and then succeeded.
        _thread.sent = _thread.raised = None
        if _thread.deferred is not None and _thread.running is None:
            _run_deferred()
    # Outside the handler: the library's error is not the context of this one.
    try:
        raise raised
    finally:
        # The error's traceback refers to this frame; the frame must not refer back.
        del raised


def call_repeatedly(function: Any, *arguments: Any) -> None:
    """Calls a function that may call the reducer several times, and skip actions that it rejects.

    An exception such as KeyboardInterrupt does not reject an action: it fails the whole call.
    """
    before, _thread.may_continue = _thread.may_continue, True
    try:
        call(function, None, *arguments)
    finally:
        _thread.may_continue = before


def _reduce(context: Any, state: Any, action: Any, out: Any, error: Any) -> int:
    sent, _thread.sent = _thread.sent, None
    if _thread.may_continue:
        if not isinstance(_thread.raised, (Exception, type(None))):
            return TimedOutError.status
        _thread.raised = None
    _thread.running = context
    try:
        registered: Any = _reducers[context]()
        value = read(action) if sent is None else sent.to_value(action)
        out[0] = _next_state(registered, state, value)
        return 0
    except BaseException as raised:
        _thread.raised = raised
        _ffi.imd_error.from_address(error).message = message_of(raised)
        # The status of TimedOutError interrupts the dispatch, instead of rejecting the action.
        return (ReducerFailedError if isinstance(raised, Exception) else TimedOutError).status
    finally:
        _thread.running = None
        if sent is not None:
            sent.forget_handle()


# The C function of every reducer; its context is the number. A global, so that it is never freed
# while the library may call it.
C_REDUCER = _ffi.imd_reducer(_reduce)


def _next_state(registered: RegisteredReducer, state: int, action: Any) -> int | None:
    """The next state as an owned handle; None for no change."""
    before = registered.last_state
    if before is None or not _ffi.imd_value_identical(before._handle, state):
        before = read(state)
    after = registered.reducer(before, action)
    if after is before:
        return None
    if after is None:
        raise ReducerFailedError(
            "the reducer returned None; it must return the next state, or its argument if nothing "
            "changes"
        )
    if isinstance(after, Value):
        reference: Reference = after
        registered.last_state = after
    else:
        reference = to_reference(after, "what the reducer returned")
        registered.last_state = None
    owned: int = _ffi.imd_value_retain(reference._handle)
    return owned


def message_of(raised: BaseException) -> bytes:
    """The message for a dispatch that does not come from Python."""
    try:
        text = f"{type(raised).__name__}: {raised}"
    except Exception:  # Exceptions of __str__ must not reach C.
        text = type(raised).__name__
    return text.encode("utf-8", "replace")[:255].decode("utf-8", "ignore").encode()
