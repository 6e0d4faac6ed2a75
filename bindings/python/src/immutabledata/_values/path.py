"""Paths into values, written as JSON Pointers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Union

from ..errors import InvalidArgumentError
from .json_text import encode_name

Path = Union[str, int, Sequence[Union[str, int]]]
"""A key or an index, or a sequence of them that leads further down."""


def pointer(path: Path) -> bytes:
    """Writes a path as a JSON Pointer (RFC 6901).

    Raises InvalidArgumentError: a key that no object can have, an index below 0.
    """
    if isinstance(path, (str, int)):
        path = (path,)
    elif type(path) is not tuple and not isinstance(path, Sequence):
        raise TypeError(
            f"a path is a key, an index, or a sequence of them, not {type(path).__name__}"
        )
    written = ""
    for name in path:
        # Most are written as they are.
        is_plain = type(name) is str and "~" not in name and "/" not in name
        written += f"/{name}" if is_plain else step(name)
    if "\0" in written:
        raise InvalidArgumentError(f"a key must not contain U+0000: {written!r}")
    return encode_name(written, "a JSON Pointer")


def step(name: str | int) -> str:
    """Writes one step of a JSON Pointer."""
    if isinstance(name, str):
        if "~" in name or "/" in name:
            name = name.replace("~", "~0").replace("/", "~1")
        return "/" + name
    if isinstance(name, int) and not isinstance(name, bool):
        if name < 0:
            raise InvalidArgumentError(f"an index in a path counts from 0; it cannot be {name}")
        return f"/{name}"
    raise TypeError(f"a step of a path is a str or an int, not {type(name).__name__}")


def text(pointer: str) -> bytes:
    """Writes a JSON Pointer as the text of a C string.

    Raises InvalidArgumentError: one that has U+0000 in it or no UTF-8.
    """
    return encode_name(pointer, "a JSON Pointer")
