"""The exceptions of the package: a class for each status, also derived from a builtin one."""

from __future__ import annotations

import builtins
import contextlib
import os
import sys
import warnings

_PACKAGE = os.path.join(os.path.dirname(__file__), "")


class LikelyMistakeWarning(RuntimeWarning):
    """Something that is allowed, and probably a mistake: an expression that can only be empty for the
    state, an action that no slice takes, a slice whose name the state lacks, JSON text as the state.
    """


def warn(message: str) -> None:
    """Warns the code that called this package of a likely mistake."""
    level, frame = 1, sys._getframe()
    while frame.f_back is not None and frame.f_code.co_filename.startswith(_PACKAGE):
        level, frame = level + 1, frame.f_back
    warnings.warn(message, LikelyMistakeWarning, stacklevel=level)


class Error(Exception):
    """The base class of all errors of this package.

    The message is for people and may change between versions. The status is for programs and does
    not change. For JSON text that is invalid, nests too deep or has a number out of range, line and
    column (in code points, from 1) are those of the last character read, and offset is the number
    of bytes up to its end. If a part of an expression is faulty, fails or lacks its argument, they
    are where that part begins. In all other cases they are 0.

    code tells a program why a reducer refused; 0 if nobody set it. A reducer that raises an error of
    this package passes its code on to callers in other languages. Pass it, or declare a class:

        class UnknownTask(imd.ReducerFailedError):
            code = 7
    """

    status: int = -1
    name: str = "IMD_UNKNOWN_STATUS"

    code: int = 0

    def __init__(
        self,
        message: str = "",
        line: int = 0,
        column: int = 0,
        offset: int = 0,
        code: int | None = None,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.line = line
        self.column = column
        self.offset = offset
        if code is not None:
            self.code = code


class InvalidArgumentError(Error, ValueError):
    """An argument or option is unknown or has an invalid value, or a str cannot be UTF-8."""

    status = 1
    name = "IMD_INVALID_ARGUMENT"


class InvalidJSONError(Error, ValueError):
    """The text is not JSON; line, column and offset say where. Or a key contains U+0000."""

    status = 2
    name = "IMD_INVALID_JSON"

    def __str__(self) -> str:
        if self.line == 0:  # The message says where the error is in Python data.
            return self.message
        return f"{self.message} (line {self.line}, column {self.column})"


class InvalidActionError(Error, ValueError):
    """The data is not an action, or not an action of the store's domain."""

    status = 3
    name = "IMD_INVALID_ACTION"


class UnknownDomainError(Error, LookupError):
    """No domain has this name; the message suggests a similar one, or lists the first."""

    status = 4
    name = "IMD_UNKNOWN_DOMAIN"


class UnknownSelectorError(Error, LookupError):
    """No selector has this name; the message suggests similar names, or lists the first."""

    status = 5
    name = "IMD_UNKNOWN_SELECTOR"


class InvalidSelectorError(Error, ValueError):
    """The expression of a selector or query is invalid, or its evaluation failed."""

    status = 6
    name = "IMD_INVALID_SELECTOR"


class ReducerFailedError(Error, RuntimeError):
    """The reducer rejected the action, and the message is its own; or it returned no state."""

    status = 7
    name = "IMD_REDUCER_FAILED"


class ReentrantError(Error, RuntimeError):
    """A reducer used its store or dispatched to any store; a rule, filter or comparison dispatched;
    settle was called inside a callback or an effect, or on the event loop of an effect; a listener
    was joined on its own thread or event loop; or a signal handler, finalizer or debugger did such a
    thing while it interrupted one of these functions, which is not affected.
    """

    status = 8
    name = "IMD_REENTRANT"


class LimitError(Error, OverflowError):
    """A limit is exceeded: nesting, values, text, input, work, the range of a number, the body or
    headers of a response, the capacity of a stream or listener, the number of effects, or a
    resource of the process, such as descriptors.
    """

    status = 9
    name = "IMD_LIMIT"


class TimedOutError(Error, builtins.TimeoutError):
    """The timeout passed; or a stream was read inside a callback, where it does not wait."""

    status = 10
    name = "IMD_TIMEOUT"


class StorageError(Error, OSError):
    """A file could not be read or written; or, in on_error, a request or a server failed."""

    status = 11
    name = "IMD_IO"


class CorruptError(Error, ValueError):
    """A file is damaged, or is not of the expected kind."""

    status = 12
    name = "IMD_CORRUPT"


class ClosedError(Error, RuntimeError):
    """The store, stream or request is closed, or the reducer of a draft has returned."""

    status = 13
    name = "IMD_CLOSED"


class NotFoundError(Error, LookupError):
    """A path or JSON Pointer leads to nothing; a record does not exist; no function is set for an
    effect or request; or a callback is not an observer of the store.
    """

    status = 15
    name = "IMD_NOT_FOUND"


class UnavailableError(Error, ConnectionError):
    """The server that keeps a log cannot be reached now, or the credentials for it are wrong.
    Nothing has changed; the store tries again with the next call.
    """

    status = 16
    name = "IMD_UNAVAILABLE"


class RefusedError(Error, PermissionError):
    """The server that keeps a log refuses the call for good: there is no permission, or the entry is
    too large. Nothing has changed. Or the log driver has failed.
    """

    status = 17
    name = "IMD_REFUSED"


class DivergedError(Error, ValueError):
    """The log is not the one that the store has read, for example because the server was restored
    from a backup. Open the store again to use what the log has now.
    """

    status = 18
    name = "IMD_DIVERGED"


class OutdatedError(Error, RuntimeError):
    """The reducer refuses an entry of a log, which another version of the program has appended.
    Its __cause__ is what the reducer raised. Use the newer version.
    """

    status = 19
    name = "IMD_OUTDATED"


BY_STATUS: dict[int, type[Error]] = {
    error.status: error
    for error in (
        InvalidArgumentError,
        InvalidJSONError,
        InvalidActionError,
        UnknownDomainError,
        UnknownSelectorError,
        InvalidSelectorError,
        ReducerFailedError,
        ReentrantError,
        LimitError,
        TimedOutError,
        StorageError,
        CorruptError,
        ClosedError,
        NotFoundError,
        UnavailableError,
        RefusedError,
        DivergedError,
        OutdatedError,
    )
}


def wrong_type(role: str, expected: str, data: object) -> TypeError:
    """Makes the error for an argument of the wrong Python type."""
    kind = "None" if data is None else type(data).__name__
    return TypeError(f"{role} must be {expected}, not {kind}")


def add_note(error: BaseException, note: str) -> None:
    """Adds a note to an exception, unless it has that note. Python 3.11 and later print notes.

    As error.add_note, which Python 3.11 added.
    """
    with contextlib.suppress(Exception):  # The program may have set __notes__ to anything.
        notes = getattr(error, "__notes__", [])
        if note not in notes:
            error.__notes__ = [*notes, note]


def from_status(
    status: int, message: str, line: int = 0, column: int = 0, offset: int = 0, code: int = 0
) -> Error:
    """Makes the error for a status; a plain Error if the status is newer than this package."""
    error = BY_STATUS.get(status, Error)(message, line, column, offset, code)
    error.status = status
    return error
