"""The shell: lines that are actions, expressions or commands, and what they show.

lines parses a line, completion completes one, and commands is the table of the commands. A line
yields a result, see results; printing shows it, as JSON Lines or with colour. session has the
store, and execution executes a line. prompt reads lines from a terminal, piped from anything else.

Only this folder needs prompt_toolkit and rich.
"""

from __future__ import annotations

import argparse
import importlib.util
import shlex
import shutil
import sys
from collections.abc import Mapping
from contextlib import nullcontext
from typing import Any

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
        has_prompt = arguments.lines is None and sys.stdin.isatty()
        with signals_raise(), kept_for_the_prompt() if has_prompt else nullcontext():
            return _run(arguments)
    except Terminated as end:
        return end.exit_code


def _run(arguments: argparse.Namespace) -> int:
    from ..programs import is_program
    from ..stores import OpenedStore, open_store
    from . import piped
    from .leaving import welcome
    from .printing import BatchPrinter, LinePrinter, Printer, TerminalPrinter, find_pager
    from .session import Session

    def open_again(
        name: str, reducer: str | None = None, options: Mapping[str, Any] | None = None
    ) -> OpenedStore:
        library = None if is_program(reducer or name) else arguments.library
        given = list((options or {}).items())
        return open_store(name, reducer, library=library, options=given, interactive=True)

    try:
        opened = open_store(
            arguments.store,
            arguments.reducer,
            library=arguments.library,
            state=arguments.state,
            options=arguments.options,
            read_only=arguments.read_only,
            shared=arguments.shared,
            author=arguments.author,
            interactive=True,
        )
    except imd.StorageError as error:
        if "read-only" not in str(error) or arguments.store is None:
            raise
        words = filter(None, [arguments.store, arguments.reducer])
        command = shlex.join(["imd", "shell", *words, "--read-only"])
        raise CommandError(f"{explain(error)}: {command}") from None
    lines: list[str] | None = arguments.lines
    is_interactive = lines is None and sys.stdin.isatty()
    printer: Printer = LinePrinter()
    if sys.stdout.isatty() and not arguments.json:
        printer = TerminalPrinter(pager=find_pager()) if is_interactive else BatchPrinter()
    session = Session(opened, printer, open_again, is_interactive)
    try:
        if lines is not None:
            return 0 if piped.run_given(session, lines) else REFUSED
        if not is_interactive:
            return 0 if piped.run(session) else REFUSED
        from . import prompt

        if arguments.is_alone:
            print(welcome(shutil.get_terminal_size().columns))
        prompt.run(session)
        return 0
    finally:
        session.close()
