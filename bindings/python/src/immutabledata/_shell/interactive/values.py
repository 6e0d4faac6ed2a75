"""What the shell asks of values, which may also be plain data."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import immutabledata as imd


def is_array(data: object) -> bool:
    return isinstance(data, Sequence) and not isinstance(data, str)


def is_container(data: object) -> bool:
    return isinstance(data, Mapping) or is_array(data)


def difference(before: Any, after: Any) -> list[dict[str, Any]]:
    """The JSON Patch that leads from a value to another. Raises LimitError: it is too large."""
    if is_container(before) and is_container(after):
        patch: list[dict[str, Any]] = imd.value(before).diff(after)
        return patch
    if type(before) is type(after) and before == after:
        return []
    return [{"op": "replace", "path": "", "value": imd.to_python(after)}]
