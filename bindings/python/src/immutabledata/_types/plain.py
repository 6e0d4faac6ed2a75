"""The data of instances of classes."""

from __future__ import annotations

import enum
import sys
from collections.abc import Mapping
from typing import Any

from .._values import Value
from ..errors import LimitError


def plain(data: Any) -> Any:
    """The data that JSON can represent, of which instances of classes are made again.

    Raises LimitError: the data nests too deep for Python, or contains itself.
    """
    try:
        return _plain(data)
    except RecursionError:
        raise LimitError(
            "the members of an action nest too deep for Python, whose recursion limit is "
            f"{sys.getrecursionlimit()}, or contain themselves"
        ) from None


def _plain(data: Any) -> Any:
    if isinstance(data, enum.Enum):
        return data.value
    if data is None or isinstance(data, (str, int, float, Value)):
        return data
    if isinstance(data, Mapping):
        return {key: _plain(member) for key, member in data.items()}
    names = getattr(data, "_fields", None)
    if isinstance(data, tuple) and names is not None:
        return {name: _plain(member) for name, member in zip(names, data)}
    if isinstance(data, (list, tuple)):
        return [_plain(element) for element in data]
    if hasattr(data, "__dataclass_fields__"):
        import dataclasses

        fields = dataclasses.fields(data)
        return {each.name: _plain(getattr(data, each.name)) for each in fields if each.init}
    if hasattr(data, "model_dump"):
        return data.model_dump(mode="json", by_alias=True)
    return data  # The library says where it is, and that it cannot be JSON.
