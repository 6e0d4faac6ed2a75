"""Streams: the actions of a store, each with the states before and after it."""

from __future__ import annotations

import os
import weakref
from collections.abc import AsyncGenerator, Iterable, Iterator
from ctypes import c_int, c_size_t, c_void_p
from typing import Any, Generic, Literal, NoReturn

from .. import _ffi
from .._ffi.waiting import wait
from .._values import take
from ..errors import ClosedError, TimedOutError
from .base import State, StoreBase
from .commit import Commit
from .options import encode_options, require_known
from .reducer import (
    call_outside_reducer,
    is_interrupting,
    is_reducing,
    refuse_interruption,
)


class Stream(Iterator[Commit[State]], Generic[State]):
    """The commits of a store from now on; made by Store.stream.

    Each is an action, with the states before and after it:

        for action, old, new in store.stream():
            ...
        async for commit in store.stream():
            print(commit.action, commit.new)

    Both forms wait for the next action, end when the stream or its store is closed, and may be
    mixed with next. A stream does not keep its store alive. It is closed when it is deleted; as a
    context manager it closes itself.

    Any thread may read. A thread that waits releases the GIL.
    """

    __slots__ = ("__weakref__", "_close", "_handle", "_process", "_reducer_number")

    def __init__(self, handle: Any, reducer_number: int | None) -> None:
        self._handle = handle
        self._reducer_number = reducer_number
        self._process = os.getpid()
        self._close = weakref.finalize(
            self, call_outside_reducer, reducer_number, _ffi.imd_stream_close, handle
        )

    def next(self, timeout: float | None = None) -> Commit[State]:
        """The oldest unread action, and the states before and after it.

        Waits for an action for up to timeout seconds; None waits without limit. Inside a callback
        it does not wait.

        Raises TimedOutError: no action arrived in time; or, inside a callback, none is available.
        Raises ClosedError: the stream is closed; or its store is, and all actions were read.
        Raises LimitError: the buffer overflowed, and its actions were read.
        Raises InvalidArgumentError: the timeout is negative or NaN.
        Raises ReentrantError: called from a reducer of the store.
        """
        return wait(timeout, self._read, "no action came within")

    @property
    def dropped(self) -> int:
        """How many actions were dropped so far, with overflow="dropOldest".

        Raises ClosedError: the stream is closed.
        """
        out = c_size_t()
        _ffi.imd_stream_dropped(self._handle, out, _ffi.imd_error())
        return out.value

    def fileno(self) -> int:
        """A file descriptor that is readable while next would not wait.

        Closing the stream closes the descriptor: stop watching it first. Do not read or close it.

        Raises LimitError: the process has no descriptors left.
        Raises ClosedError: the stream is closed.
        """
        out = c_int()
        _ffi.imd_stream_fd(self._handle, out, _ffi.imd_error())
        return out.value

    def close(self) -> None:
        """Closes the stream, and wakes the threads that wait for an action. May be called twice.

        Inside a reducer of the store the stream stays open, and the dispatch fails.
        """
        if is_reducing(self._reducer_number) and not is_interrupting():
            _ffi.imd_stream_close(self._handle)  # The library records the violation.
        else:
            self._close()

    @property
    def closed(self) -> bool:
        """Whether the stream itself was closed, not only its store.

        In the child of a fork, the streams of the parent are closed.
        """
        return not self._close.alive or self._process != os.getpid()

    def __enter__(self) -> Stream[State]:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def __next__(self) -> Commit[State]:
        try:
            return self.next()
        except ClosedError:
            raise StopIteration from None

    async def __aiter__(self) -> AsyncGenerator[Commit[State], None]:
        try:
            # A copy: another thread may close the stream's descriptor while the loop watches it.
            # The copy is then readable.
            watched = _Descriptor(os.dup(self.fileno()))
        except ClosedError:
            return
        try:
            while True:
                try:
                    # After dup: if the stream was closed before it, the number of the descriptor
                    # may have been reused, but then this raises ClosedError.
                    commit = self._read(0)
                except TimedOutError:
                    await _readable(watched.number)
                except ClosedError:
                    return
                else:
                    yield commit
        finally:
            watched.close()

    def __repr__(self) -> str:
        return f"<immutabledata.Stream {'closed' if self.closed else 'open'}>"

    def _read(self, milliseconds: int) -> Commit[State]:
        if is_reducing(self._reducer_number):
            refuse_interruption()
        action, old, new = c_void_p(), c_void_p(), c_void_p()
        _ffi.imd_stream_next(self._handle, milliseconds, action, old, new, _ffi.imd_error())
        return Commit(take(action), take(old), take(new))


class _Descriptor:
    """A descriptor that is closed when this is deleted.

    A generator that waits when its event loop is closed is deleted without running its finally.
    """

    __slots__ = ("number",)

    def __init__(self, number: int) -> None:
        self.number = number

    def close(self) -> None:
        number, self.number = self.number, -1
        if number >= 0:
            os.close(number)

    __del__ = close


async def _readable(descriptor: int) -> None:
    """Waits until a descriptor is readable."""
    import asyncio

    loop = asyncio.get_running_loop()
    ready = loop.create_future()

    def wake() -> None:
        if not ready.done():
            ready.set_result(None)

    loop.add_reader(descriptor, wake)
    try:
        await ready
    finally:
        loop.remove_reader(descriptor)


class StreamMixin(StoreBase, Generic[State]):
    """Streams of actions."""

    __slots__ = ()

    def stream(
        self,
        *,
        capacity: int = 1024,
        overflow: Literal["fail", "dropOldest", "block"] = "fail",
        types: Iterable[str] = (),
        flush: bool = False,
        **unknown: NoReturn,
    ) -> Stream[State]:
        """Begins a stream of the actions that are dispatched from now on.

        The actions of a batch arrive one by one.

        capacity: how many actions may wait to be read: 1 to 1,048,576.
        overflow: beyond the capacity, "fail" makes the stream raise LimitError after the actions
            that wait, "dropOldest" drops and counts the oldest action, "block" makes the dispatch
            wait until there is room; dispatches inside callbacks do not wait.
        types: patterns of the action types in the stream: ["mouse*"]; by default all types.
        flush: whether Store.flush waits until the reader has handled the actions: it has asked for
            another one, or closed the stream.

        Raises InvalidArgumentError: an option is unknown or has an invalid value.
        Raises ClosedError: the store is closed.
        Raises ReentrantError: called from a reducer of this store.
        """
        require_known(unknown, ("capacity", "flush", "overflow", "types"))
        handle = _ffi.imd_stream_p()
        options = encode_options(capacity=capacity, overflow=overflow, types=types, flush=flush)
        _ffi.imd_store_stream(self._require_handle(), *options, handle, _ffi.imd_error())
        return Stream(handle, self._reducer_number)
