"""imd: a shell for stores and logs, and commands for pipes.

All of it uses the package as any program does. arguments has the parser; each command is a
function of a module that is imported when it is needed. interactive is the shell; only it
needs prompt_toolkit and rich.
"""

from __future__ import annotations

import importlib
import os
import sys
import warnings
from collections.abc import Sequence
from typing import TextIO

import immutabledata as imd

from .failure import INTERRUPTED, PIPE_BROKEN, UNAVAILABLE, CommandError, explain, failure_of
from .output import report, write_utf8


def main(argv: Sequence[str] | None = None) -> int:
    """Runs imd with arguments, by default those of the process, and returns its exit code."""
    _open_standard_streams()
    write_utf8()
    try:
        with warnings.catch_warnings():
            warnings.showwarning = _show_warning
            code = _run(sys.argv[1:] if argv is None else argv)
        _flush()
        return code
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        return PIPE_BROKEN
    except Exception as error:
        message, code = failure_of(error)
        report(message)
        return code
    except BaseException as error:  # Such as SystemExit.
        from .programs import with_place

        report(f"the program of the store has ended imd: {with_place(error)}")
        return UNAVAILABLE
    finally:
        for stream in (sys.stdout, sys.stderr):
            _flush_or_discard(stream)


def _open_standard_streams() -> None:
    """A standard descriptor that is closed gets /dev/null; the next file would have its number.

    Results need a standard output, so what is written there fails. Messages are lost.
    """
    for number, mode in enumerate((os.O_RDWR, os.O_RDONLY, os.O_RDWR)):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, mode)  # It gets the smallest free number, which is this one.
    sys.stdin = sys.stdin or open(0, closefd=False)
    sys.stdout = sys.stdout or open(1, "w", closefd=False)
    sys.stderr = sys.stderr or open(2, "w", closefd=False)


def _run(argv: Sequence[str]) -> int:
    from .arguments import parse

    try:
        arguments = parse(argv)
    except SystemExit as end:  # After --help and --version.
        return end.code if isinstance(end.code, int) else 0
    module, _, function = arguments.run.partition(":")
    code: int = getattr(importlib.import_module(f"{__name__}.{module}"), function)(arguments)
    return code


def _show_warning(
    message: Warning | str,
    category: type[Warning],
    filename: str,
    lineno: int,
    file: TextIO | None = None,
    line: str | None = None,
) -> None:
    """Prints a warning; one of this package without the line of imd that has led to it."""
    text = str(message)
    if not issubclass(category, imd.LikelyMistakeWarning):
        text = warnings.formatwarning(message, category, filename, lineno, line).rstrip()
    report(text)


def _flush() -> None:
    """Raises CommandError: not all results could be written, as to a full device."""
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        raise
    except OSError as error:
        raise CommandError(f"standard output: {explain(error)}") from None


def _flush_or_discard(stream: TextIO) -> None:
    """Keeps the interpreter from flushing at exit what cannot be written, to a broken pipe or a full
    device.
    """
    try:
        stream.flush()
    except OSError:
        null = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null, stream.fileno())
        os.close(null)
