"""JSON Pointers (RFC 6901), and what patches touch."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import immutabledata as imd

from .failures import InspectorError, not_found


def steps_of(pointer: str) -> list[str]:
    """The steps of a pointer. Raises InspectorError: it is none."""
    if not pointer:
        return []
    if not pointer.startswith("/"):
        raise InspectorError("invalid", f'a JSON Pointer begins with "/": {pointer[:100]}')
    return [each.replace("~1", "/").replace("~0", "~") for each in pointer[1:].split("/")]


def child(pointer: str, step: str | int) -> str:
    """The pointer to a member or an element."""
    return f"{pointer}/{str(step).replace('~', '~0').replace('/', '~1')}"


def ancestors(pointer: str) -> Iterator[str]:
    """The pointers to what contains the part at a pointer, the nearest first."""
    while pointer:
        pointer = pointer.rpartition("/")[0]
        yield pointer


def is_inside(pointer: str, outer: str) -> bool:
    """Whether a pointer leads to the part at another one, or to a part of that."""
    return pointer == outer or pointer.startswith(f"{outer}/")


def part_at(state: Any, pointer: str) -> Any:
    """The part of a state at a pointer. Raises InspectorError: there is none."""
    if not steps_of(pointer):
        return state
    if not isinstance(state, imd.Value):
        raise not_found(f"nothing at {pointer[:100]}: the state is no object or array")
    try:
        return state.at(pointer)
    except imd.NotFoundError as error:
        raise not_found(str(error)) from None
    except imd.InvalidArgumentError as error:
        raise InspectorError("invalid", str(error)) from None


def touched(patch: Any) -> list[str]:
    """The pointers to what the operations of a patch change."""
    paths = []
    for operation in patch or ():
        paths.append(operation["path"])
        if operation["op"] == "move":
            paths.append(operation["from"])
    return paths


def touched_inside(patch: Any, pointer: str) -> list[str]:
    """What a patch changes in the part at a pointer, as pointers into it; "" for all of it."""
    found = []
    for path in touched(patch):
        if is_inside(path, pointer):
            found.append(path[len(pointer) :])
        elif is_inside(pointer, path):
            found.append("")
    return found


def touches(operation: Mapping[str, Any], pointer: str) -> bool:
    """Whether an operation changes the part at a pointer, something in it, or what contains it."""
    return bool(touched_inside([operation], pointer))
