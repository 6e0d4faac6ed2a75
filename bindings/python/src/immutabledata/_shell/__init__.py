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

from .failure import INTERRUPTED, PIPE_BROKEN, failure_of
from .output import printable


def main(argv: Sequence[str] | None = None) -> int:
    """Runs imd with arguments, by default those of the process, and returns its exit code."""
    if sys.stdout is None:  # The descriptor was closed: nobody wants the output.
        sys.stdout = open(os.devnull, "w")
    try:
        with warnings.catch_warnings():
            warnings.showwarning = _show_warning
            code = _run(sys.argv[1:] if argv is None else argv)
        sys.stdout.flush()
        return code
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        _discard_output()
        return PIPE_BROKEN
    except Exception as error:
        message, code = failure_of(error)
        print(f"imd: {printable(message)}", file=sys.stderr)
        return code


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
    print(f"imd: {text}", file=sys.stderr)


def _discard_output() -> None:
    """Keeps the interpreter from flushing to the broken pipe again at exit."""
    try:
        descriptor = sys.stdout.fileno()
    except (OSError, ValueError):  # Not a file, as in tests.
        return
    null = os.open(os.devnull, os.O_WRONLY)
    os.dup2(null, descriptor)
    os.close(null)
