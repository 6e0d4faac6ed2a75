"""Files that a store may be writing, and new files, which never replace others."""

from __future__ import annotations

import errno
import os
import shutil
import stat
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import BinaryIO

from .failure import CommandError, naming

_PART = 1 << 20
_ACCESS_LIST = "system.posix_acl_access"
_LABEL = "security.selinux"


@contextmanager
def new_file(path: str, like: str) -> Iterator[str]:
    """The path of a file to be made inside the with statement, by private; afterwards it has its
    name and is on the disk, and those may use it that may use another file. If the statement raises,
    nothing stays.

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
            _copy_access(like, file.fileno())
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


@contextmanager
def read_whole(path: str) -> Iterator[str]:
    """The path of a log to be read inside the with statement: that of a copy, if the path is "-",
    which means standard input, or that of a pipe, which can be read only once.

    Errors name the path that was given.
    Raises OSError: it cannot be read, or copied.
    """
    if path != "-" and not is_pipe(path):
        yield path
        return
    with tempfile.TemporaryDirectory(prefix="imd-") as folder:
        copy = os.path.join(folder, "copy.imd")
        with open(copy, "xb", opener=private) as new:
            if path == "-":
                shutil.copyfileobj(sys.stdin.buffer, new, _PART)
            else:
                _copy_pipe(path, new)
        with naming("standard input" if path == "-" else path, copy):
            yield copy


def _copy_pipe(path: str, new: BinaryIO) -> None:
    """Copies what a pipe has. Raises CommandError: nothing, and no program that writes to it, for
    which it would have to wait.
    """
    descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
    with open(descriptor, "rb") as old:
        try:
            first = os.read(descriptor, _PART)
        except BlockingIOError:  # A program has written nothing yet.
            pass
        else:
            if not first:
                raise CommandError(f"{path} is a pipe, and no log of a store")
            new.write(first)
        os.set_blocking(descriptor, True)
        shutil.copyfileobj(old, new, _PART)


def is_pipe(path: str) -> bool:
    """Whether a path is that of a pipe."""
    return os.path.exists(path) and stat.S_ISFIFO(os.stat(path).st_mode)


def copy_lines(source: str, target: str) -> None:
    """Copies the complete lines of a file to a new one; the line that is being written is left out.

    Raises OSError: a file cannot be read or written.
    """
    with open(source, "rb") as old, open(target, "x+b", opener=private) as new:
        while part := old.read(_PART):
            new.write(part)
        new.truncate(_end_of_lines(new))


def private(path: str, flags: int) -> int:
    """Opens a file; a new one is for its owner alone. The opener of open."""
    return os.open(path, flags, 0o600)


def _copy_access(path: str, file: int) -> None:
    """Lets those use a new file that may use the one at a path. What the system refuses leaves it to
    fewer, as in the library.
    """
    like = os.stat(path)
    mode = like.st_mode & 0o777
    for owner in (like.st_uid, -1):  # Only a privileged process can change the owner.
        with suppress(OSError):
            os.fchown(file, owner, like.st_gid)
            break
    keeps_group = os.fstat(file).st_gid == like.st_gid
    if not (keeps_group and _copy_attributes(path, file)):
        mode &= ~0o070
    with suppress(OSError):
        os.fchmod(file, mode)


def _copy_attributes(path: str, file: int) -> bool:
    """Copies the label and the access control list; returns whether that has the list."""
    if not hasattr(os, "getxattr"):  # Another system than Linux.
        return True
    with suppress(OSError):
        os.setxattr(file, _LABEL, os.getxattr(path, _LABEL))
    try:
        access = os.getxattr(path, _ACCESS_LIST)
    except OSError:
        access = b""
    try:
        if access:
            os.setxattr(file, _ACCESS_LIST, access)
        else:  # That of the folder.
            os.removexattr(file, _ACCESS_LIST)
    except OSError as error:
        return not access and error.errno in (errno.ENODATA, errno.ENOTSUP)
    return True


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
