"""imd ls: the logs under a folder."""

from __future__ import annotations

import argparse
import fcntl
import os
import struct
from collections.abc import Iterator
from typing import Any, Callable

import immutabledata as imd

from .failure import UNAVAILABLE, CommandError, explain
from .header import Header, read_header
from .output import Output, report, size_text, time_text
from .progress import progress

# struct flock of Linux: the type, from where, the start, the length and the process.
_LOCK = struct.Struct("hhqqi4x")

_TITLES = "file", "written for", "version", "entries", "size", "last write", "writers"


def run(arguments: argparse.Namespace) -> int:
    """Lists the logs under a folder."""
    output = Output(arguments.json)
    folder = arguments.folder
    if not os.path.isdir(folder):
        raise CommandError(f"there is no folder {folder}")
    logs = []
    unread: list[OSError] = []
    with progress("reading") as shown:
        for path, header in _logs_under(folder, unread.append):
            shown.text = path
            try:
                log = _describe(path, header)
            except FileNotFoundError:  # It was removed meanwhile.
                continue
            except OSError as error:
                unread.append(error)
                continue
            if output.is_json:
                output.data(log)
            else:
                logs.append(log)
    for failure in unread:
        report(explain(failure))
    if logs:
        output.table(_TITLES, map(_cells, logs), right=("version", "entries", "size"))
    elif not output.is_json:
        output.line(f"there are no logs under {folder}")
    return UNAVAILABLE if unread else 0


def _logs_under(folder: str, fails: Callable[[OSError], object]) -> Iterator[tuple[str, Header]]:
    """The logs in a folder and in those inside, in order of their paths.

    fails: called for a folder or file that cannot be read, which may have logs or be one.
    """
    for place, folders, names in os.walk(folder, onerror=fails):
        folders[:] = sorted(each for each in folders if not each.startswith("."))
        for name in sorted(names):
            path = os.path.normpath(os.path.join(place, name))
            try:
                if os.path.isfile(path):
                    yield path, read_header(path)
            except (CommandError, FileNotFoundError):
                continue  # It is no log, or was removed meanwhile.
            except OSError as error:
                fails(error)


def _describe(path: str, header: Header) -> dict[str, Any]:
    status = os.stat(path)
    log: dict[str, Any] = {
        "file": path,
        "domain": header.domain,
        "application": header.application,
        "version": header.version,
        "engine": header.engine,
        "entries": None,
        "bytes": status.st_size,
        "modified": int(status.st_mtime * 1000),
        "shared": header.is_shared,
        "writers": _writers(path, header),
    }
    try:
        log["entries"] = imd.log.verify(path)["entries"]
    except imd.Error as error:  # It is damaged, or too large to be read.
        log["error"] = explain(error)
    return log


def _cells(log: dict[str, Any]) -> list[str]:
    return [
        log["file"],
        log["domain"] or log["application"] or "",
        str(log["version"]),
        "damaged" if log["entries"] is None else f"{log['entries']:,}",
        size_text(log["bytes"]),
        time_text(log["modified"]),
        _names_of_writers(log),
    ]


def _names_of_writers(log: dict[str, Any]) -> str:
    writers = log["writers"]
    if writers == [0]:
        return "another process"
    if not writers:
        return ""
    return f"process{'es' if len(writers) > 1 else ''} {', '.join(map(str, writers))}"


# ---- The writers of a log ------------------------------------------------------------------------


def _writers(path: str, header: Header) -> list[int]:
    """The processes that have a log open to write; 0 for one that is not known."""
    locks = f"{path}-lock" if header.is_shared else path
    if not os.path.exists(locks) or not _is_locked(locks):
        return []
    return sorted(_processes_that_locked(os.stat(locks))) or [0]


def _is_locked(path: str) -> bool:
    """Whether a file has a lock: stores have open-file-description locks."""
    if not hasattr(fcntl, "F_OFD_GETLK"):
        return False
    wanted = _LOCK.pack(fcntl.F_WRLCK, os.SEEK_SET, 0, 0, 0)
    with open(path, "rb") as file:
        try:
            found = fcntl.fcntl(file, fcntl.F_OFD_GETLK, wanted)
        except OSError:
            return False
    return bool(_LOCK.unpack(found)[0] != fcntl.F_UNLCK)


def _processes_that_locked(status: os.stat_result) -> Iterator[int]:
    """The processes that have locked a file; the kernel lists locks with the descriptors."""
    for process in filter(str.isdigit, os.listdir("/proc")):
        try:
            for descriptor in os.listdir(f"/proc/{process}/fd"):
                found = os.stat(f"/proc/{process}/fd/{descriptor}")
                if (found.st_dev, found.st_ino) != (status.st_dev, status.st_ino):
                    continue
                with open(f"/proc/{process}/fdinfo/{descriptor}") as information:
                    if any(line.startswith("lock:") for line in information):
                        yield int(process)
                        break
        except OSError:
            continue  # It has ended, or belongs to another user.
