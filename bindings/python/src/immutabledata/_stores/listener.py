"""Listeners: functions that are called after actions, on other threads or event loops."""

from __future__ import annotations

import asyncio
import functools
import os
import threading
import weakref
from collections.abc import Awaitable
from typing import Any, Callable, NoReturn

from .._ffi.waiting import wait
from .._values import is_async, require_function
from ..errors import ClosedError, LimitError, ReentrantError, TimedOutError, wrong_type
from .base import State, StoreBase
from .commit import Commit
from .options import require_known
from .stream import Stream, StreamMixin

# More than the default of a stream: code that dispatches may not know about listeners, and they
# should get all actions of a burst.
_CAPACITY = 65_536


class Listener:
    """A function that is called after each action of a store; made by Store.listener.

    Calling the listener calls the function.
    """

    def __init__(
        self, store: ListenerMixin[Any], function: Callable[..., Any], stream: Stream[Any]
    ) -> None:
        functools.update_wrapper(self, function)
        self._function = function
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
            self._refuse_to_wait_for_this_thread()
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
        try:
            loop = asyncio.get_running_loop()
        except RuntimeError:
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

    def _refuse_to_wait_for_this_thread(self) -> None:
        if threading.current_thread() is self._thread:
            raise ReentrantError("the listener called join, which waits for its own end")
        try:
            loop = asyncio.get_running_loop()
        except RuntimeError:
            return
        if self._task is not None and self._task.get_loop() is loop:
            raise ReentrantError(
                "join would block the event loop that the listener runs on; write await "
                "asyncio.to_thread(listener.join)"
            )

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
            self._function(*commit)
        except BaseException as error:
            store._report(error, self._function, "a listener")
        return True

    async def _call_async(self, commit: Commit[Any]) -> bool:
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
        await self._function(*commit)


_WeakListener = Callable[[], "Listener | None"]


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


class ListenerMixin(StreamMixin[State]):
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
        for all actions. It gets the action, and the states before and after it. It is called after
        the reducer, in the order of the dispatches, one call at a time; the result of an async
        function is awaited. It may use the store, whose state may be a later one. Its exceptions go
        to on_error, and it continues with the next action.

        Each function runs on its own thread. An async function runs on the event loop that is
        running when it is registered; without one, on its own loop and thread.

        A listener ends when it is cancelled, when its event loop ends, and when the store is
        closed, after all earlier actions. It does not keep the store alive. A program that exits
        does not wait for it: see Listener.join.

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
            require_function(function, "a listener", expected, 3)
            stream = self.stream(capacity=capacity, overflow="dropOldest", types=patterns)
            listener = Listener(self, function, stream)
            self._listeners.add(listener)
            try:
                listener._start()
            except BaseException:
                listener._end()
                raise
            return listener

        return decorate
