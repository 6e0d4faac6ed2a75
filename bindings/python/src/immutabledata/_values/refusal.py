"""Finds the part of Python data that the library rejects, and reports where it is."""

from __future__ import annotations

from typing import Any, Optional, Tuple

from ..errors import InvalidJSONError, LimitError
from .json_text import parts, too_large
from .names import quoted
from .path import escape


def refuse_unrepresentable(data: object, role: str) -> None:
    """Raises the error for the first key with U+0000 or integer beyond 64 bits in data, if any.

    The library rejects both, but its message is about text that the user never saw. The role
    describes the data in messages. The data must not contain itself, which encode ensures.

    Raises InvalidJSONError: a key that contains U+0000.
    Raises LimitError: an integer beyond 64 bits.
    """
    # Iterative: the data may nest deeper than Python can recurse.
    pending: list[tuple[Path, object]] = [(None, data)]
    while pending:
        path, part = pending.pop()
        if isinstance(part, int) and not -(2**63) <= part < 2**63:
            raise LimitError(
                f"{place(role, path)} cannot be written as JSON: {too_large(part)}"
            ) from None
        members = list(parts(part))
        for key, _ in members:
            if isinstance(key, str) and "\0" in key:
                raise InvalidJSONError(
                    f"{place(role, path)} cannot be written as JSON: the key {quoted(key)} "
                    "contains U+0000"
                ) from None
        pending += [((path, key), inner) for key, inner in reversed(members)]


# A key or index, after the path to what contains it. A text for each part would take quadratic time
# for deep data.
Path = Optional[Tuple[Any, object]]


def place(role: str, path: Path) -> str:
    keys: list[str] = []
    while path:
        path, key = path
        keys.append(escape(str(key)))
    return f"{role} at /{'/'.join(reversed(keys))}" if keys else role
