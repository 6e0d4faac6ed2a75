"""Lines from a pipe or a file, without a prompt."""

from __future__ import annotations

from typing import TextIO

from .execution import execute
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
