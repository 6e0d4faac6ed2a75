"""Equality of JSON data, plain or values."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from .. import _ffi
from .json_text import is_array
from .reference import Reference

_ABSENT: Any = object()


def equal(left: Any, right: Any) -> bool:
    """Whether two containers are equal as JSON: 1 equals 1.0, and True does not equal 1.

    Iterative: the data may nest deeper than Python can recurse. Ends at the first difference.
    """
    pending = [iter([(left, right)])]
    while pending:
        pair = next(pending[-1], None)
        if pair is None:
            pending.pop()
        elif isinstance(pair[0], Mapping) or is_array(pair[0]):
            pairs = _pairs(*pair)
            if pairs is None:
                return False
            pending.append(iter(pairs))
        elif not _equal_scalars(*pair):
            return False
    return True


def _pairs(left: Any, right: Any) -> Iterable[tuple[Any, Any]] | None:
    """The pairs of parts that must be equal; None if the containers cannot be equal."""
    if _identical(left, right):
        return ()
    if isinstance(left, Mapping):
        if isinstance(right, Mapping) and len(left) == len(right):
            return ((part, right.get(key, _ABSENT)) for key, part in left.items())
    elif is_array(right) and len(left) == len(right):
        return zip(left, right)
    return None


def _equal_scalars(left: Any, right: Any) -> bool:
    if isinstance(left, bool) or isinstance(right, bool):
        return left is right
    return bool(left == right)


def _identical(left: Any, right: Any) -> bool:
    if isinstance(left, Reference) and isinstance(right, Reference):
        return bool(_ffi.imd_value_identical(left._handle, right._handle))
    return left is right
