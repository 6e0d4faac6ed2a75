"""A program that runs, as a source of records."""

from __future__ import annotations

import os
import threading
import time
from contextlib import suppress
from typing import Any

from .events import Events
from .failures import GoneError, InspectorError, UnknownStateError
from .record import StoreRecord
from .session import Session
from .sockets import name_and_process, socket_paths

# How many seconds lie between two looks for a program that has ended.
_INTERVAL = 0.25
# How long the pauses become after connections that end within _SHORT seconds.
_LONGEST_PAUSE, _SHORT = 30.0, 5.0


class LiveProgram:
    """A program that runs. If it ends and is started again, its new stores replace the old ones."""

    source = "live"

    def __init__(self, path: str) -> None:
        """Connects. Raises InspectorError: there is no program."""
        self.events = Events()
        self._closing = threading.Event()
        self._lost = threading.Event()
        self._others: set[str] = set()
        self._command = b""
        self._session = self._connected(path)
        self._thread = threading.Thread(target=self._follow, name="imd inspect", daemon=True)
        self._thread.start()

    def _connected(self, path: str) -> Session:
        session = Session(path, self.events, self._lost.set)
        self._connected_at = time.monotonic()
        self._others = set(socket_paths())
        self._command = _command_of(session.answer.get("process"))
        return session

    def close(self) -> None:
        self._closing.set()
        self._lost.set()
        self._thread.join()
        self._session.close()
        self.events.close()

    # ---- The program that has ended --------------------------------------------------------------

    def _follow(self) -> None:
        """Waits for the end of the program, and then for one that takes its place."""
        pause = _INTERVAL
        while True:
            self._lost.wait()
            self._lost.clear()
            if self._closing.is_set():
                return
            self.events.connection_changed()
            # A program whose answers end the connection is not asked for them all the time.
            lasted = time.monotonic() - self._connected_at
            pause = _INTERVAL if lasted > _SHORT else min(2 * pause, _LONGEST_PAUSE)
            while not self._closing.wait(pause) and not self._connect_again():
                pause = _INTERVAL

    def _connect_again(self) -> bool:
        for path in self._candidates():
            with suppress(InspectorError):
                before, self._session = self._session, self._connected(path)
                self.events.connection_changed()
                before.close()
                return True
        return False

    def _candidates(self) -> list[str]:
        """The sockets on which the program may listen now: the old one, or a new one of its name,
        if the same command has started it.
        """
        path = self._session.path
        name, process = name_and_process(path)
        candidates = [path]
        for other in socket_paths() if process else ():
            other_name, other_process = name_and_process(other)
            is_new = other_name == name and other not in self._others
            if is_new and self._command and _command_of(other_process) == self._command:
                candidates.append(other)
        return candidates

    # ---- For the page ----------------------------------------------------------------------------

    @property
    def records(self) -> dict[int, StoreRecord]:
        return self._session.records

    @property
    def size(self) -> int:
        """How many bytes the database of commits has."""
        return self._session.database.size

    def describe(self) -> dict[str, Any]:
        answer = self._session.answer
        members = {name: answer.get(name) for name in ("process", "library")}
        members["program"] = self._session.program
        return {**members, "connected": self._session.is_connected}

    def request(self, record: StoreRecord, method: str, **params: Any) -> Any:
        """Asks the program. Raises InspectorError: it refuses, or has ended."""
        if self.records.get(record.number) is not record:
            raise GoneError("the program was started again")
        return self._session.request(record, method, **params)

    def part(self, record: StoreRecord, number: int | None, pointer: str) -> tuple[int, Any]:
        """The part of a state at a pointer, of a store whose commits have no patches.

        Raises UnknownStateError: the state after the commit is not the present one.
        """
        result = self.request(record, "state", path=pointer)
        if number not in (None, result["commit"]):
            raise UnknownStateError("of the store of a domain, only the present state is known")
        return result["commit"], result["value"]

    def set_trace(self, is_wanted: bool) -> None:
        with suppress(InspectorError):
            self._session.set_trace(is_wanted)


def _command_of(process: Any) -> bytes:
    """The command line of a process; empty if that is not known."""
    try:
        with open(f"/proc/{process}/cmdline", "rb") as file:
            return file.read(1 << 16)
    except (OSError, ValueError):
        return b""


def memory() -> int:
    """How many bytes of memory this process has."""
    with open("/proc/self/statm", "rb") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
