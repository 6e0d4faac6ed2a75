"""What a failed call raises: one class for each status, each a builtin too where one fits."""

from __future__ import annotations

import builtins


class Error(Exception):
    """A call failed; the base of every error of this package.

    The message is for people and may change between versions. The status is for programs and does
    not. Where JSON could not be read, line and column (in code points, from 1) are those of the
    last character that was read, and offset is the number of bytes up to its end. For an expression
    they are where the part at fault begins; else they are 0.
    """

    status: int = -1
    name: str = "IMD_UNKNOWN_STATUS"

    def __init__(self, message: str = "", line: int = 0, column: int = 0, offset: int = 0) -> None:
        super().__init__(message)
        self.message = message
        self.line = line
        self.column = column
        self.offset = offset


class InvalidArgumentError(Error, ValueError):
    """A name or text that is not UTF-8, or an unknown or ill-typed option or argument."""

    status = 1
    name = "IMD_INVALID_ARGUMENT"


class InvalidJSONError(Error, ValueError):
    """Text that is not JSON; line, column and offset say where."""

    status = 2
    name = "IMD_INVALID_JSON"


class InvalidActionError(Error, ValueError):
    """No action of the store's domain."""

    status = 3
    name = "IMD_INVALID_ACTION"


class UnknownDomainError(Error, LookupError):
    """No domain has this name; the message lists those there are."""

    status = 4
    name = "IMD_UNKNOWN_DOMAIN"


class UnknownSelectorError(Error, LookupError):
    """No selector has this name; the message lists those that are near."""

    status = 5
    name = "IMD_UNKNOWN_SELECTOR"


class InvalidSelectorError(Error, ValueError):
    """A selector that cannot be read."""

    status = 6
    name = "IMD_INVALID_SELECTOR"


class ReducerFailedError(Error, RuntimeError):
    """The reducer refused the action, or returned no state; the message is its own."""

    status = 7
    name = "IMD_REDUCER_FAILED"


class ReentrantError(Error, RuntimeError):
    """A reducer used its store or dispatched to any; or settle was called inside a callback."""

    status = 8
    name = "IMD_REENTRANT"


class LimitError(Error, OverflowError):
    """Beyond a limit: nesting, values, text, input, work, or the range of a number."""

    status = 9
    name = "IMD_LIMIT"


class TimedOutError(Error, builtins.TimeoutError):
    """What was waited for did not come in time."""

    status = 10
    name = "IMD_TIMEOUT"


class StorageError(Error, OSError):
    """A file could not be read or written."""

    status = 11
    name = "IMD_IO"


class CorruptError(Error, ValueError):
    """A file does not hold what was written to it."""

    status = 12
    name = "IMD_CORRUPT"


class ClosedError(Error, RuntimeError):
    """The store was closed, or the reducer that a draft was for has returned."""

    status = 13
    name = "IMD_CLOSED"


class NotFoundError(Error, LookupError):
    """Nothing is where a path or a JSON Pointer leads."""

    status = 15
    name = "IMD_NOT_FOUND"


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
    )
}


def from_status(
    status: int, message: str, line: int = 0, column: int = 0, offset: int = 0
) -> Error:
    """Makes the error of a status; for one that is newer than this package, a plain Error."""
    error = BY_STATUS.get(status, Error)(message, line, column, offset)
    error.status = status
    return error
