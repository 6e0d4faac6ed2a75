"""Commands for files and other stores: .open, .save and .export."""

from __future__ import annotations

import os
import shutil

from ..failure import CommandError
from .arguments import required
from .results import Note, Prose, Result
from .session import Session


def open_(session: Session, text: str, start: int) -> Result | None:
    name = required(text, start, "a domain, a file or app.py:store")
    if not session.may_discard():
        return None
    session.replace(session.open_again(_path(name)))
    return Note(f"opened {session.opened.name}")


def save(session: Session, text: str, start: int) -> Result | None:
    path = _path(required(text, start, "the name of a file"))
    opened = session.opened
    if opened.path is None:
        raise CommandError(
            f"{opened.name} has no log that could be copied; .export or .state show what it has"
        )
    opened.store.sync()
    _copy(opened.path, path)
    session.replace(session.open_again(path), keeps_observations=True)
    return Note(f"saved in {path}, which keeps every action from now on")


def _copy(source: str, path: str) -> None:
    """Copies a log. Raises OSError: the file exists, or cannot be written."""
    try:
        with open(path, "xb") as target:
            with open(source, "rb") as content:
                shutil.copyfileobj(content, target)
            target.flush()
            os.fsync(target.fileno())
    except FileExistsError:
        raise CommandError(f"{path} already exists; .open {path} opens it") from None


def export(session: Session, text: str, start: int) -> Result | None:
    path = _path(text[start:].strip())
    opened = session.opened
    if opened.path is None:
        raise CommandError(f"{opened.name} has no log that could be exported")
    opened.store.sync()
    exported = opened.library.log.export(opened.path, opened.reducer)
    if not path:
        return Prose(exported)
    try:
        with open(path, "x", encoding="utf-8") as target:
            target.write(exported)
    except FileExistsError:
        raise CommandError(f"{path} already exists") from None
    return Note(f"exported to {path}, which Redux DevTools import")


def _path(text: str) -> str:
    if len(text) > 1 and text[0] == text[-1] and text[0] in "\"'":
        text = text[1:-1]
    return os.path.expanduser(text)
