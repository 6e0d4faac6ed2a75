"""The addresses of logs that are not files."""

from __future__ import annotations

import re

_ADDRESS = re.compile(r"([a-z][a-z0-9+.-]*)://")


def scheme_of(text: str) -> str | None:
    """The scheme of the address of a log that a driver keeps; None for anything else."""
    found = _ADDRESS.match(text)
    return None if found is None else found[1]
