"""Options as the library takes them, after a look at their Python types."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Union

from .._values.json_text import encode_object
from ..errors import InvalidArgumentError

Names = Union[Iterable[str], None]

_KINDS = {
    "budget": int,
    "capacity": int,
    "coalesce": bool,
    "deliver": str,
    "initial": bool,
    "label": str,
    "overflow": str,
    "when": str,
}


def encode_options(**options: Any) -> tuple[bytes | None, int]:
    """Writes options as the two arguments that C has for them; those that are None are left out.

    What an option may be beyond its type is the library's to say.
    """
    given = {name: _checked(name, option) for name, option in options.items() if option is not None}
    return encode_object(given, "the options")


def encode_store_options(
    budget: int | None, options: Mapping[str, Any]
) -> tuple[bytes | None, int]:
    """Writes the options of a store, of which the library says what they may be."""
    given = options if budget is None else {**options, "budget": budget}
    return encode_object(given, "the options")


def check_capacity(capacity: int) -> int:
    """A count of at least 1."""
    _checked("capacity", capacity)
    if capacity < 1:
        raise InvalidArgumentError(f"the capacity is at least 1; it cannot be {capacity}")
    return capacity


def encode_arguments(
    arguments: Mapping[str, Any] | None, more: Mapping[str, Any]
) -> tuple[bytes | None, int]:
    """Writes the arguments of a selector: those that came in a Mapping, and those by keyword."""
    if arguments is None:
        arguments = {}
    if not isinstance(arguments, Mapping):
        raise TypeError(f"arguments is a Mapping, not {type(arguments).__name__}")
    for name in more:
        if name in arguments:
            raise TypeError(f"the argument {name!r} is given twice")
    return encode_object({**arguments, **more}, "the arguments")


def _checked(name: str, option: Any) -> Any:
    kind = _KINDS.get(name)
    if kind is None:
        return _names(name, option)
    if not isinstance(option, kind) or (kind is int and isinstance(option, bool)):
        raise TypeError(f"{name} is of type {kind.__name__}, not {type(option).__name__}")
    return option


def _names(name: str, names: Names) -> list[str]:
    """Several texts; a single one is mistaken for the sequence of its characters too easily."""
    if isinstance(names, str) or not isinstance(names, Iterable):
        raise TypeError(f"{name} takes several str, not one {type(names).__name__}")
    listed = list(names)
    for text in listed:
        if not isinstance(text, str):
            raise TypeError(f"{name} takes several str, and {type(text).__name__} is none")
    return listed
