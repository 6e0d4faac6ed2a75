"""The scratch store: an object or array of JSON as its state, and actions that change it."""

from __future__ import annotations

from typing import Any

import immutabledata as imd

from .failure import did_you_mean

APPLICATION = "imd"
"""The application in the log of a scratch store: such a log needs no program to be opened."""

_PATH = {
    "type": "string",
    "format": "json-pointer",
    "description": "A JSON Pointer, such as /todos/0; empty: the state.",
}
_ANY: dict[str, Any] = {}


def _payload(required: list[str], **properties: Any) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": properties,
        "required": required,
        "additionalProperties": False,
    }


DESCRIPTION: dict[str, Any] = {
    "name": "scratch",
    "summary": "An empty store, for trying things out.",
    "actions": [
        {
            "type": "set",
            "summary": "Sets the value at a path.",
            "payload": _payload(["path", "value"], path=_PATH, value=_ANY),
        },
        {
            "type": "remove",
            "summary": "Removes the value at a path.",
            "payload": _payload(["path"], path=_PATH),
        },
        {
            "type": "append",
            "summary": "Appends a value to the array at a path, which is made if it is missing.",
            "payload": _payload(["path", "value"], path=_PATH, value=_ANY),
        },
        {
            "type": "merge",
            "summary": "Merges a value, as by JSON Merge Patch (RFC 7396).",
            "payload": _payload(["value"], path=_PATH, value=_ANY),
        },
        {
            "type": "patch",
            "summary": "Applies a JSON Patch (RFC 6902).",
            "payload": {"type": "array", "items": {"type": "object"}},
        },
    ],
}
"""As Store.describe describes the store of a domain."""


def reduce(state: Any, action: Any) -> Any:
    """The reducer of a scratch store."""
    kind = action["type"]
    change = _CHANGES.get(kind)
    if change is None:
        hint = did_you_mean(kind, _CHANGES) or f"a scratch store has: {', '.join(_CHANGES)}"
        raise imd.InvalidActionError(f'no action "{kind}"; {hint}')
    payload = action.get("payload")
    if kind == "patch":
        return change(state, payload)
    return change(state, **_checked(kind, payload))


def _checked(kind: str, payload: Any) -> dict[str, Any]:
    """The members of a payload, as keyword arguments."""
    schema = next(each["payload"] for each in DESCRIPTION["actions"] if each["type"] == kind)
    members = dict(payload.items()) if isinstance(payload, imd.ObjectValue) else {}
    for name in schema["required"]:
        if name not in members:
            raise imd.InvalidActionError(f'the payload of "{kind}" has no member "{name}"')
    for name in members:
        if name not in schema["properties"]:
            known = ", ".join(schema["properties"])
            raise imd.InvalidActionError(f'"{kind}" takes no "{name}"; it takes: {known}')
    return members


def _set(state: Any, path: Any, value: Any) -> Any:
    if not _is_whole(path):
        return state.set(_checked_path(path), value)
    if type(value) is type(state):
        return value
    kind = "an array" if isinstance(state, imd.ArrayValue) else "an object"
    raise imd.InvalidArgumentError(f"the whole state is {kind}, and stays one; see --state")


def _remove(state: Any, path: Any) -> Any:
    if _is_whole(path):
        raise imd.InvalidArgumentError('the whole state cannot be removed; set path="" value={}')
    return state.remove(_checked_path(path))


def _append(state: Any, path: Any, value: Any) -> Any:
    array = _at(state, path, missing=imd.value([]))
    if not isinstance(array, imd.ArrayValue):
        raise imd.InvalidArgumentError(f'the value at "{path}" is no array, so nothing is appended')
    return _set(state, path, array.append(value))


def _merge(state: Any, value: Any, path: Any = "") -> Any:
    part = _at(state, path, missing=imd.value({}))
    if not isinstance(value, imd.ObjectValue):
        return _set(state, path, value)
    if not isinstance(part, imd.ObjectValue):
        part = imd.value({})
    return _set(state, path, part.merge(value))


def _patch(state: Any, operations: Any) -> Any:
    return state.patch(operations)


_CHANGES: dict[str, Any] = {
    "set": _set,
    "remove": _remove,
    "append": _append,
    "merge": _merge,
    "patch": _patch,
}


def _is_whole(path: Any) -> bool:
    return isinstance(path, str) and not path


def _checked_path(path: Any) -> Any:
    if not isinstance(path, (str, imd.ArrayValue)):
        raise imd.InvalidArgumentError("a path is a JSON Pointer, such as /todos/0")
    if isinstance(path, str) and not path.startswith("/"):
        raise imd.InvalidArgumentError(f'a path begins with "/"; try "/{path}"')
    return path


def _at(state: Any, path: Any, missing: Any) -> Any:
    if _is_whole(path):
        return state
    try:
        return state.at(_checked_path(path))
    except imd.NotFoundError:
        return missing
