"""The data of instances of classes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .._values import Value


def plain(data: Any) -> Any:
    """The data that JSON can represent, of which instances of classes are made again."""
    import enum

    if isinstance(data, enum.Enum):
        return data.value
    if data is None or isinstance(data, (str, int, float, Value)):
        return data
    if isinstance(data, Mapping):
        return {key: plain(member) for key, member in data.items()}
    names = getattr(data, "_fields", None)
    if isinstance(data, tuple) and names is not None:
        return {name: plain(member) for name, member in zip(names, data)}
    if isinstance(data, (list, tuple)):
        return [plain(element) for element in data]
    if hasattr(data, "__dataclass_fields__"):
        import dataclasses

        fields = dataclasses.fields(data)
        return {each.name: plain(getattr(data, each.name)) for each in fields if each.init}
    if hasattr(data, "model_dump"):
        return data.model_dump(mode="json", by_alias=True)
    return data  # The library says where it is, and that it cannot be JSON.
