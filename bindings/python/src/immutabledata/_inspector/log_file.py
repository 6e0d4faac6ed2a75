"""A log as a source: what happened in a store that need not run."""

from __future__ import annotations

import os
import sqlite3
import threading
from typing import Any

import immutabledata as imd

from .database import CommitDatabase, Row
from .events import Events
from .failures import UnknownStateError, only_live
from .pointers import part_at
from .record import StoreRecord, row_of
from .replay import Replay, commits_of
from .text import own

# How many commits are added at once, and seconds between two looks at a file that may grow.
_AT_ONCE = 500
_INTERVAL = 0.25
# How many types of actions are remembered.
_MOST_TYPES = 1000

_NO_STATE = "the log was compacted, and has no state before this commit"


class LogFile:
    """A log, of which a thread reads the entries, also those that are added meanwhile.

    With a reducer, a store in memory repeats them. That of a domain is asked for the states that
    somebody wants to see. Otherwise there is only the state that the log has itself.
    """

    source = "log"

    def __init__(
        self,
        path: str,
        reducer: Any = None,
        *,
        domain: str | None = None,
        history: Any = None,
        library: Any = imd,
    ) -> None:
        """reducer: that of a program; history: the option of its store; domain: that of the log.

        Raises imd.Error, OSError: the log cannot be read.
        """
        self.path = path
        self.events = Events()
        self._log = library.log
        self._reducer, self._domain = reducer, domain
        self._history = history
        self._database = CommitDatabase()
        self._closing = threading.Event()
        self._lock = threading.Lock()
        self._known: tuple[int, Any] | None = None
        self._replay: Replay | None = None
        self._base = 0
        """No state before this commit can be made."""
        self._types: dict[str, None] = {}
        self.problem: str | None = None
        """Why not all was read or repeated."""
        description = {
            "store": 1,
            "name": os.path.basename(path),
            "domain": domain,
            "control": False,
            "history": bool(history),
            "log": path,
            "readOnly": True,
            "patches": reducer is not None,
        }
        self._record = StoreRecord(description, self._database)
        self.records = {1: self._record}
        self._snapshot = self._log.snapshot(path)
        self._record.expected = self._snapshot.last
        self._thread = threading.Thread(target=self._read, name=f"imd {path}", daemon=True)
        self._thread.start()

    def close(self) -> None:
        self._closing.set()
        self._thread.join()
        if self._replay is not None:
            self._replay.close()
        self.events.close()
        self._database.close()

    @property
    def is_read(self) -> bool:
        """Whether all entries were read that the log had at first."""
        return self._record.last >= self._record.expected

    # ---- Reading ---------------------------------------------------------------------------------

    def _read(self) -> None:
        try:
            while not self._closing.is_set():
                found = self._stamp()
                self._read_entries()
                self._check()
                self.events.program_changed()
                while self._stamp() == found and not self._closing.wait(_INTERVAL):
                    continue
        except (imd.Error, OSError, sqlite3.Error) as error:
            self.problem = f"the log cannot be read further: {error}"
            self._record.expected = self._record.last
            self.events.program_changed()

    def _stamp(self) -> tuple[int, int]:
        """What changes when the file grows or another one takes its name."""
        status = os.stat(self.path)
        return status.st_ino, status.st_size

    def _read_entries(self) -> None:
        """Adds the entries after those that are known."""
        rows: list[Row] = []
        last = self._record.last
        for entry in self._log.entries(self.path, last + 1):
            if self._closing.is_set():
                return
            commits = commits_of(entry, last)
            if not commits or entry.number <= last:
                continue
            before = commits[0]["commit"] - 1
            if self._replay is None and self._reducer is not None and before >= self._base:
                self._begin(before)
            if self._replay is None:
                problem = {} if self._reducer is None else {"problem": _NO_STATE}
                rows += [row_of({**commit, **problem}) for commit in commits]
            else:
                rows += self._replay.rows(entry, commits)
            last = entry.number
            if len(rows) >= _AT_ONCE:
                self._add(rows)
                rows = []
        self._add(rows)
        if self._replay is None and self._reducer is not None:  # There are no entries yet.
            self._begin(self._snapshot.number)

    def _begin(self, number: int) -> None:
        """Begins to repeat the commits after one, unless its state cannot be made."""
        try:
            is_saved = number == self._snapshot.number
            state = own(self._snapshot.state) if is_saved else self._state_at(number)
        except imd.NotFoundError:  # It was compacted, and kept older entries.
            self._base = self._snapshot.number
            return
        except Exception as error:  # A reducer may raise anything.
            self.problem = f"the state after commit {number} cannot be made: {error}"
            self._reducer = None
            self._record.description["patches"] = False
            return
        self._replay = Replay(self._reducer, self._history, number, state, self._state_at)
        self._record.last = max(self._record.last, number)
        self._record.states.anchor(number, self._replay.state)

    def _add(self, rows: list[Row]) -> None:
        if not rows:
            return
        removed = self._record.commits.removed
        self._record.add_rows(rows)
        for row in rows:
            if row.type and len(self._types) < _MOST_TYPES and not row.jump:
                self._types[row.type] = None
        if self._replay is not None:
            self.problem = self._replay.problem
        self.events.committed(1)
        if self._record.commits.removed != removed:
            self.events.program_changed()

    def _check(self) -> None:
        """Compares the last state with that which the log leads to, if there were jumps: they are
        repeated by means of the history.
        """
        replay = self._replay
        if replay is None or not replay.has_jumped or replay.problem is not None:
            return
        replay.has_jumped = False
        state = self._state_at(replay.last)
        if replay.state != state:
            replay.problem = self.problem = "the states after jumps differ from those of the log"
            self._record.states.end()

    # ---- For the page ----------------------------------------------------------------------------

    @property
    def size(self) -> int:
        return self._database.size

    def describe(self) -> dict[str, Any]:
        members: dict[str, Any] = {
            "program": os.path.basename(self.path),
            "process": None,
            "library": imd.version(),
            "connected": True,
        }
        if self.problem is not None:
            members["problem"] = self.problem
        return members

    def request(self, record: StoreRecord, method: str, **params: Any) -> Any:
        """What a log says of its store. Raises InspectorError: nothing."""
        if method == "describe":
            described = {} if self._replay is None else self._replay.describe()
            actions = [{"type": each} for each in list(self._types)]
            return {"selectors": [], "actions": actions, **described}
        if method == "statistics":
            return {"log": {"entries": len(record.commits), "bytes": os.stat(self.path).st_size}}
        if method == "history":
            return {"entries": []}
        raise only_live(method)

    def part(self, record: StoreRecord, number: int | None, pointer: str) -> tuple[int, Any]:
        """The part of a state at a pointer, without a reducer that could repeat the commits.

        Raises UnknownStateError: the log does not have the state.
        """
        if self._domain is None:
            saved = self._snapshot
            if number not in (None, saved.number):
                raise UnknownStateError(
                    f"without its reducer, the log only has the state after commit {saved.number}"
                )
            return saved.number, part_at(own(saved.state), pointer)
        return self._domain_part(self._record.last if number is None else number, pointer)

    def _domain_part(self, number: int, pointer: str) -> tuple[int, Any]:
        with self._lock:
            known = self._known
            if known is None or known[0] != number:
                try:
                    known = self._known = number, self._state_at(number)
                except imd.Error as error:
                    raise UnknownStateError(str(error)) from None
        return number, part_at(known[1], pointer)

    def _state_at(self, number: int) -> Any:
        return own(self._log.state_at(self.path, number, self._reducer))

    def set_trace(self, is_wanted: bool) -> None:
        """A log has no trace."""

