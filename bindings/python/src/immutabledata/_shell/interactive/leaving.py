"""The welcome, and .quit."""

from __future__ import annotations

import immutabledata as imd

from .arguments import no_argument
from .results import Result
from .session import Session

WELCOME = f"""\
imd {imd.version()}: a state that only actions change, and that remembers every action.
Type an action   set /todos []        append /todos "Write a test"
  an expression  todos[0]             length(todos)
   or a command  .undo   .observe length(todos)   .save todo.imd   .help
Tab completes, Ctrl+D ends. imd --help says what else imd can do."""
"""What imd alone says: what it is, and what to type."""


def quit_(session: Session, text: str, start: int) -> Result | None:
    no_argument(text, start)
    session.ended = session.may_discard()
    return None
