"""What the shell asks of values. They may be plain data, or belong to the library of --library,
whose class Value is another one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import immutabledata as imd


def is_array(data: object) -> bool:
    return isinstance(data, Sequence) and not isinstance(data, str)


def is_container(data: object) -> bool:
    return isinstance(data, Mapping) or is_array(data)


def to_value(data: Any) -> Any:
    """An object or array as a Value of its library."""
    return data if hasattr(data, "to_json") else imd.value(data)


def to_plain(data: Any) -> Any:
    """An object or array as plain data, which every library takes."""
    return data.to_python() if hasattr(data, "to_python") else data


def difference(before: Any, after: Any) -> list[dict[str, Any]]:
    """The JSON Patch that leads from a value to another. Raises LimitError: it is too large."""
    if is_container(before) and is_container(after):
        patch: list[dict[str, Any]] = to_value(before).diff(after)
        return patch
    if type(before) is type(after) and before == after:
        return []
    return [{"op": "replace", "path": "", "value": to_plain(after)}]
