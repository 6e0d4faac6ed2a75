"""The members of classes: TypedDicts, dataclasses, NamedTuples and models of pydantic."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple, get_args

from .annotations import hints_of, is_class_variable, special


class Member(NamedTuple):
    """A member of a class."""

    name: str
    hint: Any
    is_required: bool


def is_record(kind: type) -> bool:
    """Whether a class is one whose members are known."""
    return (
        hasattr(kind, "__dataclass_fields__")
        or (issubclass(kind, dict) and hasattr(kind, "__total__"))
        or (issubclass(kind, tuple) and hasattr(kind, "_fields"))
        or (hasattr(kind, "model_json_schema") and hasattr(kind, "model_validate"))
    )


def members_of(cls: Any, names: Mapping[str, Any]) -> list[Member]:
    """The members of a class; none of a model, which has its own schema."""
    if hasattr(cls, "model_json_schema"):
        return []
    hints = hints_of(cls, names)
    if issubclass(cls, dict):
        return [Member(name, hint, _is_required(cls, name, hint)) for name, hint in hints.items()]
    if hasattr(cls, "__dataclass_fields__"):
        return _fields_of(cls, hints)
    for name in cls._fields:
        if name not in hints:
            raise TypeError(f"{cls.__name__}.{name} has no annotation")
    return [Member(name, hints[name], name not in cls._field_defaults) for name in cls._fields]


def _fields_of(cls: Any, hints: Mapping[str, Any]) -> list[Member]:
    """The members of a dataclass."""
    import dataclasses

    fields = dataclasses.fields(cls)
    for name in cls.__dataclass_fields__.keys() - {each.name for each in fields}:
        if not is_class_variable(hints.get(name)):
            raise TypeError(
                f"{cls.__name__}.{name}: an InitVar is lost after the construction; make it a field"
            )
    return [
        Member(
            each.name,
            hints[each.name],
            each.default is dataclasses.MISSING and each.default_factory is dataclasses.MISSING,
        )
        for each in fields
        if each.init
    ]


def _is_required(cls: Any, name: str, hint: Any) -> bool:
    # Before Python 3.11, __required_keys__ does not know annotations that are text.
    for _ in range(4):
        if special(hint) in ("Required", "NotRequired"):
            return special(hint) == "Required"
        hint = (get_args(hint) or (None,))[0]
    return name in cls.__required_keys__
