"""Listeners: functions that follow the actions of a store, beside the dispatches."""

from __future__ import annotations

import asyncio
import functools
import inspect
import threading
import weakref
from collections.abc import Awaitable
from typing import Any, Callable

from ..errors import ClosedError, LimitError
from .callbacks import Caller
from .stream import Stream, Streamed

# Far more than for a stream that somebody reads: who dispatches need not know that there are
# listeners, and a burst of actions should reach them.
_CAPACITY = 65_536


class Listener:
    """A function that is called after each action of a store; made by Store.listener.

    It can be called as the function.
    """

    def __init__(self, store: Streamed, function: Callable[..., Any], stream: Stream) -> None:
        functools.update_wrapper(self, function)
        self._function = function
        self._store = weakref.ref(store)
        self._stream = stream
        self._missed = 0

    def __call__(self, *arguments: Any, **named: Any) -> Any:
        return self._function(*arguments, **named)

    def cancel(self) -> None:
        """Ends it; a second time it does nothing.

        A call that is under way finishes; no other follows.
        """
        self._end()

    @property
    def cancelled(self) -> bool:
        """Whether it has ended: it was cancelled; or its store was closed, and all was heard."""
        return self._stream.closed

    def __repr__(self) -> str:
        state = "cancelled" if self.cancelled else "open"
        return f"<immutabledata.Listener {self._function!r} {state}>"

    def _start(self) -> None:
        # Only the store holds its listener, and the listener the function: a function that refers
        # to its own store does not keep it, however long this waits for an action.
        reference = weakref.ref(self)
        if not _is_async(self._function):
            self._start_thread(_listen, reference)
            return
        try:
            loop = asyncio.get_running_loop()
        except RuntimeError:
            self._start_thread(_run_listen_async, reference)
        else:
            self._task = loop.create_task(_listen_async(self._stream, reference))

    def _start_thread(self, target: Callable[..., None], reference: Any) -> None:
        name = f"listener {getattr(self._function, '__name__', '')}"
        self._thread = threading.Thread(
            target=target, args=(self._stream, reference), name=name, daemon=True
        )
        self._thread.start()

    def _end(self) -> None:
        self._stream.close()
        store = self._store()
        if store is not None and self._stream.closed:
            store._listeners.discard(self)

    def _listening(self) -> Caller | None:
        """The store, for as long as the listener is to be called; tells of actions it missed."""
        store = self._store()
        try:
            dropped = self._stream.dropped
        except ClosedError:
            return None
        if store is not None and dropped > self._missed:
            count, self._missed = dropped - self._missed, dropped
            error = LimitError(
                f"the listener fell behind and missed {count:,} actions; have it do less for each, "
                "or give it a larger capacity"
            )
            store._report(error, self._function)
        return store

    def _call(self, old_state: Any, action: Any) -> bool:
        store = self._listening()
        if store is None:
            return False
        try:
            self._function(old_state, action, store)
        except BaseException as error:
            store._report(error, self._function)
        return True

    async def _call_async(self, old_state: Any, action: Any) -> bool:
        store = self._listening()
        if store is None:
            return False
        # A task of its own, so that a cancellation inside it is told from one of this task.
        call = asyncio.ensure_future(self._await(old_state, action, store))
        try:
            await asyncio.wait({call})
        finally:
            call.cancel()
        error = asyncio.CancelledError() if call.cancelled() else call.exception()
        if error is not None:
            store._report(error, self._function)
        return True

    async def _await(self, old_state: Any, action: Any, store: Caller) -> None:
        await self._function(old_state, action, store)


def _is_async(function: Callable[..., Any]) -> bool:
    return inspect.iscoroutinefunction(function) or inspect.iscoroutinefunction(
        getattr(function, "__call__", None)  # noqa: B004
    )


_Reference = Callable[[], "Listener | None"]


def _listen(stream: Stream, reference: _Reference) -> None:
    try:
        for element in stream:
            listener = reference()
            if listener is None or not listener._call(*element):
                return
            # Nothing is held while this waits.
            del listener, element
    finally:
        _end(stream, reference)


async def _listen_async(stream: Stream, reference: _Reference) -> None:
    try:
        async for element in stream:
            listener = reference()
            if listener is None or not await listener._call_async(*element):
                return
            del listener, element
    finally:
        _end(stream, reference)


def _run_listen_async(stream: Stream, reference: _Reference) -> None:
    asyncio.run(_listen_async(stream, reference))


def _end(stream: Stream, reference: _Reference) -> None:
    stream.close()
    listener = reference()
    if listener is not None:
        listener._end()


class Listened(Streamed):
    """The part of a store that has to do with listeners."""

    __slots__ = ()

    def listener(
        self, *patterns: str, capacity: int = _CAPACITY
    ) -> Callable[[Callable[..., Awaitable[object] | object]], Listener]:
        """Makes a Listener of a function: after each action it is called, beside the dispatches.

            @store.listener("ui/*")
            def log(old_state, action, store): ...

        The patterns say which types of actions it is called for ("*" is any text); without, all.
        The function gets the state that the action found, the action, and this store. It is called
        after the reducer, in the order of the dispatches, and not again before it has returned;
        an asynchronous one is awaited. It may use the store. What it raises goes to on_error, and
        it goes on with the next action.

        A function runs on a thread of its own. An asynchronous one runs on the event loop that
        runs where it is made a listener; if none does, on a loop and a thread of its own.

        It ends when it is cancelled, when its event loop ends, and when the store is closed, after
        all that was dispatched before. It does not keep the store, and ends with it.

        Up to capacity actions wait for it. Beyond it the oldest are dropped, and on_error gets a
        LimitError that says how many. Dispatches never wait for a listener: one that dispatches
        would wait for itself.

        Raises what stream does.
        """
        for pattern in patterns:
            if not isinstance(pattern, str):
                raise TypeError(
                    f"a pattern is a str, not {type(pattern).__name__}; for all actions write "
                    "@store.listener()"
                )

        def decorate(function: Callable[..., Any]) -> Listener:
            if not callable(function):
                raise TypeError(
                    "a listener is called with a state, an action and the store; "
                    f"{type(function).__name__} cannot be called"
                )
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
