"""A log that is opened through an imd_log_driver, as the engine opens it."""

from __future__ import annotations

import queue
import secrets
import threading
from collections.abc import Callable
from ctypes import byref, c_char_p, c_ubyte, c_void_p, cast, string_at
from typing import Any, NamedTuple

from .._ffi import log_types as c
from ..log_drivers import Entry, Place
from .engine import ENGINE, new_call, new_watch

(
    DONE,
    MOVED,
    REPEATED,
    ABSENT,
    TRIMMED,
    DIVERGED,
    UNAVAILABLE,
    UNANSWERED,
    UNAUTHENTICATED,
    REFUSED,
) = range(10)

OUTCOMES = (
    "done moved repeated absent trimmed diverged unavailable unanswered unauthenticated refused"
).split()

# Seconds beyond the timeout of a call, for a loaded machine.
_GRACE = 20


class NoAnswer(Exception):
    """A call was not answered within its timeout."""


class Answer(NamedTuple):
    """A copy of an imd_log_answer."""

    outcome: int
    message: str
    head: Place
    id: str
    text: bytes
    place: Place
    entries: list[Entry]
    counter: int

    def __str__(self) -> str:
        name = OUTCOMES[self.outcome] if self.outcome in range(len(OUTCOMES)) else self.outcome
        return f"{name} ({self.message})" if self.message else str(name)


class Client:
    """An open log. Its methods wait for the answer; begin_append does not.

    counter and origin are those of its entries. problems is what the driver did that no call may
    do, such as answering twice.
    """

    def __init__(
        self,
        driver: c.imd_log_driver,
        address: str,
        header: bytes = b'{"a":1}',
        base: bytes | None = b'{"base":0}',
        timeout_ms: int = 10_000,
    ) -> None:
        self.driver, self.timeout_ms = driver, timeout_ms
        self.pending: dict[int, queue.SimpleQueue[Answer]] = {}
        self.changes: queue.SimpleQueue[int] = queue.SimpleQueue()
        self.on_changed: Callable[[int], object] = self.changes.put
        self.origin, self.counter = secrets.token_hex(16), 0
        self.problems: list[str] = []
        self._names: dict[int, str] = {}
        self._answered: set[int] = set()
        self._lock = threading.Lock()
        self._is_open = True
        self._log = c_void_p()
        opening = c.imd_log_opening(
            address.encode(),
            cast(c_char_p(header), c_void_p),
            len(header),
            cast(c_char_p(base), c_void_p),
            len(base or b""),
            timeout_ms,
        )
        call = self._call("open")
        driver.open(driver.context, opening, ENGINE, new_watch(self), byref(self._log), call)
        self.opened = self._wait(call)

    # ---- The functions of the driver -------------------------------------------------------------

    def begin_append(
        self,
        *texts: bytes,
        after: Place | None = None,
        counter: int | None = None,
        origin: str | None = None,
    ) -> int:
        """Makes a call without waiting, and returns it, for end_append."""
        first = self.counter + 1 if counter is None else counter
        entries = (c.imd_log_entry * len(texts))()
        for i, (entry, text) in enumerate(zip(entries, texts)):
            entry.text, entry.length = cast(c_char_p(text), c_void_p), len(text)
            entry.origin, entry.counter = (origin or self.origin).encode(), first + i
        call = self._call("append")
        place = None if after is None else byref(_to_c(after))
        self.driver.append(self._log, place, entries, len(texts), call)
        return call

    def end_append(self, call: int) -> Answer:
        """The answer to a call of begin_append."""
        return self._wait(call)

    def append(self, *texts: bytes, **keywords: Any) -> Answer:
        """Appends. A counter or an origin that is passed leaves those of this log as they are."""
        answer = self._wait(self.begin_append(*texts, **keywords))
        if answer.outcome == DONE and not keywords.keys() & {"counter", "origin"}:
            self.counter += len(texts)
        return answer

    def read(self, after: Place = Place(), limit: int = 1 << 20, hold: bool = False) -> Answer:
        """Reads entries after a place."""
        call = self._call("read")
        self.driver.read(self._log, byref(_to_c(after)), limit, hold, call)
        return self._wait(call)

    def get_snapshot(self) -> Answer:
        """Reads the latest snapshot."""
        call = self._call("get_snapshot")
        self.driver.get_snapshot(self._log, call)
        return self._wait(call)

    def put_snapshot(self, old: int, place: Place, text: bytes) -> Answer:
        """Replaces the snapshot at a number."""
        call = self._call("put_snapshot")
        data = cast(c_char_p(text), c_void_p)
        self.driver.put_snapshot(self._log, old, byref(_to_c(place)), data, len(text), call)
        return self._wait(call)

    def trim(self, number: int) -> Answer:
        """Removes entries up to a number."""
        call = self._call("trim")
        self.driver.trim(self._log, number, call)
        return self._wait(call)

    def close(self) -> None:
        """Ends the use of the log, once."""
        with self._lock:
            if not self._is_open:
                return
            self._is_open = False
        self.driver.close(self._log)
        for call in self.pending.keys() - self._answered:
            self.problems.append(f"{self._names[call]} was not answered when close returned")
        self.on_changed = lambda number: self.problems.append("changed was called after close")

    def changed(self, seconds: float = 20) -> int:
        """The next number that the log has reported. Raises queue.Empty: there is none in time."""
        return self.changes.get(timeout=seconds)

    def __enter__(self) -> Client:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    # ---- Answers ---------------------------------------------------------------------------------

    def _call(self, name: str) -> int:
        call = new_call(self)
        self._names[call] = name
        self.pending[call] = queue.SimpleQueue()
        return call

    def _wait(self, call: int) -> Answer:
        try:
            answer = self.pending[call].get(timeout=self.timeout_ms / 1000 + _GRACE)
        except queue.Empty:
            seconds = self.timeout_ms / 1000
            raise NoAnswer(f"{self._names[call]} was not answered within {seconds:g} s") from None
        self.pending.pop(call)
        return answer

    def answered(self, call: int, answer: Any) -> bool:
        """What the driver calls, on any thread. See Listener."""
        with self._lock:
            name = self._names.get(call)
            answers = self.pending.get(call)
            if answers is None or call in self._answered:
                self.problems.append(f"{name} was answered twice")
                return False
            try:
                copied = _copy(answer)
            except Exception as error:
                self.problems.append(f"the answer to {name} is invalid: {error}")
                copied = Answer(REFUSED, str(error), Place(), "", b"", Place(), [], 0)
            self._answered.add(call)
            answers.put(copied)
            return True

    def hinted(self, number: int) -> None:
        """What the driver calls, on any thread. See Listener."""
        self.on_changed(number)


def _copy(answer: Any) -> Answer:
    if answer is None:
        raise ValueError("it is NULL")
    if answer.outcome not in range(len(OUTCOMES)):
        raise ValueError(f"its outcome is {answer.outcome}")
    return Answer(
        answer.outcome,
        (answer.message or b"").decode(),
        _from_c(answer.head),
        (answer.id or b"").decode(),
        _text(answer),
        _from_c(answer.place),
        [_entry(each) for each in answer.entries[: answer.count]],
        answer.counter,
    )


def _entry(entry: Any) -> Entry:
    author = None if entry.author is None else entry.author.decode()
    origin = entry.origin.decode()
    return Entry(_from_c(entry.place), _text(entry), origin, entry.counter, author)


def _text(of: Any) -> bytes:
    return string_at(of.text, of.length) if of.text else b""


def _to_c(place: Place) -> c.imd_log_place:
    return c.imd_log_place(place.number, (c_ubyte * 32)(*place.hash))


def _from_c(place: Any) -> Place:
    return Place(place.number, bytes(place.hash))
