"""The exceptions behind failed effects. The library knows only their messages."""

from __future__ import annotations

import collections
import contextlib
from typing import Any, Callable, NamedTuple

# Exceptions that wait for their report. Those of effects with a failure action are not reported.
_CAPACITY = 1_024


Failure = NamedTuple(
    "Failure",
    [
        ("message", bytes),
        ("error", BaseException),
        ("callback", Callable[..., Any]),
        ("role", str),
    ],
)
"""An exception of a rule or of the function of an effect."""


class EffectFailures:
    """The exceptions of one store that the library may report, oldest first."""

    def __init__(self) -> None:
        self._failures: collections.deque[Failure] = collections.deque(maxlen=_CAPACITY)

    def add(
        self, error: BaseException, callback: Callable[..., Any], role: str, message: bytes
    ) -> Failure:
        """Adds an exception, before the library learns its message."""
        failure = Failure(message, error, callback, role)
        self._failures.append(failure)
        return failure

    def remove(self, failure: Failure) -> None:
        with contextlib.suppress(ValueError):
            self._failures.remove(failure)

    def forget(self, message: bytes) -> None:
        """Removes the oldest exception with a message, which became an action."""
        for failure in list(self._failures):
            if failure.message == message:
                return self.remove(failure)

    def take(self, message: bytes) -> Failure | None:
        """Removes and returns the oldest exception that a report of the library is about."""
        for failure in list(self._failures):
            if is_same(message, failure.message):
                self.remove(failure)
                return failure
        return None

    def __len__(self) -> int:
        return len(self._failures)


def reason_of(error: BaseException) -> bytes:
    """The message of an exception, for users; the name of its type if it has none."""
    name = type(error).__name__
    try:
        reason = str(error) or name
    except Exception:  # Exceptions of __str__ must not reach C.
        reason = name
    if isinstance(error, (KeyError, SystemExit)) and reason != name:
        # The message is only the key or the exit status.
        reason = f"{name}: {reason}"
    return reason.encode("utf-8", "replace").replace(b"\0", b"")


def is_same(reported: bytes, message: bytes) -> bool:
    """Whether a report of the library has a message: alone, after words of its own, or cut."""
    ellipsis = "…".encode()
    if reported.endswith(ellipsis):
        return message[:100] in reported
    return reported == message or reported.endswith(b": " + message)
