"""Names as C strings."""

from __future__ import annotations

from ..errors import InvalidArgumentError, wrong_type


def encode_name(name: str, role: str) -> bytes:
    """Encodes a name as a C string. The role describes the name in messages: "the label".

    Raises InvalidArgumentError: a name that contains U+0000 or cannot be UTF-8.
    """
    if not isinstance(name, str):
        raise wrong_type(role, "a str", name)
    if "\0" in name:
        # C would stop reading there and find another name.
        raise InvalidArgumentError(f"{role} must not contain U+0000: {name!r}")
    try:
        return name.encode("utf-8")
    except UnicodeEncodeError as error:
        raise InvalidArgumentError(f"{role} cannot be UTF-8: {error}") from None


frequent: dict[str, bytes] = {}
"""The names that encode_frequent encoded first: programs use few. Look up only a str, not a
subclass, whose __eq__ may match another text."""

_MAX_FREQUENT = 512
_MAX_LENGTH = 256


def encode_frequent(name: str, role: str) -> bytes:
    """Encodes a name as encode_name does, and adds it to frequent."""
    encoded = encode_name(name, role)
    if type(name) is str and len(frequent) < _MAX_FREQUENT and len(encoded) <= _MAX_LENGTH:
        frequent[name] = encoded
    return encoded
