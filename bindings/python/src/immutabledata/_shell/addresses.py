"""The addresses of logs that are not files."""

from __future__ import annotations

import re

from .failure import USAGE, CommandError

_ADDRESS = re.compile(r"([a-z][a-z0-9+.-]*)://")


def scheme_of(text: str) -> str | None:
    """The scheme of the address of a log that a driver keeps; None for anything else."""
    found = _ADDRESS.match(text)
    return None if found is None else found[1]


def require_file(text: str, command: str) -> None:
    """Raises CommandError: a text is the address of a log on a server."""
    scheme = scheme_of(text)
    if scheme is not None:
        raise CommandError(
            f"{scheme}:// is the address of a log on a server, and {command} is for files; a "
            "program opens such a log, and its store: imd shell app.py:store",
            USAGE,
        )
