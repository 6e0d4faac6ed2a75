"""Actions, as a program dispatches them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
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
    raise _refusal(action, classes)


def _refusal(action: Any, classes: Classes) -> TypeError:
    """The error for what is no action."""
    if isinstance(action, type):
        name = action.__name__
        return TypeError(f"an action must be an instance, and {name} is a class; pass {name}(…)")
    if hasattr(action, "_example"):  # Of a slice.
        return TypeError(f"{action!r} makes actions; call it: {action._example()}")
    expected = "a str (its type) or a Mapping"
    if classes:
        return wrong_type("an action", f"an instance of {_listed(classes)}, {expected}", action)
    hint = ""
    if any(hasattr(action, name) for name in _MARKS):
        hint = (
            "; a store takes instances if the action of its reducer is annotated with their class, "
            "by a name that the module of the reducer has"
        )
    elif isinstance(action, Sequence) and not isinstance(action, (bytes, bytearray)):
        hint = "; dispatch_batch takes several actions"
    return TypeError(f"{wrong_type('an action', expected, action)}{hint}")


def _listed(classes: Iterable[type]) -> str:
    """The names of the first classes."""
    *names, last = [cls.__name__ for cls in classes]
    if len(names) > _MAX_SHOWN:
        names, last = names[:_MAX_SHOWN], f"one of {len(names) + 1 - _MAX_SHOWN} more classes"
    return f"{', '.join(names)} or {last}" if names else last


_MAX_SHOWN = 5
