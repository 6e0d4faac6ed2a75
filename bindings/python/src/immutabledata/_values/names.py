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
