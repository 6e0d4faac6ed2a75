"""The log of a store: the file that keeps its actions."""

from __future__ import annotations

import contextlib
import itertools
from ctypes import c_void_p
from typing import Any, NoReturn

from .. import _ffi
from .._ffi.waiting import wait
from .._values import Patch, take, to_python
from ..errors import LimitError, ReentrantError, TimedOutError
from .base import StoreBase
from .log_file import C_PROGRESS, Progress, log, watching
from .options import require_known
from .reducer import repeat


class LogMixin(StoreBase):
    """Waiting for a log, and following one."""

    __slots__ = ()

    def sync(self, timeout: float | None = None, **unknown: NoReturn) -> None:
        """Waits until all actions so far are on the disk, for up to timeout seconds; None waits
        without limit.

            store = imd.Store(reduce, state={"todos": []}, log="todos.imd")
            store.sync()

        A store with a log keeps every action in a file. When it is opened again, it has the state
        that it had, the last action before a crash included; what can be undone and redone is kept
        too. The argument state is that of a new file only. LogOptions say what each dispatch waits
        for. Opening begins no effects: their outcomes are actions, which the file has. Optimistic
        updates in flight are rolled back, because their effects ended with the process.

        If the file cannot be written, such as when the disk is full, dispatch raises StorageError,
        and the state is ahead of the file. Further dispatches raise it too and change nothing,
        until sync has written what is missing. The same holds if another program deletes, moves,
        replaces or changes the file; sync then succeeds when the file has been put back. The
        selector "@@log" has the message as problem, which is None otherwise, and the path.

        One store writes a file at a time, in all processes, unless all of them open it as shared.
        Stores with read_only follow it.
        Closing a store does what sync does, but reports nothing. Without a log, nothing happens.

        It blocks its thread; in a coroutine, write await asyncio.to_thread(store.sync).

        Raises StorageError: the file cannot be written.
        Raises TimedOutError: another thread is still writing.
        Raises InvalidArgumentError: the timeout is negative or NaN.
        Raises ReentrantError: called inside a callback of the library.
        Raises ClosedError: the store is closed.
        """
        require_known(unknown, ("timeout",))
        store = self._require_handle()
        wait(
            timeout,
            lambda milliseconds: _ffi.imd_store_sync(store, milliseconds, _ffi.imd_error()),
            "the log is not on the disk after",
        )

    def refresh(self) -> None:
        """Brings a store with read_only or shared to what its file has now; its observers have then
        been called.

        It follows the file by itself, on a thread of the library, which calls the reducer and the
        observers: usually within a millisecond, and at most 1 s later if the system does not report
        a change. Any other store is there already.

        It blocks its thread; in a coroutine, write await asyncio.to_thread(store.refresh).

        Raises StorageError, CorruptError, ReducerFailedError: the file cannot be read any more, or
        the reducer rejected an action of it; the store no longer follows the file. on_error gets
        the error, too, when that happens.
        Raises ReentrantError: called inside a callback of the library.
        Raises ClosedError: the store is closed.
        """
        _ffi.imd_store_refresh(self._require_handle(), _ffi.imd_error())

    def replay(self, *, progress: Progress | None = None) -> dict[str, Any]:
        """Repeats the whole log of the store from its base, and compares the states with those that
        the store has: the present one, and those of its history.

            assert store.replay()["difference"] is None

        It finds a reducer that is not pure, or that has changed. No effects run. It returns how
        many entries there are, the number of the last commit that was compared, and the difference:
        None, or a dict with the number of the first commit after which the states differ, and the
        patch that makes the state of the log out of that of the store. If slices reduce it, ignored
        is the number of actions that none of them takes.

        Other threads may dispatch meanwhile: the reducer then runs on two threads at once.

        progress: as for log.verify.

        Raises InvalidArgumentError: the store has no log, or optimistic updates are in flight.
        Raises ReducerFailedError: the reducer rejected an action of the log; its __cause__ is what
        the reducer raised.
        Raises StorageError, CorruptError: the file cannot be read, or is damaged.
        Raises ReentrantError: called inside a callback of the library.
        Raises ClosedError: the store is closed.

        Complexity: O(n) for n bytes.
        """
        store = self._require_handle()
        with watching(progress) as call:

            def replay() -> Any:
                out = c_void_p()
                repeat(
                    _ffi.imd_store_replay_value,
                    store,
                    C_PROGRESS,
                    call.number,
                    out,
                    _ffi.imd_error(),
                )
                return take(out)

            replayed = call(replay) if self._may_wait(store) else replay()
        found = dict(replayed)
        if found["difference"] is not None:
            found["difference"] = dict(found["difference"])
            found["difference"]["patch"] = Patch(map(_plain, found["difference"]["patch"]))
        takes = None if self._reducer is None else self._reducer.takes
        if takes is not None and self._log is not None:
            entries = itertools.takewhile(
                lambda entry: entry.number <= found["number"], log.entries(self._log)
            )
            from .log_check import count_untaken

            found["ignored"] = sum(count_untaken(entry.actions, takes) for entry in entries)
        return found

    def _may_wait(self, store: Any) -> bool:
        """Whether this thread may wait for another one: not inside a callback."""
        try:
            _ffi.imd_store_settle(store, 0, _ffi.imd_error())
        except TimedOutError:
            return True
        except ReentrantError:
            return False
        return True


def _plain(operation: Any) -> dict[str, Any]:
    """An operation of a patch. A value that nests deeper than plain data can stays a Value."""
    members = dict(operation)
    if "value" in members:
        with contextlib.suppress(LimitError):
            members["value"] = to_python(members["value"])
    return members
