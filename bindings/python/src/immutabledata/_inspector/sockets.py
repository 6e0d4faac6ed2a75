"""The sockets of programs that can be inspected; docs/inspector-protocol.md says where they are."""

from __future__ import annotations

import os
import re
import socket
import stat
import struct

from .failures import GoneError, not_found

# How many seconds a connection may take.
_PATIENCE = 2.0

_NAME = re.compile(r"(.*)-(\d+)\.sock")
_PEER = struct.Struct("iII")


def folder() -> str:
    """The folder of the sockets without a path of their own."""
    base = os.environ.get("XDG_RUNTIME_DIR", "")
    is_absolute = base.startswith("/")
    return f"{base}/immutabledata" if is_absolute else f"/tmp/immutabledata-{os.geteuid()}"


def socket_paths() -> list[str]:
    """The sockets in the folder, if that belongs to the user alone."""
    place = folder()
    try:
        status = os.lstat(place)
        is_private = stat.S_ISDIR(status.st_mode) and not status.st_mode & 0o077
        if not is_private or status.st_uid != os.geteuid():
            return []
        names = sorted(filter(_NAME.fullmatch, os.listdir(place)))
        paths = [os.path.join(place, each) for each in names]
        return [path for path in paths if stat.S_ISSOCK(os.lstat(path).st_mode)]
    except OSError:
        return []


def name_and_process(path: str) -> tuple[str, int]:
    """What the path of a socket says about its program."""
    match = _NAME.fullmatch(os.path.basename(path))
    return (match[1], int(match[2])) if match else (os.path.basename(path), 0)


def path_of(target: str) -> str:
    """The socket that is named by its path, or by the number of its process.

    Raises InspectorError: there is none.
    """
    if not target.isdecimal():
        return target
    for path in socket_paths():
        if name_and_process(path)[1] == int(target):
            return path
    raise not_found(
        f"process {target} cannot be inspected; a program opts in with IMMUTABLEDATA_INSPECT=1 or "
        "the option inspect of a store. If that has a path, name the path"
    )


class RefusedSocketError(GoneError):
    """Nobody listens on a socket."""


def connect(path: str) -> socket.socket:
    """Connects to a program of the same user.

    Raises RefusedSocketError: nobody listens.
    Raises GoneError: there is no such socket, or it is one of another user.
    """
    if os.path.isfile(path):
        raise GoneError(f"{path} is a file, and no socket; imd inspect shows a log")
    client = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        client.settimeout(_PATIENCE)
        try:
            client.connect(path)
        except ConnectionRefusedError:
            raise RefusedSocketError(f"{path}: no program listens; it has ended") from None
        except (OSError, ValueError) as error:  # A path may be too long, or have a NUL.
            reason = getattr(error, "strerror", None) or str(error)
            raise GoneError(f"{path}: {reason}") from None
        peer = client.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, _PEER.size)
        if _PEER.unpack(peer)[1] != os.geteuid():
            raise GoneError(f"{path}: the program belongs to another user")
        client.settimeout(None)
    except BaseException:
        client.close()
        raise
    return client
