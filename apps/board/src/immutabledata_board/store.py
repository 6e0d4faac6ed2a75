"""The store of a board, and its file."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import immutabledata as imd

from .reducer import reduce

APPLICATION = "immutabledata-board"
VERSION = 1
"""The version of the shape of state and actions. A file of a newer one is refused."""

SHARED_FORMAT = 2
"""The format of a log that several programs write."""


def open_store(path: Path | str, author: str | None = None) -> imd.Store[Any]:
    """Opens the board in a file, or a new one.

    path: also the address of a log that a server keeps, as a str.
    author: the name of a store in a shared log; None if the log is not shared.

    Raises what imd.Store raises.
    """
    log: imd.LogOptions = {"path": path, "application": APPLICATION, "version": VERSION}
    if author is not None:
        log["author"] = author
        if isinstance(path, Path):
            log["shared"] = True
    store = imd.Store(reduce, history=True, log=log)
    store.define("board", "@")
    return store


def is_shared(path: Path) -> bool | None:
    """Whether a file is a shared log; None if it is no log, or cannot be read.

    The first line of a log has its format, see docs/log.md.
    """
    try:
        if not path.is_file():  # To open a pipe, for example, may take for ever.
            return None
        with path.open("rb") as file:
            return bool(json.loads(file.readline(1 << 16))["log"]["format"] >= SHARED_FORMAT)
    except (KeyError, OSError, RecursionError, TypeError, ValueError):
        return None
