"""What a driver calls: an engine that collects answers and hints."""

from __future__ import annotations

import itertools
from ctypes import memmove, string_at
from hashlib import sha256
from typing import Any, Protocol

from .._ffi import log_types as c
from ..errors import ClosedError

_OK, _CLOSED = 0, ClosedError.status


class Listener(Protocol):
    """Who has made a call, or watches a log."""

    def answered(self, call: int, answer: Any) -> bool:
        """Takes an answer, an imd_log_answer or None; returns whether the call waited for it."""
        ...

    def hinted(self, number: int) -> None:
        """Takes a hint that the log has entries up to a number."""
        ...


# By their handles, which are never used again. A driver may pass one at any time.
_calls: dict[int, Listener] = {}
_watches: dict[int, Listener] = {}
_handles = itertools.count(1)


def new_call(listener: Listener) -> int:
    """A handle of a call, whose answers a listener gets."""
    handle = next(_handles)
    _calls[handle] = listener
    return handle


def new_watch(listener: Listener) -> int:
    """A handle of a watch, whose hints a listener gets."""
    handle = next(_handles)
    _watches[handle] = listener
    return handle


def _answer(call: int | None, answer: Any) -> int:
    listener = _calls.get(call or 0)
    is_waiting = listener is not None and listener.answered(
        call or 0, answer.contents if answer else None
    )
    return _OK if is_waiting else _CLOSED


def _changed(watch: int | None, number: int) -> None:
    listener = _watches.get(watch or 0)
    if listener is not None:
        listener.hinted(number)


def _hash(before: int, text: int | None, length: int, after: int) -> None:
    data = string_at(text, length) if text else b""
    memmove(after, sha256(string_at(before, 32) + data).digest(), 32)


# Never freed: drivers keep it.
_types: Any = c.imd_log_engine._fields_
ENGINE = c.imd_log_engine(
    *(type(function) for (_, type), function in zip(_types, (_answer, _changed, _hash)))
)
