"""What the command lines of the applications share."""

from __future__ import annotations

import contextlib
import fcntl
import os
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Callable

import immutabledata as imd

from .app import StoreApp


def default_path(name: str) -> Path:
    """The path of a file in the user's data folder (XDG Base Directory Specification)."""
    folder = os.environ.get("XDG_DATA_HOME") or Path.home() / ".local/share"
    return Path(folder, "immutabledata", name)


def prepare_default_path(name: str) -> Path:
    """The default path; creates its folder if it is missing. Raises OSError."""
    path = default_path(name)
    path.parent.mkdir(parents=True, exist_ok=True)
    return path


def run(program: str, make_app: Callable[[], StoreApp]) -> int:
    """Runs an application in this terminal. Returns the exit status of the program.

    If standard input or output is not a terminal, or make_app raises an error of opening, it prints a
    message to standard error and returns 1.
    """
    stream = redirected_stream()
    if stream is not None:
        error = f"standard {stream} is not a terminal; start the program in a terminal"
        return fail(program, error)
    try:
        app = make_app()
    except (imd.Error, OSError, UnicodeDecodeError) as reason:
        return fail(program, reason)
    with screen():
        app.run()
    return app.return_code or 0


@contextlib.contextmanager
def screen() -> Iterator[None]:
    """Lets an application draw on the terminal of standard output, and nothing else.

    Textual draws to standard error, which can be redirected, and to which libraries write warnings.
    What is written to it meanwhile goes to where it was redirected or, if it is a terminal, is shown
    at the end.
    """
    original = sys.__stderr__
    with contextlib.ExitStack() as stack:
        # Not one of the standard descriptors, in case one is closed.
        terminal = fcntl.fcntl(1, fcntl.F_DUPFD_CLOEXEC, 3)
        drawing = stack.enter_context(open(terminal, "w", encoding="utf-8", errors="replace"))
        if os.isatty(2):
            stack.enter_context(held(2))
        stack.callback(setattr, sys, "__stderr__", original)
        setattr(sys, "__stderr__", drawing)  # noqa: B010
        yield


@contextlib.contextmanager
def held(descriptor: int) -> Iterator[None]:
    """Holds back what is written to a descriptor, until the end."""
    saved = fcntl.fcntl(descriptor, fcntl.F_DUPFD_CLOEXEC, 3)
    with open(saved, "wb") as original, tempfile.TemporaryFile() as written:
        os.dup2(written.fileno(), descriptor)
        try:
            yield
        finally:
            os.dup2(saved, descriptor)
            written.seek(0)
            original.write(written.read())


def redirected_stream() -> str | None:
    """Standard input or output if it is not a terminal; None if both are.

    Textual reads keys from standard input. An application draws on standard output.
    """
    streams = {"input": sys.stdin, "output": sys.stdout}
    for name, stream in streams.items():
        if stream is None or not stream.isatty():
            return name
    return None


def fail(program: str, error: object) -> int:
    print(f"{program}: {error}", file=sys.stderr)
    return 1
