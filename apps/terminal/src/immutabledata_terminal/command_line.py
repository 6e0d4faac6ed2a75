"""What the command lines of the applications share."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Callable

import immutabledata as imd

from .app import StoreApp


def default_path(name: str) -> Path:
    """The path of NAME.sqlite in the user's data folder (XDG Base Directory Specification)."""
    folder = os.environ.get("XDG_DATA_HOME") or Path.home() / ".local/share"
    return Path(folder, "immutabledata", f"{name}.sqlite")


def prepare_default_path(name: str) -> Path:
    """The default path; creates its folder if it is missing. Raises OSError."""
    path = default_path(name)
    path.parent.mkdir(parents=True, exist_ok=True)
    return path


def run(program: str, make_app: Callable[[], StoreApp]) -> int:
    """Runs an application in this terminal. Returns the exit status of the program.

    If a standard stream is not a terminal, or make_app raises an error of opening, it prints a
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
    app.run()
    return app.return_code or 0


def redirected_stream() -> str | None:
    """A standard stream that is not a terminal; None if all are.

    Textual draws to standard error, reads keys from standard input, and reads the size of the
    terminal from standard output.
    """
    streams = {"input": sys.stdin, "output": sys.stdout, "error": sys.stderr}
    for name, stream in streams.items():
        if stream is None or not stream.isatty():
            return name
    return None


def fail(program: str, error: object) -> int:
    print(f"{program}: {error}", file=sys.stderr)
    return 1
