"""The shell: lines that are actions, expressions or commands, and what they show.

lines parses a line, completion completes one, and commands is the table of the commands. A line
yields a result, see results; printing shows it, as JSON Lines or with colour. session has the
store, and execution executes a line. prompt reads lines from a terminal, piped from anything else.

Only this folder needs prompt_toolkit and rich.
"""

from __future__ import annotations

import argparse
import importlib.util
import io
import shlex
import shutil
import sys
from contextlib import nullcontext

import immutabledata as imd

from ..failure import REFUSED, USAGE, CommandError, explain
from .termination import Terminated, signals_raise
from .typing_ahead import kept_for_the_prompt


def run(arguments: argparse.Namespace) -> int:
    """Runs the shell: imd and imd shell.

    Raises CommandError: it cannot open the store, or something is not installed.
    """
    missing = [name for name in ("prompt_toolkit", "rich") if not importlib.util.find_spec(name)]
    if missing:
        raise CommandError(
            f"the shell needs {' and '.join(missing)}: pip install 'immutabledata[shell]', or on "
            "Debian: apt install python3-prompt-toolkit python3-rich. The other commands do not; "
            "see imd --help",
            USAGE,
        )
    # From now on: opening a store takes a moment, in which people type.
    try:
        with signals_raise(), kept_for_the_prompt() if sys.stdin.isatty() else nullcontext():
            return _run(arguments)
    except Terminated as end:
        return end.exit_code


def _run(arguments: argparse.Namespace) -> int:
    from ..programs import is_program
    from ..stores import OpenedStore, open_store
    from . import piped
    from .leaving import welcome
    from .printing import LinePrinter, Printer, TerminalPrinter, find_pager
    from .session import Session

    def open_again(name: str, log: str | None) -> OpenedStore:
        library = None if is_program(name) else arguments.library
        return open_store(name, log=log, library=library, interactive=True)

    try:
        opened = open_store(
            arguments.store,
            log=arguments.log,
            library=arguments.library,
            state=arguments.state,
            read_only=arguments.read_only,
            interactive=True,
        )
    except imd.StorageError as error:
        if "read-only" not in str(error):
            raise
        words = [arguments.store, *(["--log", arguments.log] if arguments.log else [])]
        command = shlex.join(["imd", "shell", *words, "--read-only"])
        raise CommandError(f"{explain(error)}: {command}") from None
    _accept_all_text()
    is_interactive = sys.stdin.isatty()
    is_terminal = sys.stdout.isatty() and not arguments.json
    printer: Printer = TerminalPrinter(pager=find_pager()) if is_terminal else LinePrinter()
    session = Session(opened, printer, open_again, is_interactive)
    try:
        if not is_interactive:
            return 0 if piped.run(session, sys.stdin) else REFUSED
        from . import prompt

        if arguments.command is None:
            print(welcome(shutil.get_terminal_size().columns))
        prompt.run(session)
        return 0
    finally:
        session.close()


def _accept_all_text() -> None:
    """Text that cannot be read must not end the shell."""
    if isinstance(sys.stdin, io.TextIOWrapper) and not sys.stdin.isatty():
        sys.stdin.reconfigure(encoding="utf-8", errors="surrogateescape")
