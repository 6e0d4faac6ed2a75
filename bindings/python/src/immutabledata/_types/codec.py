"""What an annotation means for JSON."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple, Optional

from .annotations import Read

if TYPE_CHECKING:
    from .record import Record

ALL = frozenset({"array", "boolean", "null", "number", "object", "string"})
"""The kinds of JSON data."""


class Codec(NamedTuple):
    """The schema of a type, and how its data is rebuilt."""

    schema: dict[str, Any]
    """The schema of the data, in JSON Schema."""

    kinds: frozenset[str] = ALL
    """The kinds that the data may have."""

    read: Optional[Read] = None
    """Makes what the type says from a Value or scalar; None if it is that already."""

    record: Optional[Record] = None
    """The class of the data, if it has members."""


def kind_of(data: Any) -> str:
    """The kind of a Value or scalar, or of plain data."""
    if data is None:
        return "null"
    if isinstance(data, bool):
        return "boolean"
    if isinstance(data, (int, float)):
        return "number"
    if isinstance(data, str):
        return "string"
    return "object" if isinstance(data, Mapping) else "array"
