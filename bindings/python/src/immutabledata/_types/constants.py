"""Types with a few values: Literal and Enum."""

from __future__ import annotations

import enum
from typing import Any

from .codec import Codec, kind_of
from .document import Document


def literal(constants: tuple[Any, ...], where: str, document: Document) -> Codec:
    """The meaning of a Literal."""
    values = [_scalar(each, where, document) for each in constants]
    members = {each.value: each for each in constants if isinstance(each, enum.Enum)}
    schema = {"const": values[0]} if len(values) == 1 else {"enum": values}
    read = (lambda data: members.get(data, data)) if members and not document.is_plain else None
    return Codec(schema, frozenset(map(kind_of, values)), read)


def enumeration(cls: type[enum.Enum], where: str, document: Document) -> Codec:
    """The meaning of an Enum, whose members are their values in JSON."""
    values = [_scalar(member, where, document) for member in cls]
    read = None if document.is_plain else cls
    return Codec({"enum": values}, frozenset(map(kind_of, values)), read)


def _scalar(constant: Any, where: str, document: Document) -> Any:
    """The data of a constant. Raises TypeError: JSON has no constant for it."""
    if isinstance(constant, enum.Enum):
        if document.is_plain and not isinstance(constant, (str, int)):
            cls = type(constant).__name__
            raise TypeError(
                f"{where}: {cls} must also be a str here, as in class {cls}(str, Enum): the "
                "program reads plain data"
            )
        constant = constant.value
    if constant is not None and not isinstance(constant, (str, int, float)):
        raise TypeError(f"{where}: {constant!r} cannot be in a schema; use text or a number")
    return constant
