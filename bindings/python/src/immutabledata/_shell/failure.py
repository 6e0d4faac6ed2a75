"""The exit codes of imd, and what it prints when a command fails."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager

import immutabledata as imd

REFUSED = 1
USAGE = 2
UNAVAILABLE = 3
INTERRUPTED = 130
PIPE_BROKEN = 141

EXIT_CODES = {
    0: "Everything went well.",
    REFUSED: "Something was refused, differs or is damaged: an action, a replay, a log.",
    USAGE: "The usage is wrong.",
    UNAVAILABLE: "A file or a store cannot be opened, read or written.",
    INTERRUPTED: "Ctrl+C. Whatever was dispatched before is in the store and in its log.",
    PIPE_BROKEN: "The program that reads the output has ended.",
}

_UNAVAILABLE = (
    imd.ClosedError,
    imd.InvalidArgumentError,
    imd.UnknownDomainError,
    OSError,
)


OPENS_WHEN_IMPORTED = (
    "; the program opens it when it is imported: do that in a function, or under "
    'if __name__ == "__main__":'
)


class CommandError(Exception):
    """A command cannot go on. The message is for the user."""

    def __init__(self, message: str, exit_code: int = UNAVAILABLE) -> None:
        super().__init__(message)
        self.exit_code = exit_code


def failure_of(error: Exception) -> tuple[str, int]:
    """The message for an exception that ends a command, and the exit code.

    Raises the exception itself if it is a mistake in imd.
    """
    if isinstance(error, CommandError):
        return str(error), error.exit_code
    if isinstance(error, imd.StorageError) and "this process has it open" in str(error):
        return explain(error) + OPENS_WHEN_IMPORTED, UNAVAILABLE
    if isinstance(error, _UNAVAILABLE):
        return explain(error), UNAVAILABLE
    if isinstance(error, imd.Error):
        return explain(error), REFUSED
    raise error


def did_you_mean(name: str, known: Iterable[str], cutoff: float = 0.6) -> str:
    """Suggests the nearest of some names; empty if none is near, which 1 demands most of."""
    import difflib

    similar = difflib.get_close_matches(name, list(known), 1, cutoff)
    return f"did you mean {similar[0]}?" if similar else ""


@contextmanager
def naming(path: str, copy: str) -> Iterator[None]:
    """Errors of the library name the log at a path, and not its copy, which is used."""
    try:
        yield
    except imd.Error as error:
        message, code = failure_of(error)
        raise CommandError(message.replace(copy, path), code) from error
    except CommandError as error:
        if copy not in str(error):
            raise
        raise CommandError(str(error).replace(copy, path), error.exit_code) from error


def explain(error: BaseException) -> str:
    """The message of an exception, also one that a program has raised."""
    if isinstance(error, CommandError):
        return str(error)
    if not isinstance(error, imd.Error):
        if isinstance(error, OSError) and error.strerror:
            name = "" if error.filename is None else f"{error.filename}: "
            return f"{name}{error.strerror}"
        return f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
    message = str(error)
    cause = error.__cause__
    if cause is not None and str(cause) not in message:
        message = f"{message}: {explain(cause)}"
    return message
