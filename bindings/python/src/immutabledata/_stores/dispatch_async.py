"""Actions that a coroutine waits for."""

from __future__ import annotations

import contextlib
import itertools
from typing import TYPE_CHECKING, Any

from .. import _ffi

if TYPE_CHECKING:
    import asyncio

# What the dispatches in progress belong to, by their numbers: a store is kept until it has ended.
_waiting: dict[int, tuple[asyncio.Future[None], Any]] = {}
_numbers = itertools.count(1)


def dispatch_async(store: Any, handle: Any, action: bytes) -> asyncio.Future[None]:
    """Lets a thread of the library dispatch the text of an action."""
    import asyncio

    future = asyncio.get_running_loop().create_future()
    number = next(_numbers)
    _waiting[number] = (future, store)
    try:
        _ffi.imd_store_dispatch_async(
            handle, action, _ffi.IMD_ZERO_TERMINATED, _C_DONE, number, _ffi.imd_error()
        )
    except BaseException:
        del _waiting[number]
        raise
    return future


def _done(context: int, error: Any) -> None:
    future = _waiting.pop(context)[0]
    failure = _ffi.exception(error[0]) if error[0].status else None
    with contextlib.suppress(RuntimeError):  # The loop is closed.
        future.get_loop().call_soon_threadsafe(_end, future, failure)


def _end(future: asyncio.Future[None], failure: Exception | None) -> None:
    if future.done():
        return
    if failure is None:
        future.set_result(None)
    else:
        future.set_exception(failure)


_C_DONE = _ffi.imd_dispatch_done(_done)
