"""The answer of a log driver in Python, as the library gets it."""

from __future__ import annotations

from collections.abc import Sequence
from ctypes import c_char_p, c_ubyte, c_void_p, cast
from typing import Any

from .._ffi import log_types as c
from .._values import encode_name
from ..errors import InvalidArgumentError, wrong_type
from ..log_drivers import Entry, Moved, Outcome, Place, Repeated


class Answer:
    """An imd_log_answer, and what its pointers point to."""

    def __init__(self, head: Place) -> None:
        self.c = c.imd_log_answer()
        self.head = head
        """The end of the log, as far as it is known."""
        self._texts: list[bytes] = []
        _copy_place(head, self.c.head)

    def set_outcome(self, kind: type[Outcome], message: str) -> None:
        """Sets another outcome than success."""
        self.c.outcome = kind.number
        self.c.message = message.replace("\0", "�").encode("utf-8", "replace")

    def set_raised(self, raised: Outcome) -> None:
        """Sets the outcome that a method has raised."""
        self.set_outcome(type(raised), str(raised))
        if isinstance(raised, (Moved, Repeated)) and raised.head is not None:
            self._set_head(raised.head)
        if isinstance(raised, Moved):
            self._set_entries(raised.entries)
            self.c.counter = raised.latest
        if isinstance(raised, Repeated):
            self.c.counter = raised.counter

    def set_result(self, method: str, result: Any) -> None:
        """Sets what a method has returned."""
        if method == "open":
            _, id, header, head = result
            self.c.id = encode_name(id, "the id of a log")
            self._set_text(self.c, header, "the header of a log")
            self._set_head(head)
        elif method == "append":
            self._set_head(result)
        elif method == "read":
            entries, head = result
            self._set_entries(entries)
            self._set_head(head)
        elif method == "get_snapshot":
            place, text = result
            _copy_place(place, self.c.place)
            self._set_text(self.c, text, "the text of a snapshot")

    def _set_head(self, head: Place) -> None:
        _copy_place(head, self.c.head)
        self.head = Place(*head)

    def _set_entries(self, entries: Sequence[Entry]) -> None:
        array = (c.imd_log_entry * len(entries))()
        for target, (place, text, origin, counter, author) in zip(array, entries):
            _copy_place(place, target.place)
            self._set_text(target, text, "the text of an entry")
            target.origin = encode_name(origin, "the origin of an entry")
            target.counter = counter
            if author is not None:
                target.author = encode_name(author, "the author of an entry")
        self.c.entries = array  # Keeps what it refers to.
        self.c.count = len(entries)

    def _set_text(self, target: Any, text: bytes, role: str) -> None:
        if not isinstance(text, bytes):
            raise wrong_type(role, "bytes", text)
        self._texts.append(text)
        target.text, target.length = cast(c_char_p(text), c_void_p), len(text)


def _copy_place(place: Place, target: c.imd_log_place) -> None:
    number, hash = place
    if not isinstance(hash, bytes):
        raise wrong_type("the hash of a place", "bytes", hash)
    if len(hash) != 32:
        raise InvalidArgumentError(f"the hash of a place must have 32 bytes, not {len(hash)}")
    target.number = number
    target.hash = (c_ubyte * 32).from_buffer_copy(hash)
