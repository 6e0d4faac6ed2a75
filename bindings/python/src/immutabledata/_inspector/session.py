"""A connection to a program, and the records of its stores."""

from __future__ import annotations

import sqlite3
import threading
import time
from collections import deque
from collections.abc import Mapping
from contextlib import suppress
from typing import Any, Callable

from .connection import Connection
from .database import CommitDatabase, Row
from .events import Events
from .failures import GoneError, InspectorError
from .program_name import program_name
from .record import StoreRecord, by_time, rejected_row_of, row_of

# How many seconds lie between two reads of the whole state of a store, at least.
_PAUSE = 1.0
_PATIENCE = 10.0


class Session:
    """The stores of a program from the begin of a connection to its end."""

    def __init__(self, path: str, events: Events, ended: Callable[[], object]) -> None:
        """Connects, and attaches to all stores. ended is called once, when the connection ends.

        Raises InspectorError: there is no program, or it has another protocol.
        """
        self.path = path
        self.records: dict[int, StoreRecord] = {}
        self.database = CommitDatabase()
        self.reason: str | None = None
        """Why the connection has ended; None while it is open."""
        self._events = events
        self._ended = ended
        self._lock = threading.Lock()
        self._commits: dict[int, list[Row]] = {}
        """Those that have come since the records were changed, by their stores."""
        self._rejected: dict[int, deque[Row]] = {}
        """Dispatches that were rejected. A program sends the lines of its trace before the commits
        that wait, so they stay here until a later commit comes, or none.
        """
        self._read_at: dict[int, float] = {}
        self._due: set[int] = set()
        """The stores of which a timer will read the state."""
        self._is_closing = False
        try:
            self._connection = Connection(path, self._notify, self._end, self._keep, self._quiet)
        except BaseException:
            self.database.close()
            raise
        try:
            self.answer = self._connection.request("stores", timeout=_PATIENCE)
            self.program = program_name(self.answer["program"], self.answer["process"])
            self._require_protocol()
            for description in self.answer["stores"]:
                self._opened(description)
        except BaseException as error:
            self.close()
            if isinstance(error, (KeyError, TypeError)):
                raise GoneError(f"{path}: the program does not speak the protocol") from None
            raise

    def _require_protocol(self) -> None:
        version = self.answer["protocol"]
        if version != 1:
            raise InspectorError(
                "unsupported", f"{self.path}: the program has version {version!r} of the protocol"
            )

    def close(self) -> None:
        """Ends the connection, and forgets all commits."""
        self._is_closing = True
        self._connection.close()
        self.database.close()

    @property
    def is_connected(self) -> bool:
        return self._connection.is_open

    def request(self, record: StoreRecord, method: str, **params: Any) -> Any:
        """Asks the program something about a store. Raises InspectorError: it refuses."""
        return self._connection.request(method, store=record.number, **params)

    def set_trace(self, is_wanted: bool) -> None:
        """Begins or ends the trace of all stores."""
        for record in list(self.records.values()):
            if record.is_open and self.is_connected:
                self._attach(record, is_wanted)

    # ---- On the thread of the connection ---------------------------------------------------------

    def _notify(self, method: str, params: Mapping[str, Any]) -> None:
        if method == "opened":
            self._opened(params)
            self._events.program_changed()
            return
        record = self.records.get(params["store"])
        if record is None:
            return
        if method == "commit":
            self._commits.setdefault(record.number, []).append(row_of(params))
            return
        if method == "trace":
            self._traced(record, params["line"])
            return
        self._keep()
        if method == "dropped":
            record.drop(params["commits"])
            self._read_state(record)
            self._events.program_changed()
        elif method == "closed":
            record.is_open = False
            self._events.program_changed()

    def _traced(self, record: StoreRecord, line: Any) -> None:
        record.selectors.add(line)
        self._events.traced(record.number, line)
        if line["trace"] == "rejected":
            self._rejected.setdefault(record.number, deque()).append(rejected_row_of(line))

    def _quiet(self) -> None:
        """Nothing comes: no commit waits that was made before something was rejected."""
        for number, rejected in self._rejected.items():
            self._commits.setdefault(number, []).extend(rejected)
        self._rejected.clear()
        self._keep()

    def _keep(self) -> bool:
        """Adds what has come to its records, all at once. Returns whether something stays."""
        for number, commits in self._commits.items():
            rows = list(by_time(commits, self._rejected.get(number, deque())))
            record = self.records[number]
            removed = record.commits.removed
            try:
                record.add_rows(rows)
            except sqlite3.Error as error:
                message = f"the commits cannot be kept: {error}"
                raise InspectorError("storage", message, 500) from None
            if record.commits.removed != removed:
                self._events.program_changed()
            if record.has_patches and record.states.is_broken:
                self._read_state(record)
            self._events.committed(number)
        self._commits.clear()
        self._rejected = {number: rows for number, rows in self._rejected.items() if rows}
        return bool(self._rejected)

    def _opened(self, description: Mapping[str, Any]) -> None:
        """Attaches to a store, unless that was done."""
        number = description["store"]
        with self._lock:
            if number in self.records:
                return
            record = self.records[number] = StoreRecord(description, self.database)

        self._attach(record, self._events.trace_is_wanted)

    def _attach(self, record: StoreRecord, has_trace: bool) -> None:
        """Attaches to a store; again to begin or end its trace."""

        def attached(result: Any, error: InspectorError | None) -> None:
            self._keep()
            if error is not None:
                record.is_open = False  # It was closed meanwhile.
                return
            record.attached(result["commit"])
            if record.states.is_broken:
                self._read_state(record)

        params = {"store": record.number, "trace": has_trace}
        self._connection.send("attach", params, attached)

    def _read_state(self, record: StoreRecord) -> None:
        """Reads the whole state of a store, now or when the last time is long enough ago."""
        if not record.has_patches or not record.is_open:
            return
        number = record.number
        with self._lock:
            if number in self._due:
                return
            self._due.add(number)
            pause = self._read_at.get(number, -_PAUSE) + _PAUSE - time.monotonic()
        if pause > 0:
            timer = threading.Timer(pause, self._request_state, (record,))
            timer.daemon = True
            timer.start()
        else:
            self._request_state(record)

    def _request_state(self, record: StoreRecord) -> None:
        with self._lock:
            self._due.discard(record.number)
            self._read_at[record.number] = time.monotonic()
        if not record.states.is_broken:
            return  # What was asked for before has come meanwhile.

        def read(result: Any, error: InspectorError | None) -> None:
            if error is None:
                self._keep()
                size = self._connection.handled
                record.states.anchor(result["commit"], result["value"], size)
                self._events.committed(record.number)

        with suppress(InspectorError):  # The connection may have just ended.
            self._connection.send("state", {"store": record.number}, read)

    def _end(self, reason: str) -> None:
        with suppress(InspectorError, sqlite3.Error):  # The database may be closed.
            self._quiet()
        self.reason = reason
        for record in self.records.values():
            record.is_open = False
        if not self._is_closing:
            self._ended()
