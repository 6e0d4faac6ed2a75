"""The welcome, and .quit."""

from __future__ import annotations

import immutabledata as imd

from .arguments import no_argument
from .results import Result
from .session import Session

WELCOME = f"""\
imd {imd.version()} is a store: a state that only actions change, and that remembers them all.
Type an action:     set /todos []        append /todos "Write a test"
an expression:      todos[0]             length(todos)
or a command:       .undo   .history   .observe length(todos)   .save todo.imd   .help
Tab completes, Ctrl+D ends. imd --help lists what else imd can do."""
"""What imd alone says: what it is, and what to type."""


def quit_(session: Session, text: str, start: int) -> Result | None:
    no_argument(text, start)
    session.ended = session.may_discard()
    return None
