"""Streams: the actions of a store, each with the state that it found."""

from __future__ import annotations

import asyncio
import os
import weakref
from collections.abc import AsyncGenerator, Iterator
from ctypes import c_int, c_size_t, c_void_p
from types import TracebackType
from typing import Any

from .. import _ffi
from .._ffi.waiting import wait
from .._values.value import take
from ..errors import ClosedError, TimedOutError
from .callbacks import Caller
from .options import Names, encode_options
from .reducer import defer, is_reducing

Element = tuple[Any, Any]
"""The state that an action found, and the action."""


class Stream(Iterator[Element]):
    """The actions of a store from now on, each with the state that it found; made by Store.stream.

        for old_state, action in store.stream():
            ...
        async for old_state, action in store.stream():
            ...

    Both forms wait for the next action, end when the stream or its store is closed, and may be
    mixed with next. A stream does not keep its store. One that is dropped is closed; a context
    manager that closes itself.

    Any thread may read. The GIL is released while one waits.
    """

    __slots__ = ("__weakref__", "_close", "_handle", "_number")

    def __init__(self, handle: Any, number: int | None) -> None:
        self._handle = handle
        self._number = number
        self._close = weakref.finalize(self, _close, handle, number)

    def next(self, timeout: float | None = None) -> Element:
        """The oldest action that was not read, after the state that it found.

        Waits for one if need be: for up to timeout seconds; with None as long as it takes; inside a
        callback not at all.

        Raises TimedOutError: none came in time; or none is there, and this is inside a callback.
        Raises ClosedError: the stream was closed; or its store was, and what it held was read.
        Raises LimitError: this reader fell too far behind, and has read what was held.
        Raises ReentrantError: called from a reducer of the store.
        """
        return wait(timeout, self._read, "no action came within")

    @property
    def dropped(self) -> int:
        """How many actions were dropped so far, with overflow="dropOldest".

        Raises ClosedError: the stream was closed.
        """
        out = c_size_t()
        _ffi.imd_stream_dropped(self._handle, out, _ffi.imd_error())
        return out.value

    def fileno(self) -> int:
        """A file descriptor that is readable while next would not wait.

        It is closed with the stream: stop watching it before. It is not to be read or closed.

        Raises LimitError: the process has no descriptors left.
        Raises ClosedError: the stream was closed.
        """
        out = c_int()
        _ffi.imd_stream_fd(self._handle, out, _ffi.imd_error())
        return out.value

    def close(self) -> None:
        """Ends the stream; a second time it does nothing. Threads that wait for an action continue.

        Inside a reducer of the store the stream stays open, and the dispatch fails.
        """
        if is_reducing(self._number):
            _ffi.imd_stream_close(self._handle)  # The library records the violation.
        else:
            self._close()

    @property
    def closed(self) -> bool:
        """Whether the stream itself was closed."""
        return not self._close.alive

    def __enter__(self) -> Stream:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    def __next__(self) -> Element:
        try:
            return self.next()
        except ClosedError:
            raise StopIteration from None

    async def __aiter__(self) -> AsyncGenerator[Element, None]:
        try:
            # A descriptor of our own, as the stream's may be closed by another thread while the
            # loop watches it. Ours is then readable.
            watched = os.dup(self.fileno())
        except ClosedError:
            return
        try:
            while True:
                try:
                    # After dup, and so also a proof that it was the stream's that was copied.
                    element = self._read(0)
                except TimedOutError:
                    await _readable(watched)
                except ClosedError:
                    return
                else:
                    yield element
        finally:
            os.close(watched)

    def __repr__(self) -> str:
        return f"<immutabledata.Stream {'closed' if self.closed else 'open'}>"

    def _read(self, milliseconds: int) -> Element:
        old_state, action = c_void_p(), c_void_p()
        _ffi.imd_stream_next(self._handle, milliseconds, old_state, action, _ffi.imd_error())
        return take(old_state.value), take(action.value)


def _close(handle: Any, number: int | None) -> None:
    """Closes a stream. The interpreter may drop one inside the reducer of its store, which is no
    mistake of the reducer.
    """
    if is_reducing(number):
        defer(_ffi.imd_stream_close, handle)
    else:
        _ffi.imd_stream_close(handle)


async def _readable(descriptor: int) -> None:
    """Returns when a descriptor can be read."""
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


class Streamed(Caller):
    """The part of a store that has to do with streams."""

    __slots__ = ()

    def stream(self, *, capacity: int = 1024, overflow: str = "fail", types: Names = ()) -> Stream:
        """Begins a stream of the actions that are dispatched from now on, each with the state that
        it found; those of a batch one by one.

        capacity: how many actions wait to be read at most; beyond it
        overflow: "fail": the stream raises LimitError behind what it holds. "dropOldest": the
            oldest is dropped, and counted. "block": the dispatch waits until there is room.
        types: patterns of the types of actions that it has, such as ["mouse*"]; without, all.

        Raises InvalidArgumentError: an option of a value that it cannot have.
        Raises ClosedError: the store was closed.
        Raises ReentrantError: called from a reducer of this very store.
        """
        handle = _ffi.imd_stream_p()
        options = encode_options(capacity=capacity, overflow=overflow, types=types)
        _ffi.imd_store_stream(self._open_handle(), *options, handle, _ffi.imd_error())
        return Stream(handle, self._reducer_number)
