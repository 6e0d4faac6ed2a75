"""Lines from a pipe, a file or the command line, without a prompt."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TextIO

from .execution import execute
from .lines import split_lines
from .printing import LinePrinter
from .session import Session


def run(session: Session, source: TextIO) -> bool:
    """Executes the lines of a source. Returns whether all went well."""
    is_well = True
    for number, line in enumerate(source, 1):
        if number == 1:
            line = line.removeprefix("\ufeff")
        if isinstance(session.printer, LinePrinter):
            session.printer.number = number
        text = line.rstrip("\r\n")
        is_well = execute(session, text.lstrip("\ufeff") if number == 1 else text) and is_well
        if session.ended:
            break
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
