"""Lines from a pipe, a file or the command line, without a prompt."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from ..input import numbered_lines
from ..output import wait_for_input
from .execution import execute
from .lines import split_lines
from .printing import LinePrinter
from .session import Session


def run(session: Session) -> bool:
    """Executes the lines of standard input. Returns whether all went well."""

    def wait() -> None:
        if session.following.is_active:  # Otherwise a line may need no reader of its results.
            wait_for_input(sys.stdin)

    is_well = True
    for lines in numbered_lines(wait):
        for number, line in lines:
            if isinstance(session.printer, LinePrinter):
                session.printer.number = number
            text = line.decode(errors="surrogateescape").rstrip("\r")
            is_well = execute(session, text) and is_well
            if session.ended:
                return is_well
    return is_well


def run_given(session: Session, texts: Sequence[str]) -> bool:
    """Executes lines, several of which may be in one text. Returns whether all went well."""
    is_well = True
    for text in texts:
        for line in split_lines(text):
            is_well = execute(session, line) and is_well
            if session.ended:
                return is_well
    return is_well
