"""Suggestions for names that do not exist, in the words that the library uses."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches

_MAX_SHOWN = 5


def suggestion(name: str, names: Iterable[str]) -> str:
    """Similar names if there are any, otherwise the first few; to be appended to a message."""
    known = sorted(names)
    similar = similar_names(name, known)
    if similar:
        return f"; did you mean {' or '.join(map(quoted, similar))}?"
    if not known:
        return "; there are none"
    shown = ", ".join(map(quoted, known[:_MAX_SHOWN]))
    more = f" and {len(known) - _MAX_SHOWN} more" if len(known) > _MAX_SHOWN else ""
    return f"; expected {'one of: ' if len(known) > 1 else ''}{shown}{more}"


def similar_names(name: str, names: Iterable[str]) -> list[str]:
    """Up to three similar names, the most similar first."""
    return get_close_matches(name, names, n=3, cutoff=0.75)


def quoted(name: str) -> str:
    return f'"{name}"'
