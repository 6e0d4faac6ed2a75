"""The files of logs, whose stores are not open."""

from __future__ import annotations

import _thread
import contextvars
import itertools
import json
import os
import threading
from collections.abc import Iterable, Iterator, Mapping
from ctypes import c_int64, c_size_t, c_void_p
from typing import TYPE_CHECKING, Any, Callable, TypeVar

from .. import _ffi
from .._values import (
    Reducer,
    encode_name,
    read,
    refuse_coroutine,
    require_function,
    require_reducer,
    take,
)
from .._values.json_text import encode_text
from ..errors import InvalidArgumentError, ReentrantError, TimedOutError
from .log_migration import Migration, c_migrations, make_migration
from .options import encode_file, encode_options, scheme_of, to_size
from .reducer import C_REDUCER, RegisteredReducer, repeat
from .thread_state import IN_DRIVER, local

if TYPE_CHECKING:
    from .log_entry import LogEntry, LogSnapshot
    from .option_types import Keep

Progress = Callable[[int, int], object]
"""A function of the bytes that were read, and of those of the file."""

_Result = TypeVar("_Result")

# How many entries, and about how many bytes, an iteration reads at a time.
_PAGE = {"count": 256, "bytes": 1 << 20}


class LogFiles:
    """Functions for the files of logs; it is immutabledata.log.

        for entry in imd.log.entries("board.imd"):
            print(entry.number, entry.when, [action["type"] for action in entry.actions])

    A store writes such a file, see Store.sync. verify and entries read it, also while a store has
    it open. The others repeat the actions with the reducer of the log, which is None for the log of
    a domain, and raise what opening a store does. compact and redact need the file for themselves;
    compact does not, if the file is shared.
    """

    __slots__ = ()

    def verify(
        self, path: str | os.PathLike[str], /, *, progress: Progress | None = None
    ) -> dict[str, Any]:
        """Checks the lines of a file, their checksums, and its snapshot, without a reducer.

        It returns what it has found: how many entries there are, and how many are redacted; the
        numbers of the base, whose state the file begins with, of the first commit that is an entry,
        and of the last; the bytes of the file, and the unfinishedBytes that a power cut or a writer
        has left at its end; and snapshot, the number of the commit from which opening goes on, or
        None.

        progress: a function that is called from time to time with the bytes that were read, and
            those of the file. To cancel, raise an exception in it.

        Raises StorageError: the file cannot be read.
        Raises CorruptError: the file is damaged, in the line that the message names, or is no log.

        Complexity: O(n) for n bytes, in memory for one line.
        """
        encoded = encode_file(path)
        with watching(progress) as call:
            text = call(
                lambda: _ffi.bytes_from(_ffi.imd_log_verify, encoded, C_PROGRESS, call.number)
            )
        found: dict[str, Any] = json.loads(text)
        return found

    def entries(self, path: str | os.PathLike[str], /, start: int = 0) -> Iterator[LogEntry]:
        """Iterates over the entries of a file, oldest first, from the commit with a number.

        It reads at most 256 entries at a time, or one that is large, whatever the limits of values.
        Entries that are written meanwhile come too.

        Raises InvalidArgumentError: the path is invalid, or start is negative.
        The steps raise StorageError and CorruptError, as verify does.

        Complexity: O(n) for n bytes, also of the entries before start.
        """
        return _entries(encode_file(path), to_size("start", start).value)

    def snapshot(self, path: str | os.PathLike[str], /) -> LogSnapshot:
        """The last state that a file has, without its reducer: that of its snapshot, or its base.

            saved = imd.log.snapshot("board.imd")
            print(saved.number, saved.entries, saved.state)

        Raises StorageError, CorruptError, as verify does.

        Complexity: O(n) for n bytes.
        """
        from .log_entry import LogSnapshot

        encoded, out = encode_file(path), c_void_p()
        _ffi.imd_log_snapshot(encoded, out, _ffi.imd_error())
        return LogSnapshot(**take(out))

    def state_at(
        self, path: str | os.PathLike[str], number: int, /, reducer: Reducer[Any] | None = None
    ) -> Any:
        """The state after the commit with a number.

        A store with the LogOptions read_only and at has the same state, and selectors.

        Raises NotFoundError: the file has no such commit; the message says where it begins or ends.
        Raises what Store does for its log.

        Complexity: O(n) for n bytes.
        """
        encoded, place, out = encode_file(path), to_size("number", number), c_void_p()

        def call(function: Any, context: Any) -> Any:
            _ffi.imd_log_state_at(encoded, place, function, context, out, _ffi.imd_error())
            return take(out)

        return _repeat_file(reducer, call)

    def compact(
        self,
        path: str | os.PathLike[str],
        /,
        reducer: Reducer[Any] | None = None,
        *,
        keep: Keep = "all",
        shared: bool | None = None,
    ) -> None:
        """Writes a file anew, with its present state as the base, so that it can be shorter.

        The old file is replaced when the new one is complete, on the disk and read back. States
        before the base can no longer be computed; what can be undone stays.

        keep: which entries stay, to be read: "all", {"entries": 1000}, {"days": 30} or
            {"bytes": 10_000_000}. A store does the same by itself, with the option keep.
        shared: whether several stores may write to the new file. By default, that does not change.

        Raises what Store does for its log. StorageError: also if a store has it open to write; but
        a shared file is compacted meanwhile, unless it becomes another kind. ValueError: also if
        optimistic updates are in flight there.
        """
        encoded, options = encode_file(path), encode_options(keep=keep, shared=shared)

        def call(function: Any, context: Any) -> None:
            _ffi.imd_log_compact(encoded, *options, function, context, _ffi.imd_error())

        _repeat_file(reducer, call)

    def migration(
        self, *, from_version: int, removes: Iterable[str] = ()
    ) -> Callable[[Callable[[Any], Any]], Migration]:
        """Turns the decorated function into a step from one version of a log to the next.

            @imd.log.migration(from_version=1)
            def add_tags(state):
                return state.set("/tags", [])

            @add_tags.action
            def rename(action):
                return action.set("/type", "todos/added") if action["type"] == "added" else action

            log = {"path": "todos.imd", "version": 2, "migrations": [add_tags]}
            store = imd.Store(reduce, state={"todos": [], "tags": []}, log=log)

        It is called with a state of that version, and returns the next one, a Value or plain data.
        The function decorated with action does the same for each action, or returns None to take
        the action out for good; without one, actions stay as they are. The result is a Migration.

        removes: the members of the state that it takes out, or gives another name. A migration that
            loses any other member is refused.

        A domain migrates its logs by itself.
        """
        return make_migration(from_version, removes)

    def migrate(
        self,
        path: str | os.PathLike[str],
        version: int,
        migrations: Iterable[Migration],
        /,
        reducer: Reducer[Any],
    ) -> None:
        """Brings a file of an older version to a version, as a Store does before it opens it.

        The new file has a migrated base, and entries with migrated actions. It is repeated with the
        reducer of the new version, and then replaces the old one, which stays beside it: as
        "board.imd-v1", or "board.imd-v1-2" if there is one, and so on. Nothing happens if there is
        no file, or if it has the version. If no slice takes actions of the new file, a
        LikelyMistakeWarning names their types.

        Raises InvalidArgumentError: the file is newer, or a migration is missing, or there are two
        from one version; or the state has lost a member that no migration removes.
        Raises ReducerFailedError: a migration failed, or the reducer rejects an entry, which the
        message names: migrate such an action, or take it out. Its __cause__ is what was raised.
        Raises what Store does for its log. If it raises, the file stays as it was.
        """
        encoded, array = encode_file(path), c_migrations(migrations)
        number = to_size("version", version).value

        def call(function: Any, context: Any) -> None:
            _ffi.imd_log_migrate(
                encoded,
                min(number, 2**31 - 1),
                array,
                len(array),
                function,
                context,
                _ffi.imd_error(),
            )

        _repeat_file(reducer, call, path)

    def export(
        self, path: str | os.PathLike[str], /, reducer: Reducer[Any] | None = None
    ) -> str:
        """A file as JSON that Redux DevTools import: all actions since the base, and the states
        after them.

        Raises what Store does for its log.
        """
        encoded = encode_file(path)

        def call(function: Any, context: Any) -> bytes:
            return _ffi.bytes_from(_ffi.imd_log_export, encoded, function, context)

        return str(_repeat_file(reducer, call), "utf-8")

    def import_(
        self,
        path: str | os.PathLike[str],
        text: str | bytes,
        /,
        reducer: Reducer[Any] | None = None,
        *,
        domain: str | None = None,
    ) -> None:
        """Makes a file of what Redux DevTools have exported.

        Before, it reduces all actions up to the current state, and compares the states.

        domain: the name of a domain, if there is no reducer.

        Raises InvalidArgumentError: there is a file at the path, the text has another shape, or a
        state differs; the message names the action.
        Raises InvalidActionError, ReducerFailedError: an action is refused. There is no file then.
        """
        encoded = encode_file(path)
        data = encode_text(text)
        name = None if domain is None else encode_name(domain, "the name of a domain")

        def call(function: Any, context: Any) -> None:
            _ffi.imd_log_import(
                encoded, data, len(data), name, function, context, _ffi.imd_error()
            )

        _repeat_file(reducer, call)

    def redact(
        self,
        path: str | os.PathLike[str],
        predicate: Callable[[LogEntry], object],
        /,
        reducer: Reducer[Any] | None = None,
    ) -> int:
        """Takes actions out of a file for good, and returns of how many entries.

            def is_name(entry):
                return any(action["type"] == "user/named" for action in entry.actions)

            imd.log.redact("board.imd", is_name, reduce)

        The predicate is called with each entry that has actions, and returns whether they must be
        forgotten; its result is used as a bool. The file is written anew as by compact, and nothing
        can be undone. The state may still have what the actions brought: first dispatch an action
        that takes it out.

        Raises what the predicate raises; the file then stays as it was.
        Raises what Store does for its log.
        """
        require_function(predicate, "a predicate", "a function that takes an entry", 1)
        encoded, count = encode_file(path), c_size_t()
        with ProgramCall(predicate) as watch:

            def call(function: Any, context: Any) -> None:
                _ffi.imd_log_redact(
                    encoded, _C_PREDICATE, watch.number, function, context, count, _ffi.imd_error()
                )

            watch(lambda: _repeat_file(reducer, call))
        return count.value

    def trim(self, address: str, /) -> int:
        """Removes the entries of a log that a driver keeps up to its latest snapshot, and returns
        the number of the last one: 0 if there is no snapshot yet.

        A store that opens the log does not need these entries; other stores may have it open. They
        are gone for good: they cannot be replayed, and stores that are opened later cannot undo
        them. If no driver is registered for the scheme, it is found as for a store; see
        register_log.

        It blocks its thread; in a coroutine, write await asyncio.to_thread(imd.log.trim, address).

        Raises InvalidArgumentError: not an address, or there is no driver for it.
        Raises StorageError: there is no such log.
        Raises UnavailableError: the server cannot be reached; entries may have been removed, and
        another call goes on.
        Raises RefusedError: the server does not allow it.
        Raises ReentrantError: called inside a callback of the library, or a method of a driver.

        Complexity: O(n) for n entries, as the driver says.
        """
        from .log_driver import with_driver

        if local.state.running == IN_DRIVER:
            raise ReentrantError("the methods of a log driver must not trim a log")
        encoded, number = encode_name(address, "the address"), c_int64()
        with_driver(address, lambda: _ffi.imd_log_trim(encoded, number, _ffi.imd_error()))
        return number.value

    def __repr__(self) -> str:
        return "<immutabledata.log>"


log = LogFiles()
"""Functions for the files of logs."""


def migrated(option: Any, reducer: Reducer[Any]) -> Any:
    """Migrates the file of the option log of a store, and returns the option without migrations."""
    if not isinstance(option, Mapping) or "migrations" not in option:
        return option
    rest = dict(option)
    migrations = rest.pop("migrations")
    path = rest.get("path")
    if scheme_of(path) is not None:
        raise InvalidArgumentError("options/log/migrations: only a file has this option")
    if path is not None and not rest.get("read_only") and _is_of(rest.get("application"), path):
        log.migrate(path, rest.get("version", 1), migrations, reducer)
    return rest


def _is_of(application: Any, path: Any) -> bool:
    """Whether a file is of an application; if not, opening says so. True if it cannot be read."""
    if application is None or not os.path.isfile(path):
        return True
    try:
        with open(path, "rb") as file:
            return bool(json.loads(file.readline(1 << 20))["log"].get("application") == application)
    except (OSError, ValueError, LookupError, TypeError, AttributeError):
        return True


def _entries(path: bytes, start: int) -> Iterator[LogEntry]:
    options: dict[str, Any] = {"from": start, **_PAGE}
    while True:
        text, out = json.dumps(options).encode(), c_void_p()
        # As text, it could exceed the limits that hold now.
        _ffi.imd_log_entries_value(path, text, len(text), out, _ffi.imd_error())
        page: Any = take(out)
        yield from map(_entry, page["entries"])
        if page["next"] is None:
            return
        options["at"] = page["next"]


def _entry(members: Any) -> LogEntry:
    from .log_entry import LogEntry

    (kind,) = set(members) - {"number", "time", "writer"}
    content = members[kind]
    return LogEntry(
        number=members["number"],
        time=members["time"],
        kind=kind,
        content=None if content == "redacted" else content,
        writer=members.get("writer", 0),
    )


# ---- Functions of the program --------------------------------------------------------------------


class ProgramCall:
    """A call of the library that calls a function of the program; raises what that has raised."""

    def __init__(self, function: Callable[..., object] | None) -> None:
        self.function = function
        self.raised: BaseException | None = None
        self.number = next(_numbers)

    def __enter__(self) -> ProgramCall:
        _calls[self.number] = self
        return self

    def __exit__(self, *exception: object) -> None:
        del _calls[self.number]

    def __call__(self, function: Callable[[], _Result]) -> _Result:
        try:
            return _without_signals(function, self.cancel)
        except TimedOutError:
            if self.raised is None:
                raise
        try:
            raise self.raised
        finally:
            self.raised = None  # Its traceback refers to this frame.

    def cancel(self) -> None:
        """Makes the next call of the function fail."""
        self.function = _cancel


_calls: dict[int, ProgramCall] = {}
_numbers = itertools.count(1)


def watching(progress: Progress | None) -> ProgramCall:
    """A call that tells a function of its progress. Raises TypeError: not such a function."""
    if progress is not None:
        require_function(progress, "progress", "a function that takes two numbers, or None", 2)
    return ProgramCall(progress)


def _call_progress(context: Any, done: int, total: int) -> int:
    # Also without a function: a cancelled call has one.
    call = _calls[context]
    try:
        if call.function is not None:
            refuse_coroutine(call.function(done, total), "progress")
        return 1
    except BaseException as raised:
        call.raised = raised
        return 0


def _call_predicate(context: Any, handle: Any) -> int:
    call = _calls[context]
    try:
        assert call.function is not None
        entry = _entry(read(handle))
        answer = entry.actions and call.function(entry)
        refuse_coroutine(answer, "the predicate")
        return 1 if answer else 0
    except BaseException as raised:
        call.raised = raised
        return -1


# Globals, so that they are never freed while the library may call them.
C_PROGRESS = _ffi.imd_log_progress(_call_progress)
_C_PREDICATE = _ffi.imd_log_predicate(_call_predicate)


# ---- Reducers ------------------------------------------------------------------------------------


def _repeat_file(
    reducer: Reducer[Any] | None,
    call: Callable[[Any, int | None], _Result],
    checked: str | os.PathLike[str] | None = None,
) -> _Result:
    """Makes a call, with a C function for the reducer and its context.

    checked: the path of a log; warns of the actions in it that no slice takes.
    """
    if reducer is None:
        return call(_ffi.imd_reducer(), None)
    require_reducer(reducer, "a reducer", "a function that takes a state and an action")
    from .._types import typed
    from .log_check import LogCheck

    function = typed(reducer)
    check = LogCheck(function)
    registered = RegisteredReducer(function if checked is None else check, False)

    def cancel() -> None:
        registered.reducer = _cancel

    result = _without_signals(lambda: repeat(call, C_REDUCER, registered.number), cancel)
    if checked is not None:
        check.warn(checked)
    return result


def _without_signals(run: Callable[[], _Result], cancel: Callable[[], None]) -> _Result:
    """Runs a function where no signal handler can end a callback before it returns a status, of
    which the library would know nothing: on another thread than the main thread, in its context.

    cancel: called if a signal handler raises; the function should then fail soon.
    """
    if threading.current_thread() is not threading.main_thread():
        return run()
    results: list[_Result] = []
    failures: list[BaseException] = []
    mutex, done = threading.Lock(), threading.Event()
    context = contextvars.copy_context()
    has_begun = is_abandoned = False

    def target() -> None:
        nonlocal has_begun
        with mutex:
            has_begun = not is_abandoned
        try:
            if has_begun:
                results.append(context.run(run))
        except BaseException as error:
            failures.append(error)
        finally:
            done.set()

    # Not a threading.Thread: after a join that a signal handler has ended, it counts as ended.
    try:
        _thread.start_new_thread(target, ())
        done.wait()
    except BaseException:
        cancel()
        with mutex:
            is_abandoned = True
        if has_begun:
            done.wait()
        raise
    if failures:
        raise failures.pop()
    return results.pop()


def _cancel(*arguments: Any) -> Any:
    raise KeyboardInterrupt
