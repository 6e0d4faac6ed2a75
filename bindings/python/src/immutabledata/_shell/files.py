"""Files that a store may be writing, and new files, which never replace others."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import BinaryIO

from .failure import CommandError

_PART = 1 << 20


@contextmanager
def new_file(path: str) -> Iterator[str]:
    """The path of a file to be written inside the with statement; afterwards it has its name and is
    on the disk. If the statement raises, nothing stays.

    Raises CommandError: there is something with that name.
    Raises OSError: a file cannot be written.
    """
    if os.path.lexists(path):
        raise _exists(path)
    folder = os.path.dirname(path) or "."
    if not os.path.isdir(folder):
        raise CommandError(f"there is no folder {folder}")
    part = f"{path}.part-{os.getpid()}"
    try:
        yield part
        with open(part, "rb") as file:
            os.fsync(file.fileno())
        try:
            os.link(part, path)  # Unlike a rename, it replaces nothing.
        except FileExistsError:
            raise _exists(path) from None
        except OSError:  # The file system has no links.
            if os.path.lexists(path):
                raise _exists(path) from None
            os.rename(part, path)
        _sync_folder(os.path.dirname(os.path.abspath(path)))
    except OSError as error:
        if error.filename == part:
            error.filename = path
        raise
    finally:
        if os.path.lexists(part):
            os.unlink(part)


def copy_lines(source: str, target: str) -> None:
    """Copies the complete lines of a file to a new one; the line that is being written is left out.

    Raises OSError: a file cannot be read or written.
    """
    with open(source, "rb") as old, open(target, "x+b") as new:
        while part := old.read(_PART):
            new.write(part)
        new.truncate(_end_of_lines(new))


def _end_of_lines(file: BinaryIO) -> int:
    """Where the last complete line of a file ends."""
    end = file.tell()
    while end > 0:
        start = max(end - _PART, 0)
        file.seek(start)
        found = file.read(end - start).rfind(b"\n")
        if found >= 0:
            return start + found + 1
        end = start
    return 0


def _exists(path: str) -> CommandError:
    return CommandError(f"{path} exists; choose another name, or remove it first")


def _sync_folder(path: str) -> None:
    folder = os.open(path, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)
