"""Actions, as a program dispatches them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Callable, Union

from .._values import plain, quoted
from ..errors import InvalidActionError, wrong_type

ActionLike = Union[str, Mapping[str, Any]]
"""The argument of dispatch: the type of an action, or the whole action."""

Classes = Mapping[type, Callable[[Any], tuple[Any, ...]]]
"""The classes whose instances are actions, and what makes the type and payload of one."""


# What dataclasses, NamedTuples and models of pydantic have.
_MARKS = ("__dataclass_fields__", "_fields", "model_fields")


def to_mapping(action: Any, classes: Classes) -> Any:
    """Converts an action to a Mapping; copies a dict, which another thread might change."""
    if isinstance(action, str):
        if action.startswith(("{", "[")):
            raise InvalidActionError(
                f"the type of an action must be a name, not JSON text: {quoted(action[:40])}; "
                "dispatch a dict, or immutabledata.from_json(text)"
            )
        return {"type": plain(action)}
    if type(action) is dict:
        return action.copy()
    if isinstance(action, Mapping):
        return action
    if type(action) in classes:
        return dict(zip(("type", "payload"), classes[type(action)](action)))
    error = wrong_type("an action", "a str (its type) or a Mapping", action)
    if classes:
        names = ", ".join(cls.__name__ for cls in classes)
        raise TypeError(f"{error}; the reducer takes {names}")
    if any(hasattr(action, name) for name in _MARKS) and not isinstance(action, type):
        raise TypeError(
            f"{error}; a store takes instances if the action of its reducer is annotated with their "
            "class, by a name that the module of the reducer has"
        )
    if isinstance(action, Sequence) and not isinstance(action, (bytes, bytearray)):
        raise TypeError(f"{error}; dispatch_batch takes several actions")
    raise error
