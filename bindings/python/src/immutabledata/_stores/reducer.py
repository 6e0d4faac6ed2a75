"""Reducers of Python's, as the library calls them."""

from __future__ import annotations

import itertools
import threading
import weakref
from typing import Any, Callable

from .. import _ffi
from .._values.conversion import Share, share
from .._values.draft import Reducer
from .._values.value import Value, read
from ..errors import Error, ReducerFailedError, ReentrantError, TimedOutError
from .action import Sent


class Host:
    """A reducer, and the number by which the library calls it.

    The library keeps no reference: a reducer that refers to its own store would otherwise keep both
    for ever. A store keeps its host, and each call that may lead to the reducer keeps the store.
    """

    def __init__(self, reducer: Reducer, is_optimistic: bool) -> None:
        self.reducer = reducer
        # Whether one dispatch may lead to calls for actions that were sent before.
        self.is_optimistic = is_optimistic
        # The Value that the reducer made last. Most often that is the state which the next action
        # finds, and what was read of it need not be read again.
        self.made: Any = None
        self.number = next(_numbers)
        _hosts[self.number] = weakref.ref(self)
        weakref.finalize(self, _hosts.pop, self.number)


_hosts: dict[int, Callable[[], Host | None]] = {}
_numbers = itertools.count(1)


class _Thread(threading.local):
    """What a dispatch and its reducer tell each other past the library: both are of one thread."""

    # The action of a dispatch, for the reducer that is called for it.
    sent: Sent | None = None

    # What the reducer raised, to be raised again as it is.
    raised: BaseException | None = None

    # Whether the reducer may be called again after it raised.
    goes_on: bool = False

    # The number of the host whose reducer runs.
    reducing: int | None = None

    # What was to be done inside a reducer and has to wait until it has returned.
    deferred: list[tuple[Callable[[Any], object], Any]] | None = None


_thread = _Thread()


def is_reducing(number: int | None) -> bool:
    """Whether the calling thread is inside the reducer of a host; None is no host."""
    return number is not None and _thread.reducing == number


def defer(function: Callable[[Any], object], argument: Any) -> None:
    """Calls a function when the reducer that runs on this thread has returned."""
    if _thread.deferred is None:
        _thread.deferred = []
    _thread.deferred.append((function, argument))


def _run_deferred() -> None:
    deferred, _thread.deferred = _thread.deferred, None
    for function, argument in deferred or ():
        function(argument)


def call(function: Any, sent: Sent | None, *arguments: Any) -> None:
    """Calls a function that may lead to a reducer; raises what the reducer raised, as it is.

    sent is the action that the function is called with, if it is one action.
    """
    _thread.sent, _thread.raised = sent, None
    try:
        function(*arguments)
        return
    except Error as error:
        raised = _thread.raised
        if raised is None:
            raise
        is_refusal = isinstance(raised, Exception) and not isinstance(raised, ReentrantError)
        if is_refusal and isinstance(error, ReentrantError):
            # The reducer used its store, even if it caught that error and raised another.
            raise error from raised
    finally:
        # The reducer may also have raised in a call that succeeded without that action.
        _thread.sent = _thread.raised = None
        if _thread.deferred is not None and _thread.reducing is None:
            _run_deferred()
    # Out of the handler: the library's error is not what led to this one.
    try:
        raise raised
    finally:
        # The error refers to this frame; without a way back there is no cycle.
        del raised


def call_again(function: Any, *arguments: Any) -> None:
    """Calls a function that may lead to a reducer more than once, and go on without an action that
    the reducer now refuses. An interrupt is no refusal: with it all of the call fails.
    """
    before, _thread.goes_on = _thread.goes_on, True
    try:
        call(function, None, *arguments)
    finally:
        _thread.goes_on = before


def _reduce(context: Any, state: Any, action: Any, out: Any, error: Any) -> int:
    sent, _thread.sent = _thread.sent, None
    if _thread.goes_on:
        if not isinstance(_thread.raised, (Exception, type(None))):
            return TimedOutError.status
        _thread.raised = None
    _thread.reducing = context
    try:
        host: Any = _hosts[context]()
        seen = read(action) if sent is None else sent.lend(action)
        out[0] = _reduced(host, state, seen)
        return 0
    except BaseException as raised:
        _thread.raised = raised
        _ffi.imd_error.from_address(error).message = _message(raised)
        # An interrupt is no refusal: with it nothing of the dispatch happens.
        return (ReducerFailedError if isinstance(raised, Exception) else TimedOutError).status
    finally:
        _thread.reducing = None
        if sent is not None:
            sent.take_back()


# The reducer of every store that Python makes; context is the number of its host. One for all, and
# for good: the library never calls what was freed.
reduce = _ffi.imd_reducer(_reduce)


def _reduced(host: Host, state: int, action: Any) -> int | None:
    """The next state, as an owned handle; None if nothing changes."""
    before = host.made
    if before is None or not _ffi.imd_value_identical(before._handle, state):
        before = read(state)
    after = host.reducer(before, action)
    if after is before:
        return None
    if after is None:
        raise ReducerFailedError(
            "the reducer returned None; it has to return the next state, or the one it was given "
            "if nothing changes"
        )
    if isinstance(after, Value):
        made: Share = after
        host.made = after
    else:
        made = share(after, "what the reducer returned")
        host.made = None
    owned: int = _ffi.imd_value_retain(made._handle)
    return owned


def _message(raised: BaseException) -> bytes:
    """What a dispatch by other means than Python says."""
    try:
        text = f"{type(raised).__name__}: {raised}"
    except Exception:  # What str raises must not get into C.
        text = type(raised).__name__
    return text.encode("utf-8", "replace")[:255].decode("utf-8", "ignore").encode()
