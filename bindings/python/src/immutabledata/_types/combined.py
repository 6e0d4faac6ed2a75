"""The schema of a combined reducer."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .._values import quoted
from .._values.path import escape


def combined_schema(parts: Mapping[str, Any]) -> dict[str, Any] | None:
    """The schema of a state whose members have reducers with schemas; None without a schema.

    Actions of other types are refused if all reducers know their actions.

    Raises TypeError: two reducers have different schemas for a type.
    """
    known = {key: part for key, part in parts.items() if part}
    if not known:
        return None
    actions: dict[str, Any] = {}
    for key, part in known.items():
        for type, payload in part["actions"].items():
            if actions.setdefault(type, payload) != payload:
                raise TypeError(
                    f"the reducer of {quoted(key)} takes another payload for {quoted(type)} than "
                    "the one before; use one class"
                )
    schema: dict[str, Any] = {"actions": actions}
    if len(known) < len(parts) or any("unknownActions" in part for part in known.values()):
        schema["unknownActions"] = "allow"
    states = {key: part["state"] for key, part in known.items() if "state" in part}
    if states:
        schema["state"] = {
            "type": "object",
            "properties": {
                key: _moved(state, f"#/properties/{escape(key).replace('%', '%25')}")
                for key, state in states.items()
            },
            "required": list(states),
        }
    return schema


def _moved(schema: Any, path: str) -> Any:
    """A schema whose references lead to where it is moved."""
    if isinstance(schema, list):
        return [_moved(each, path) for each in schema]
    if not isinstance(schema, dict):
        return schema
    moved = {key: _moved(each, path) for key, each in schema.items()}
    reference = schema.get("$ref")
    if isinstance(reference, str):
        moved["$ref"] = path + reference[1:]
    return moved
