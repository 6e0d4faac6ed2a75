"""One level of a state, and patches, with bounded texts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import Any

import immutabledata as imd

from .failures import InspectorError
from .pointers import child, part_at
from .text import JSONText, is_array, kind_of, preview, text_within

LONGEST_VALUE = 4 << 20
"""How many bytes a whole value may have."""

_MOST_MEMBERS = 1000
_MOST_OPERATIONS = 1000
# How many bytes the values of a patch may have before they are only previews.
_LONGEST_PATCH = 64 << 10


def level(part: Any, touched: Sequence[str], start: int, count: int) -> dict[str, Any]:
    """A part of a state, and what is directly in it, from an index on.

    touched: pointers into the part to what the last commit has changed, which is marked.
    """
    described = _described(part)
    members = _members(part, start, min(count, _MOST_MEMBERS))
    if members is None:
        return described
    is_new = "" in touched
    changed = {f"/{path[1:].partition('/')[0]}" for path in touched}
    described["members"] = [
        {"key": key, **_described(member), "changed": is_new or child("", key) in changed}
        for key, member in members
    ]
    return described


def _members(part: Any, start: int, count: int) -> list[tuple[Any, Any]] | None:
    if isinstance(part, Mapping):
        return list(islice(part.items(), start, start + count))
    if is_array(part):
        return list(enumerate(part[start : start + count], start))
    return None


def _described(part: Any) -> dict[str, Any]:
    members: dict[str, Any] = {"kind": kind_of(part), "preview": preview(part)}
    if isinstance(part, Mapping) or is_array(part):
        members["count"] = len(part)
    return members


def whole(part: Any) -> JSONText:
    """A part of a state as JSON. Raises InspectorError: it is too large."""
    text = text_within(part, LONGEST_VALUE)
    if text is None:
        raise InspectorError("limit", "the value has more than 4 MiB", 413)
    return JSONText(text)


def replaced(state: Any, patch: Any) -> Iterator[dict[str, str]]:
    """What the operations of a patch replace or remove, in the order of the patch: previews as
    `old`, or nothing. state: the one before."""
    for operation in islice(patch, _MOST_OPERATIONS):
        old = {}
        if operation["op"] in ("replace", "remove"):
            old["old"] = preview(part_at(state, operation["path"]))
        yield old
        if not isinstance(state, imd.Value):
            return
        state = state.patch([operation])


def bounded(patch: Any) -> tuple[list[dict[str, Any]], bool]:
    """The first operations of a patch, and whether more was left out.

    A value that is too large has a preview in its place.
    """
    room = _LONGEST_PATCH
    is_cut = len(patch) > _MOST_OPERATIONS
    operations = []
    for operation in islice(patch, _MOST_OPERATIONS):
        shown = {name: operation[name] for name in ("op", "path", "from") if name in operation}
        if "value" in operation:
            text = text_within(operation["value"], room)
            if text is None:
                shown["preview"] = preview(operation["value"])
                shown["kind"] = kind_of(operation["value"])
                is_cut = True
            else:
                shown["value"] = JSONText(text)
                room -= len(text)
        operations.append(shown)
    return operations, is_cut
