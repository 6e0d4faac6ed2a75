"""The first line of a log, which says who writes it."""

from __future__ import annotations

import json
import os
import stat
from dataclasses import dataclass
from typing import Any

from .failure import REFUSED, CommandError

# The first line has the schema of the store, if it has one; other members are short.
_MAX_LENGTH = 1 << 24


@dataclass(frozen=True)
class Header:
    """What the first line of a log says."""

    domain: str | None
    """The domain whose store writes it; None if a program has its own reducer."""

    application: str | None
    """The name that the program gave; that of scratch stores is in scratch."""

    version: int
    """The version of the shape of its state and actions."""

    engine: str
    """The version of the library that made the file."""

    options: dict[str, Any]
    """The options of the store that made it: history, and optimistic."""

    format: int
    """The version of the format."""

    @property
    def is_shared(self) -> bool:
        """Whether several stores may write it at once."""
        return self.format >= _SHARED_FORMAT


_SHARED_FORMAT = 2


_TYPES: dict[str, tuple[type, ...]] = {
    "domain": (str, type(None)),
    "application": (str, type(None)),
    "version": (int,),
    "engine": (str,),
    "options": (dict, type(None)),
    "format": (int,),
}

# Those that a store takes again.
_OPTION_TYPES: dict[str, tuple[type, ...]] = {
    "history": (bool, dict, type(None)),
    "optimistic": (bool, type(None)),
}


def read_header(path: str) -> Header:
    """Reads the first line of a log.

    Raises OSError: the file cannot be read.
    Raises CommandError: it is no log.
    """
    if stat.S_ISFIFO(os.stat(path).st_mode):  # Opening one may take for ever.
        raise CommandError(f"{path} is a pipe, and no log of a store")
    with open(path, "rb") as file:
        line = file.readline(_MAX_LENGTH)
    try:
        members = json.loads(line)["log"]
        found = {name: members.get(name) for name in _TYPES}
    except (AttributeError, KeyError, RecursionError, TypeError, ValueError):
        raise CommandError(f"{path} is no log of a store") from None
    for name, types in _TYPES.items():
        if type(found[name]) not in types:
            raise CommandError(_damaged(path, name), REFUSED)
    options = found["options"] or {}
    for name, types in _OPTION_TYPES.items():
        if type(options.get(name)) not in types:
            raise CommandError(_damaged(path, name), REFUSED)
    known = {name: options[name] for name in _OPTION_TYPES if name in options}
    return Header(**{**found, "options": known})


def _damaged(path: str, name: str) -> str:
    return f'the first line of {path} is damaged: its "{name}" is none of a log'
