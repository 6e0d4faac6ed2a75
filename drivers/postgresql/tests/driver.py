"""The driver as a store uses it, through ctypes, with an engine that collects what it hears."""

import ctypes as c
import hashlib
import os
import queue
import secrets
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).parents[3]
LIBRARY = os.environ.get(
    "IMMUTABLEDATA_POSTGRESQL_LIBRARY",
    str(ROOT / ".build-postgresql" / "libimmutabledata-postgresql.so"),
)

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


class CPlace(c.Structure):
    _fields_ = [("number", c.c_int64), ("hash", c.c_ubyte * 32)]


class CEntry(c.Structure):
    _fields_ = [
        ("place", CPlace),
        ("text", c.c_void_p),
        ("length", c.c_size_t),
        ("origin", c.c_char_p),
        ("counter", c.c_int64),
        ("author", c.c_char_p),
    ]


class CAnswer(c.Structure):
    _fields_ = [
        ("outcome", c.c_int),
        ("message", c.c_char_p),
        ("head", CPlace),
        ("id", c.c_char_p),
        ("text", c.c_void_p),
        ("length", c.c_size_t),
        ("place", CPlace),
        ("entries", c.POINTER(CEntry)),
        ("count", c.c_size_t),
        ("counter", c.c_int64),
    ]


ANSWER = c.CFUNCTYPE(c.c_int, c.c_void_p, c.POINTER(CAnswer))
CHANGED = c.CFUNCTYPE(None, c.c_void_p, c.c_int64)


class CEngine(c.Structure):
    _fields_ = [("answer", ANSWER), ("changed", CHANGED)]


class COpening(c.Structure):
    _fields_ = [
        ("address", c.c_char_p),
        ("header", c.c_char_p),
        ("header_length", c.c_size_t),
        ("base", c.c_char_p),
        ("base_length", c.c_size_t),
        ("timeout_ms", c.c_int),
    ]


CALL = c.c_void_p
PLACE = c.POINTER(CPlace)


class CDriver(c.Structure):
    _fields_ = [
        ("size", c.c_size_t),
        ("context", c.c_void_p),
        (
            "open",
            c.CFUNCTYPE(
                None,
                c.c_void_p,
                c.POINTER(COpening),
                c.POINTER(CEngine),
                c.c_void_p,
                c.POINTER(c.c_void_p),
                CALL,
            ),
        ),
        ("append", c.CFUNCTYPE(None, c.c_void_p, PLACE, c.POINTER(CEntry), c.c_size_t, CALL)),
        ("read", c.CFUNCTYPE(None, c.c_void_p, PLACE, c.c_size_t, c.c_int, CALL)),
        ("get_snapshot", c.CFUNCTYPE(None, c.c_void_p, CALL)),
        (
            "put_snapshot",
            c.CFUNCTYPE(None, c.c_void_p, c.c_int64, PLACE, c.c_char_p, c.c_size_t, CALL),
        ),
        ("trim", c.CFUNCTYPE(None, c.c_void_p, c.c_int64, CALL)),
        ("close", c.CFUNCTYPE(None, c.c_void_p)),
    ]


class CError(c.Structure):
    _fields_ = [
        ("status", c.c_int),
        ("code", c.c_int),
        ("line", c.c_int),
        ("column", c.c_int),
        ("offset", c.c_size_t),
        ("message", c.c_char * 256),
    ]


@dataclass(frozen=True)
class Place:
    number: int = 0
    hash: bytes = bytes(32)

    def after(self, *texts):
        """The place after entries with these texts."""
        place = self
        for text in texts:
            place = Place(place.number + 1, hashlib.sha256(place.hash + text).digest())
        return place


@dataclass(frozen=True)
class Entry:
    place: Place
    text: bytes
    origin: str
    counter: int
    author: str


@dataclass(frozen=True)
class Answer:
    outcome: int
    message: str
    head: Place
    id: str
    text: bytes
    place: Place
    entries: list = field(default_factory=list)
    counter: int = 0


def to_c(place):
    return None if place is None else CPlace(place.number, (c.c_ubyte * 32)(*place.hash))


def from_c(place):
    return Place(place.number, bytes(place.hash))


library = c.CDLL(LIBRARY)
library.imd_postgresql_driver.restype = c.POINTER(CDriver)
library.imd_postgresql_schema.restype = c.c_char_p
library.imd_postgresql_initialize.argtypes = [c.c_char_p, c.c_int, c.POINTER(CError)]
driver = library.imd_postgresql_driver().contents


def initialize(address, timeout_ms=10000):
    """Makes the schema; returns the status and the message."""
    error = CError()
    status = library.imd_postgresql_initialize(address.encode(), timeout_ms, c.byref(error))
    assert status == error.status
    return status, error.message.decode()


class Log:
    """An open log. Every method waits for its answer; begin_append does not."""

    def __init__(self, address, header=b'{"a":1}', base=b'{"base":0}', timeout_ms=10000):
        self.pending = {}
        self.changes = queue.Queue()
        self.on_changed = self.changes.put
        self.origin = secrets.token_hex(16)
        self.counter = 0
        self.timeout_ms = timeout_ms
        self._next = 0
        self._engine = CEngine(ANSWER(self._answer), CHANGED(self._changed))
        self._log = c.c_void_p()
        opening = COpening(
            address.encode(), header, len(header), base, len(base or b""), timeout_ms
        )
        call = self._call()
        driver.open(driver.context, opening, self._engine, None, c.byref(self._log), call)
        self.opened = self._wait(call)

    def _call(self):
        self._next += 1
        self.pending[self._next] = queue.Queue()
        return self._next

    def _answer(self, call, answer):
        a = answer.contents
        entries = [
            Entry(
                from_c(e.place),
                c.string_at(e.text, e.length),
                e.origin.decode(),
                e.counter,
                e.author.decode(),
            )
            for e in a.entries[: a.count]
        ]
        self.pending[call].put(
            Answer(
                a.outcome,
                a.message.decode() if a.message else "",
                from_c(a.head),
                a.id.decode() if a.id else "",
                c.string_at(a.text, a.length) if a.text else b"",
                from_c(a.place),
                entries,
                a.counter,
            )
        )
        return 0

    def _changed(self, watch, number):
        self.on_changed(number)

    def _wait(self, call):
        """Every call is answered within its timeout; the rest is for a loaded machine."""
        answer = self.pending[call].get(timeout=self.timeout_ms / 1000 + 20)
        assert self.pending.pop(call).empty()
        return answer

    def changed(self):
        """The next number that the log has reported."""
        return self.changes.get(timeout=20)

    def begin_append(self, *texts, after=None, counter=None, origin=None):
        counter = self.counter + 1 if counter is None else counter
        entries = (CEntry * len(texts))(
            *[
                CEntry(
                    CPlace(),
                    c.cast(text, c.c_void_p),
                    len(text),
                    (origin or self.origin).encode(),
                    counter + i,
                    None,
                )
                for i, text in enumerate(texts)
            ]
        )
        call = self._call()
        place = to_c(after)
        driver.append(self._log, place and c.byref(place), entries, len(texts), call)
        return call

    def append(self, *texts, **keywords):
        """A counter or an origin that is passed leaves those of this log as they are."""
        answer = self._wait(self.begin_append(*texts, **keywords))
        if answer.outcome == DONE and not keywords.keys() & {"counter", "origin"}:
            self.counter += len(texts)
        return answer

    def end_append(self, call):
        return self._wait(call)

    def read(self, after=Place(), limit=1 << 20, hold=False):
        call = self._call()
        driver.read(self._log, to_c(after), limit, hold, call)
        return self._wait(call)

    def read_all(self, limit=1 << 20):
        """All entries, page by page."""
        entries, place = [], Place()
        while True:
            answer = self.read(place, limit)
            assert answer.outcome == DONE, answer
            if not answer.entries:
                return entries
            entries += answer.entries
            place = entries[-1].place

    def get_snapshot(self):
        call = self._call()
        driver.get_snapshot(self._log, call)
        return self._wait(call)

    def put_snapshot(self, old, place, text):
        call = self._call()
        driver.put_snapshot(self._log, old, to_c(place), text, len(text), call)
        return self._wait(call)

    def trim(self, number):
        call = self._call()
        driver.trim(self._log, number, call)
        return self._wait(call)

    def close(self):
        if self._log is not None:
            log, self._log = self._log, None
            driver.close(log)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()
