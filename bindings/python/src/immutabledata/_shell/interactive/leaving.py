"""The welcome, and .quit."""

from __future__ import annotations

import re

import immutabledata as imd

from ..output import wrapped
from .arguments import no_argument
from .results import Result
from .session import Session

_WELCOME = f"""\
imd {imd.version()}: a state that only actions change, and that remembers every action.
Type an action   set /todos []        append /todos "Write a test"
  an expression  todos[0]             length(todos)
   or a command  .undo   .observe length(todos)   .save todo.imd   .help
Tab completes, Ctrl+D ends. imd --help says what else imd can do."""
"""What imd alone says: what it is, and what to type."""

_SPACE_INSIDE = re.compile(r"(?<=\S) (?=\S)")


def welcome(width: int) -> str:
    """What imd alone says, in lines that are no longer than a width."""
    lines = []
    for line in _WELCOME.split("\n"):
        if "  " in line:  # Examples, none of which is broken.
            line = _SPACE_INSIDE.sub("\xa0", line)
            lines.append(wrapped(line, width, more=" " * 17).replace("\xa0", " "))
        else:
            lines.append(wrapped(line, width))
    return "\n".join(lines)


def quit_(session: Session, text: str, start: int) -> Result | None:
    no_argument(text, start)
    session.ended = session.may_discard()
    return None
