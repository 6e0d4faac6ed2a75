"""What a log driver in Python takes, returns and raises; see register_log."""

from __future__ import annotations

import hashlib
import importlib
from collections.abc import Callable, Sequence
from types import ModuleType
from typing import NamedTuple, Protocol


class Place(NamedTuple):
    """A place in a log: after the entry with a number, or at the beginning."""

    number: int = 0
    """The number of the entry before it; 0 at the beginning."""

    hash: bytes = bytes(32)
    """32 bytes. Logs with the same hash at the same number have the same entries."""

    def after(self, *texts: bytes) -> Place:
        """The place after more entries with these texts."""
        place = self
        for text in texts:
            place = Place(place.number + 1, hashlib.sha256(place.hash + text).digest())
        return place


class Entry(NamedTuple):
    """An entry of a log."""

    place: Place
    """The place after the entry; in append, Place()."""

    text: bytes
    """What the driver keeps: JSON on one line, which the library makes and reads."""

    origin: str
    """32 hexadecimal digits: the opening of the store that has appended it."""

    counter: int
    """Its place among the entries of its origin: 1, 2, 3 and so on."""

    author: str | None = None
    """Who has appended it, if the driver can vouch for that."""


class Opening(NamedTuple):
    """How a log is opened."""

    address: str
    """The address, as in the option log of the store."""

    header: bytes
    """What a new log begins with: JSON on one line."""

    base: bytes | None
    """The snapshot at the beginning of a new log; None to open only a log that exists."""

    timeout: float
    """How many seconds a call may take."""

    changed: Callable[..., None]
    """changed(number) tells the store that the log has, or may have, entries up to a number;
    changed() that anything may have changed. It is a hint, which any thread may give."""


class Opened(NamedTuple):
    """A log that was opened."""

    log: Log
    """What the library calls from now on."""

    id: str
    """32 hexadecimal digits, random, the same for each opening of this log."""

    header: bytes
    """What the log begins with."""

    head: Place
    """The end of the log."""


class Found(NamedTuple):
    """What read has found."""

    entries: Sequence[Entry]
    """Entries after the place, in order."""

    head: Place
    """The end of the log."""


class Snapshot(NamedTuple):
    """A text from which a store that opens the log begins."""

    place: Place
    """The place in the log whose state it has."""

    text: bytes
    """JSON on one line, which the library makes and reads."""


class Log(Protocol):
    """An open log. Its methods are called one after the other, on a thread of this log. They may
    wait, for up to Opening.timeout seconds each.
    """

    def append(self, after: Place | None, entries: Sequence[Entry]) -> Place:
        """Appends entries of one origin, all or none, and returns the new end of the log.

        If after is not None, the log must end there. The counter of the first entry must be the
        next one of its origin; that is compared first, and known for ever. Without entries, it only
        ends what read has held.

        Raises Repeated, Moved, Diverged, Unanswered.
        """
        ...

    def read(self, after: Place, limit: int, hold: bool) -> Found:
        """Reads entries after a place: about limit bytes, but at least one entry if there is one.

        hold: nobody else can append until the next append, put_snapshot or trim of this log, or
            for a few seconds. A driver that cannot do this ignores it.

        Raises Trimmed, Diverged.
        """
        ...

    def get_snapshot(self) -> Snapshot:
        """Returns the latest snapshot; at first the base of the log, at Place().

        Raises Absent.
        """
        ...

    def put_snapshot(self, old: int, place: Place, text: bytes) -> None:
        """Replaces the latest snapshot, if it is still the one at the number old.

        Raises Moved: another one was put.
        Raises Diverged, Trimmed: the log does not have the place.
        """
        ...

    def trim(self, number: int) -> None:
        """Removes the entries up to a number, which is at most that of the latest snapshot. The
        place of the last one that is removed is kept, and so are the counters of all origins.
        """
        ...

    def close(self) -> None:
        """Ends the use of the log."""
        ...


class Driver(Protocol):
    """What opens the logs of a scheme."""

    def open(self, opening: Opening) -> Opened:
        """Opens a log, or makes one. If several stores do so at the same time, one makes it, and
        all open that one.

        Raises Absent: there is no such log, and opening has no base.
        """
        ...


class Outcome(Exception):
    """The base class of what the methods of a driver raise instead of returning.

    All may raise Unavailable, Unauthenticated and Refused. The message is for people. A
    ConnectionError or TimeoutError counts as Unavailable; in append, as Unanswered. Any other
    exception counts as Refused, and goes to sys.unraisablehook, too.
    """

    number = 9

    def __init__(self, message: str = "") -> None:
        super().__init__(message)
        self.message = message


class Moved(Outcome):
    """append: the log does not end where it should. put_snapshot: another snapshot was put.

    head: the end of the log, if it is known.
    entries: those after the place where the caller has taken the log to end; else it reads them.
    latest: for put_snapshot, the number of the latest snapshot, if it is known.
    """

    number = 1

    def __init__(
        self,
        message: str = "",
        head: Place | None = None,
        entries: Sequence[Entry] = (),
        latest: int = 0,
    ) -> None:
        super().__init__(message)
        self.head = head
        self.entries = entries
        self.latest = latest


class Repeated(Outcome):
    """append: the counter is not the next one of its origin, whose last one is counter."""

    number = 2

    def __init__(self, counter: int, head: Place | None = None) -> None:
        super().__init__(f"the last counter is {counter}")
        self.counter = counter
        self.head = head


class Absent(Outcome):
    """open: there is no such log. get_snapshot: there is no snapshot."""

    number = 3


class Trimmed(Outcome):
    """read, put_snapshot: entries after that place are not kept any more."""

    number = 4


class Diverged(Outcome):
    """The log has another hash at that place, or ends before it."""

    number = 5


class Unavailable(Outcome):
    """Not now: the network fails, the server starts or is overloaded. Nothing was appended."""

    number = 6


class Unanswered(Outcome):
    """append: it is not known whether it was done. It may still be done, until an entry with its
    counter is appended.
    """

    number = 7


class Unauthenticated(Outcome):
    """The credentials are wrong or have expired."""

    number = 8


class Refused(Outcome):
    """Never: there is no permission, the entry is too large, or the log has another format."""


def find_module(scheme: str) -> ModuleType | None:
    """Imports the module immutabledata_<scheme>, which has the driver for a scheme, and returns it;
    None if there is none. In its name, "+", "-" and "." are "_".

    Its function driver() returns the driver, as register_log takes it. It may have two more:
    initialize(address) makes or upgrades what the server of an address needs before its first log,
    and raises ValueError or OSError; schema() returns what that runs, as text.
    """
    name = module_name(scheme)
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        if error.name != name:
            raise
    return None


def module_name(scheme: str) -> str:
    """The name of the module that has the driver for a scheme."""
    return "immutabledata_" + scheme.translate(str.maketrans("+-.", "___"))
