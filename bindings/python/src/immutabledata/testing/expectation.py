"""What a test expects an action to change."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Callable, Union

from .._values import JSON, Value, produce, quoted
from .._values.value import patched
from ..errors import Error
from .differences import ABSENT, differences, listing

Changes = Union[Mapping[str, JSON], list[dict[str, Any]], Callable[[Any], object]]
"""New values by JSON Pointers, a JSON Patch, or a function that changes a draft of the state."""


def require_changes(type: str, old: Any, new: Any, changes: Any, is_exhaustive: bool) -> None:
    """Raises AssertionError: the states differ in another way than expected.

    changes: Changes; ABSENT if nothing may change.
    """
    __tracebackhide__ = True
    if changes is ABSENT:
        if is_exhaustive:
            _require_none(type, old, new)
        return
    expected = _changed(old, changes)
    found = differences(expected, new)
    if not is_exhaustive:
        found = _named(old, expected, new, changes)
    listed = listing(found, ("expected", "found"))
    if listed:
        raise AssertionError(f"the state after {quoted(type)} is not as expected:{listed}")


def _require_none(type: str, old: Any, new: Any) -> None:
    __tracebackhide__ = True
    found = listing(differences(old, new), ("was", "is now"))
    if found:
        raise AssertionError(
            f"{quoted(type)} changed the state, and the test names no changes; pass changes=…"
            f"{found}"
        )


def _changed(state: Any, changes: Any) -> Any:
    """The state that is expected."""
    if callable(changes):
        return produce(changes, state)
    if not isinstance(changes, Mapping):
        return patched(state, changes)
    for pointer, data in changes.items():
        if isinstance(state, Value):
            state = state.set(pointer, data)
        else:  # A scalar has only the pointer "".
            state = patched(state, [{"op": "replace", "path": pointer, "value": data}])
    return state


def _named(old: Any, expected: Any, new: Any, changes: Any) -> Iterator[tuple[str, Any, Any]]:
    """The differences in the parts that the test names."""
    pointers = list(changes) if isinstance(changes, Mapping) else []
    pointers = pointers or [pointer for pointer, *_ in differences(old, expected)]
    for pointer in pointers:
        for rest, *parts in differences(_part(expected, pointer), _part(new, pointer)):
            yield (pointer + rest, *parts)


def _part(state: Any, pointer: str) -> Any:
    if not pointer:
        return state
    try:
        return state.at(pointer) if isinstance(state, Value) else ABSENT
    except Error:
        return ABSENT
