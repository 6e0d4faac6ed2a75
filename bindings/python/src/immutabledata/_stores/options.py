"""Options and arguments as JSON for the library."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Union

from .._values import encode_object
from ..errors import InvalidArgumentError

Names = Union[Iterable[str], None]

_TYPES = {
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
    """Writes options as the two arguments of a C function; omits those that are None.

    Checks the Python types only; the library checks the values.
    """
    given = {name: _checked(name, option) for name, option in options.items() if option is not None}
    return encode_object(given, "the options")


def encode_store_options(
    budget: int | None, options: Mapping[str, Any]
) -> tuple[bytes | None, int]:
    """Writes the options of a store as the two arguments of a C function."""
    given = options if budget is None else {**options, "budget": budget}
    return encode_object(given, "the options")


def check_capacity(capacity: int) -> int:
    """Returns the capacity if it is an int of at least 1."""
    _checked("capacity", capacity)
    if capacity < 1:
        raise InvalidArgumentError(f"the capacity must be at least 1, not {capacity}")
    return capacity


def encode_arguments(
    arguments: Mapping[str, Any] | None, more: Mapping[str, Any]
) -> tuple[bytes | None, int]:
    """Writes the arguments of a selector, from a Mapping and from keywords."""
    if arguments is None:
        arguments = {}
    if not isinstance(arguments, Mapping):
        raise TypeError(f"arguments is a Mapping, not {type(arguments).__name__}")
    for name in more:
        if name in arguments:
            raise TypeError(f"the argument {name!r} is given twice")
    return encode_object({**arguments, **more}, "the arguments")


def _checked(name: str, option: Any) -> Any:
    kind = _TYPES.get(name)
    if kind is None:
        return _checked_names(name, option)
    if not isinstance(option, kind) or (kind is int and isinstance(option, bool)):
        raise TypeError(f"{name} is of type {kind.__name__}, not {type(option).__name__}")
    return option


def _checked_names(name: str, names: Names) -> list[str]:
    # A single str would be taken for the sequence of its characters.
    if isinstance(names, str) or not isinstance(names, Iterable):
        raise TypeError(f"{name} is an iterable of str, not {type(names).__name__}")
    listed = list(names)
    for item in listed:
        if not isinstance(item, str):
            raise TypeError(f"{name} is an iterable of str, and contains {type(item).__name__}")
    return listed
