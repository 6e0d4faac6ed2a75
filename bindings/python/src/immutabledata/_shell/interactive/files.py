"""Commands for files and other stores: .open, .save and .export."""

from __future__ import annotations

import os
import shlex

from ..addresses import require_file
from ..failure import CommandError
from ..files import copy_lines, new_file, private
from ..output import json_of
from .arguments import required
from .results import Note, Prose, Result
from .session import Session
from .words import LineError


def open_(session: Session, text: str, start: int) -> Result | None:
    names = _names(required(text, start, "a log, a domain or app.py:store"), start)
    require_file(names[0], ".open")
    if not session.may_discard():
        return None
    session.replace(session.open_again(*names))
    return Note(f"opened {session.opened.name}")


def save(session: Session, text: str, start: int) -> Result | None:
    path = _path(required(text, start, "the name of a file"))
    opened = session.opened
    if opened.path is None:
        raise _no_log(session, "copied", "imd backup LOG FILE")
    opened.store.sync()
    with new_file(path, like=opened.path) as part:
        copy_lines(opened.path, part)
    again = session.open_again(path, opened.program, opened.options)
    session.replace(again, keeps_observations=True)
    options = [f"--option={name}={json_of(given)}" for name, given in opened.options.items()]
    words = [path, *([opened.program] if opened.program else []), *options]
    command = shlex.join(["imd", "shell", *words])
    return Note(f"saved in {path}, which keeps all from now on; {command} opens it again")


def export(session: Session, text: str, start: int) -> Result | None:
    path = _path(text[start:].strip())
    opened = session.opened
    if opened.path is None:
        raise _no_log(session, "exported", "imd export LOG app.py:reduce")
    opened.store.sync()
    exported = opened.library.log.export(opened.path, opened.reducer)
    if not path:
        return Prose(exported)
    with new_file(path, like=opened.path) as part:
        with open(part, "x", encoding="utf-8", opener=private) as target:
            target.write(exported)
    return Note(f"exported to {path}, which Redux DevTools import")


def _names(text: str, start: int) -> list[str]:
    """The one or two names of a store: a log, and its reducer. A path may have spaces."""
    if os.path.exists(_path(text)):
        return [_path(text)]
    try:
        words = shlex.split(text)
    except ValueError:  # As with an apostrophe in a path.
        return [_path(text)]
    if len(words) > 2:
        raise LineError('expected FILE REDUCER; put a path with spaces into quotes: "a b"', start)
    return [os.path.expanduser(word) for word in words]


def _path(text: str) -> str:
    if len(text) > 1 and text[0] == text[-1] and text[0] in "\"'":
        text = text[1:-1]
    return os.path.expanduser(text)


def _no_log(session: Session, verb: str, command: str) -> CommandError:
    name = session.opened.name
    if "log" in session.store.statistics():
        return CommandError(f"only the program of {name} knows where its log is; type: {command}")
    return CommandError(f"{name} has no log that could be {verb}")
