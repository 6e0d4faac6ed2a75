"""Constraints in Annotated, as those of annotated_types, msgspec and pydantic."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from .codec import Codec

_KEYWORDS = {
    "ge": "minimum",
    "gt": "exclusiveMinimum",
    "le": "maximum",
    "lt": "exclusiveMaximum",
    "multiple_of": "multipleOf",
    "pattern": "pattern",
}

# The names of lengths, by what they are lengths of.
_ENDS = {"string": "Length", "array": "Items", "object": "Properties"}


def constrained(codec: Codec, annotations: Iterable[Any]) -> Codec:
    """A type with the constraints that annotations have as attributes; others have no effect."""
    schema = dict(codec.schema)
    for each in _parts(annotations):
        for name, keyword in _KEYWORDS.items():
            limit = getattr(each, name, None)
            if isinstance(limit, (int, float, str)):
                schema[keyword] = limit
        for end in ("min", "max"):
            length = getattr(each, f"{end}_length", None)
            if isinstance(length, int):
                schema |= {f"{end}{_ENDS[kind]}": length for kind in codec.kinds & _ENDS.keys()}
    return codec._replace(schema=schema)


def _parts(annotations: Iterable[Any]) -> Iterator[Any]:
    """The annotations, and those that a field of pydantic has."""
    for each in annotations:
        yield each
        inner = getattr(each, "metadata", None)
        if isinstance(inner, list):
            yield from inner
