"""Whether two pieces of data, plain or values, are the same JSON."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from .. import _ffi
from .conversion import Share
from .json_text import is_array

_ABSENT: Any = object()


def equal(left: Any, right: Any) -> bool:
    """Whether two are the same JSON. Numbers are compared by worth; a bool is none.

    Not by recursion, for which data may nest too deep.
    """
    pending = [(left, right)]
    while pending:
        pairs = _pairs(*pending.pop())
        if pairs is None:
            return False
        for pair in pairs:
            if isinstance(pair[0], Mapping) or is_array(pair[0]):
                pending.append(pair)
            elif not _equal_scalars(*pair):
                return False
    return True


def _pairs(left: Any, right: Any) -> Iterable[tuple[Any, Any]] | None:
    """What has to be equal for two containers to be; None if they cannot be."""
    if _shared(left, right):
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


def _shared(left: Any, right: Any) -> bool:
    if isinstance(left, Share) and isinstance(right, Share):
        return bool(_ffi.imd_value_identical(left._handle, right._handle))
    return left is right
