"""Reducers whose annotations are a schema."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from typing import Any


class TypedReducer:
    """A reducer that gets instances of the classes in its annotation.

    It leaves the state as it is for an action of another type, as a slice does.
    """

    def __init__(self, reducer: Any, classes: list[Any], state: dict[str, Any] | None) -> None:
        functools.update_wrapper(self, reducer)
        self._reducer = reducer
        self._reads = {type: each.read for each in classes for type in each.types}
        self.classes = {each.cls: each.write for each in classes if hasattr(each, "write")}
        """What makes the type and the payload of an instance, by its class."""
        self.schema: dict[str, Any] = {
            "actions": {type: each.schema for each in classes for type in each.types}
        }
        """The option schema of a store."""
        if state is not None:
            self.schema["state"] = state

    def __call__(self, state: Any, action: Any) -> Any:
        read = self._reads.get(action["type"])
        return state if read is None else self._reducer(state, read(action))

    def takes(self, type: str, /) -> bool:
        """Whether an action of a type is of one of the classes."""
        return type in self._reads


def typed(reducer: Any) -> Any:
    """Makes a TypedReducer of a reducer whose action is annotated with classes of actions.

    Any other reducer is returned as it is.

    Raises TypeError: a class cannot be a schema; the message names it, and its member.
    """
    if isinstance(reducer, TypedReducer):
        return reducer
    annotations, classes = _classes_in(reducer, 1)
    if not classes:
        return reducer
    from .state import state_schema

    return TypedReducer(reducer, classes, state_schema(annotations, annotations.positional[0]))


def reads_of(function: Any) -> dict[str, Any]:
    """What makes the instances that a listener or a rule takes as its action, by their types; empty
    if it takes any action as it is.

    Raises what typed does.
    """
    classes = _classes_in(function, 0)[1]
    return {type: each.read for each in classes for type in each.types}


def _classes_in(function: Any, position: int) -> tuple[Any, list[Any]]:
    """The annotations of a function, and the classes of actions that a parameter takes."""
    if not _is_annotated(function):
        return None, []
    from .action import action_classes
    from .annotations import Annotations

    annotations = Annotations(function)
    name = annotations.positional[position] if position < len(annotations.positional) else ""
    if name not in annotations:
        return annotations, []
    try:
        annotations.read(name)
    except Exception:  # The names may exist for type checkers only.
        return annotations, []
    return annotations, action_classes(annotations, name)


def _is_annotated(function: Any) -> bool:
    """Whether a function, or what it wraps, may have annotations."""
    try:
        return bool(getattr(function, "__annotations__", True))
    except NameError:
        return True


def merged(derived: Mapping[str, Any] | None, given: Any) -> Any:
    """The option schema: what was derived, except for the members that were given."""
    if not derived or not isinstance(given, Mapping):
        return derived if given is None else given
    return {**derived, **given}


def classes_of(reducer: Any) -> dict[type, Any]:
    """The classes of a reducer, see TypedReducer.classes."""
    classes: dict[type, Any] = getattr(reducer, "classes", {})
    return classes
