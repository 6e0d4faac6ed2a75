"""Listeners: functions that are called after actions, on other threads or event loops."""

from __future__ import annotations

import atexit
import contextlib
import functools
import os
import threading
import weakref
from collections.abc import Awaitable, Mapping
from typing import TYPE_CHECKING, Any, Callable, NoReturn, Optional

from .. import _ffi
from .._ffi.waiting import wait
from .._values import is_async, refuse_coroutine, require_function
from ..errors import ClosedError, LimitError, ReentrantError, TimedOutError, wrong_type
from .base import State, StoreBase
from .commit import Commit
from .event_loop import running_loop
from .interrupting import raising_interruptions
from .observation import ObservationMixin
from .options import require_known
from .stream import Stream, StreamMixin

if TYPE_CHECKING:
    import asyncio

_ASYNC_LISTENER = "make the listener itself an async function"

# More than the default of a stream: code that dispatches may not know about listeners, and they
# should get all actions of a burst.
_CAPACITY = 65_536


class Listener:
    """A function that is called after each action of a store; made by Store.listener.

    Calling the listener calls the function.
    """

    def __init__(
        self,
        store: ListenerMixin[Any],
        function: Callable[..., Any],
        stream: Stream[Any],
        reads: Mapping[str, Any],
    ) -> None:
        functools.update_wrapper(self, function)
        self._function = function
        # What makes the instances that the function takes as its action, by their types.
        self._reads = reads
        self._store = weakref.ref(store)
        self._stream = stream
        self._missed = 0
        self._process = os.getpid()
        # Where it runs: on its own thread, or in a task of an event loop.
        self._thread: threading.Thread | None = None
        self._task: asyncio.Task[None] | None = None
        # Set after the last call has returned.
        self._end_event = threading.Event()

    def __call__(self, *arguments: Any, **named: Any) -> Any:
        return self._function(*arguments, **named)

    def cancel(self) -> None:
        """Ends the listener. A call that is running finishes, and no other follows.

        May be called twice.
        """
        self._end()

    def join(self, timeout: float | None = None) -> bool:
        """Waits until the listener has ended, for up to timeout seconds; None waits without limit.

            store.close()
            log.join()

        After its store was closed, the listener ends when it has been called for all earlier
        actions, and the last call has returned; after cancel, when a call that is running has
        returned. Returns whether it has ended. It keeps the store alive meanwhile.

        It blocks its thread. If the listener runs on the event loop of this thread, call it on
        another, before the loop ends: await asyncio.to_thread(listener.join). Do not call it inside
        a callback of the store: the listener may wait for that callback when it dispatches.

        Raises ReentrantError: called on the thread of the listener, so also in the listener itself,
        or on its event loop.
        Raises InvalidArgumentError: the timeout is negative or NaN.
        """
        if self._process != os.getpid():
            return True  # The child of a fork does not have its thread.
        if not self._end_event.is_set():
            self._refuse_to_wait_for_this_thread("join", "listener.join")
        # The listener ends if the store is deleted, even if actions wait.
        store = self._store()
        try:
            wait(timeout, self._wait, "the listener has not ended after")
        except TimedOutError:
            return False
        finally:
            del store
        return True

    @property
    def cancelled(self) -> bool:
        """Whether it was cancelled, or its store was closed and all actions were delivered."""
        return self._stream.closed

    def __repr__(self) -> str:
        state = "cancelled" if self.cancelled else "open"
        return f"<immutabledata.Listener {self._function!r} {state}>"

    def _start(self) -> None:
        # A weak reference: only the store keeps the listener. A function that refers to its own
        # store must not keep it alive while the listener waits for an action.
        reference = weakref.ref(self)
        if not is_async(self._function):
            self._start_thread(_listen, reference)
            return
        loop = running_loop()
        if loop is None:
            self._start_thread(_run_listen_async, reference)
        else:
            stream = self._stream
            self._task = loop.create_task(_listen_async(stream, reference))
            # Not in the coroutine, which never begins if the loop ends first.
            self._task.add_done_callback(lambda task: _end(stream, reference))

    def _start_thread(self, target: Callable[..., None], reference: Any) -> None:
        name = f"listener {getattr(self._function, '__name__', '')}"
        self._thread = threading.Thread(
            target=target, args=(self._stream, reference), name=name, daemon=True
        )
        self._thread.start()

    def _wait(self, milliseconds: int) -> None:
        if not self._end_event.wait(None if milliseconds < 0 else milliseconds / 1000):
            raise TimedOutError("")

    def _refuse_to_wait_for_this_thread(self, name: str, call: str) -> None:
        if threading.current_thread() is self._thread:
            raise ReentrantError(f"the listener called {name}, which waits for its own end")
        if self._task is not None and self._task.get_loop() is running_loop():
            raise ReentrantError(
                f"{name} would block the event loop that the listener runs on; write await "
                f"asyncio.to_thread({call})"
            )

    @property
    def _is_stalled(self) -> bool:
        """Whether it runs on an event loop that does not run now."""
        return self._task is not None and not self._task.get_loop().is_running()

    def _end(self) -> None:
        self._stream.close()
        store = self._store()
        if store is not None and self._stream.closed:
            store._listeners.discard(self)

    def _active_store(self) -> StoreBase | None:
        """The store, or None if the listener has ended. Reports missed actions to on_error."""
        store = self._store()
        try:
            dropped = self._stream.dropped
        except ClosedError:
            return None
        if store is not None and dropped > self._missed:
            count, self._missed = dropped - self._missed, dropped
            error = LimitError(
                f"the listener fell behind and missed {count:,} actions; make it faster, or "
                "increase its capacity"
            )
            store._report(error, self._function, "a listener")
        return store

    def _call(self, commit: Commit[Any]) -> bool:
        """Calls the function; False if the listener has ended."""
        store = self._active_store()
        if store is None:
            return False
        try:
            if self._takes(commit):
                result = self._function(*self._arguments(commit))
                refuse_coroutine(result, "the listener", _ASYNC_LISTENER)
        except BaseException as error:
            store._report(error, self._function, "a listener")
        return True

    async def _call_async(self, commit: Commit[Any]) -> bool:
        import asyncio

        store = self._active_store()
        if store is None:
            return False
        # In its own task, to tell a cancellation inside the function from one of this task.
        call = asyncio.ensure_future(self._await(commit))
        try:
            await asyncio.wait({call})
        finally:
            call.cancel()
        error = asyncio.CancelledError() if call.cancelled() else call.exception()
        if error is not None:
            store._report(error, self._function, "a listener")
        return True

    async def _await(self, commit: Commit[Any]) -> None:
        if self._takes(commit):
            await self._function(*self._arguments(commit))

    def _takes(self, commit: Commit[Any]) -> bool:
        return not self._reads or commit.action["type"] in self._reads

    def _arguments(self, commit: Commit[Any]) -> tuple[Any, Any, Any]:
        action, old, new = commit
        return (self._reads[action["type"]](action) if self._reads else action), old, new


_WeakListener = Callable[[], Optional[Listener]]


def _listen(stream: Stream[Any], reference: _WeakListener) -> None:
    try:
        for commit in stream:
            listener = reference()
            if listener is None or not listener._call(commit):
                return
            # Keep nothing alive while waiting.
            del listener, commit
    finally:
        _end(stream, reference)


async def _listen_async(stream: Stream[Any], reference: _WeakListener) -> None:
    async for commit in stream:
        listener = reference()
        if listener is None or not await listener._call_async(commit):
            return
        del listener, commit


def _run_listen_async(stream: Stream[Any], reference: _WeakListener) -> None:
    import asyncio

    try:
        asyncio.run(_listen_async(stream, reference))
    finally:
        _end(stream, reference)


def _end(stream: Stream[Any], reference: _WeakListener) -> None:
    stream.close()
    listener = reference()
    if listener is not None:
        listener._end()
        listener._end_event.set()


def _finish_all() -> None:
    """Lets the listeners handle what they have not yet handled, because the program ends."""
    for listener in list(_listeners):
        if listener._process != os.getpid():
            continue
        store = listener._store()
        if listener._is_stalled:
            listener.cancel()
        elif store is not None:
            store._finish_listeners()
            if store.closed:
                listener.join()
        del store


# Those that may have to handle actions when the program ends.
_listeners: weakref.WeakSet[Listener] = weakref.WeakSet()


@functools.lru_cache(maxsize=None)
def _finish_at_exit() -> None:
    # Not at import: it must run before the finalizers of stores, so it is registered after them.
    atexit.register(_finish_all)


class ListenerMixin(ObservationMixin, StreamMixin[State]):
    """Listeners."""

    __slots__ = ()

    def _prepare(self) -> None:
        super()._prepare()
        self._listeners: set[Listener] = set()

    def listener(
        self, *patterns: str, capacity: int = _CAPACITY, **unknown: NoReturn
    ) -> Callable[[Callable[[Any, State, State], Awaitable[object] | object]], Listener]:
        """Turns a function into a Listener, which calls it after each action, asynchronously.

            @store.listener("ui/*")
            def log(action, old, new): ...

        The patterns select action types; "*" is any text. Without patterns the function is called
        for all actions. It gets the action, and the states before and after it. If its action is
        annotated with classes of actions, as that of a reducer may be, it is called for these
        alone, with instances. It is called after
        the reducer, in the order of the dispatches, one call at a time; the result of an async
        function is awaited. It may use the store, whose state may be a later one. Its exceptions go
        to on_error, and it continues with the next action.

        Each function runs on its own thread. An async function runs on the event loop that is
        running when it is registered; without one, on its own loop and thread.

        A listener ends when it is cancelled, when its event loop ends, and when the store is
        closed, after all earlier actions. It does not keep the store alive: if the store is deleted
        while it is open, actions that wait are dropped.

        Nothing is lost when the program ends: the end of a with statement waits until listeners
        have handled all earlier actions, also after an exception; so does the exit of Python, for
        functions that are not async. Ctrl+C ends the wait. For an async function on the event loop
        of this thread, write async with, or await asyncio.to_thread(store.flush).

        Up to capacity actions wait for a listener. Beyond that the oldest are dropped, and on_error
        gets a LimitError that says how many. A dispatch never waits for a listener, because a
        listener that dispatches would then wait for itself.

        Raises what stream does.
        """
        require_known(unknown, ("capacity",))
        for pattern in patterns:
            if not isinstance(pattern, str):
                error = wrong_type("a pattern", "a str", pattern)
                raise TypeError(f"{error}; for all actions write @store.listener()")

        def decorate(function: Callable[..., Any]) -> Listener:
            expected = "a function that takes the action, the old state and the new state"
            require_function(function, "a listener", expected, 3, may_await=True)
            from .._types import reads_of

            reads = reads_of(function)
            stream = self.stream(
                capacity=capacity, overflow="dropOldest", types=patterns or tuple(reads), flush=True
            )
            listener = Listener(self, function, stream, reads)
            self._listeners.add(listener)
            _listeners.add(listener)
            _finish_at_exit()
            try:
                listener._start()
            except BaseException:
                listener._end()
                raise
            return listener

        return decorate

    def flush(self, timeout: float | None = None, **unknown: NoReturn) -> None:
        """Waits until everything so far has been handled, for up to timeout seconds; None waits
        without limit.

        Observers and listeners have then been called for all earlier actions, queued outputs have
        been delivered, and the readers of streams with flush=True have asked for another action.

        Queued outputs are delivered on the thread that polls: if that is this thread, or no thread
        has called poll, by this method; otherwise it waits for the poll of that thread.

        It blocks its thread. If an async listener runs on the event loop of this thread, call it on
        another: await asyncio.to_thread(store.flush).

        Raises TimedOutError: something has not been handled in time.
        Raises InvalidArgumentError: the timeout is negative or NaN.
        Raises ReentrantError: called inside a callback of the library, in a listener of this store,
        or on the event loop of one.
        Raises ClosedError: the store is closed.
        """
        require_known(unknown, ("timeout",))
        store = self._require_handle()
        for listener in list(self._listeners):
            listener._refuse_to_wait_for_this_thread("flush", "store.flush")
        wait(
            timeout,
            lambda milliseconds: raising_interruptions(
                lambda: _ffi.imd_store_flush(store, milliseconds, _ffi.imd_error())
            ),
            "an observer, a queued output or a listener is not done after",
        )

    def _finish_listeners(self) -> None:
        """Waits until the listeners have handled all earlier actions, before the store is closed.

        Does not wait where the listeners need this thread.
        """
        listeners = list(self._listeners)
        if not listeners or any(listener._is_stalled for listener in listeners):
            return
        for observation in list(self._observations.values()):
            # Nobody may poll any more. Closing the store drops these outputs, too.
            if observation._is_queued:
                observation.cancel()
        with contextlib.suppress(ReentrantError, ClosedError):
            self.flush()
