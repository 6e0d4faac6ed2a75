"""Paths into values, and JSON Pointers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Union

from ..errors import InvalidArgumentError, wrong_type
from .names import encode_name, plain, quoted

Path = Union[str, int, Sequence[Union[str, int]]]
"""A JSON Pointer (RFC 6901), an index, or a sequence of keys and indices."""


def encode_path(path: Path) -> bytes:
    """Writes a path as a JSON Pointer, as a C string.

    A str is always a pointer: a key that happens to begin with "/" must not become another path.

    Raises InvalidArgumentError: a str that is not a JSON Pointer, a key that no object can have, a
    negative index.
    """
    if isinstance(path, str):
        return _checked_pointer(path)
    if isinstance(path, int):
        path = (path,)
    elif type(path) is not tuple and (
        not isinstance(path, Sequence) or isinstance(path, (bytes, bytearray, memoryview))
    ):
        raise wrong_type("a path", "a JSON Pointer, an index, or a sequence of keys", path)
    return encode_pointer("".join(map(pointer_step, path)))


def _checked_pointer(path: str) -> bytes:
    if path and path[0] != "/":
        raise InvalidArgumentError(
            f'{quoted(path)} is not a JSON Pointer, which is empty or begins with "/"; for the '
            f"key, write {quoted('/' + escape(path))} or ({plain(path)!r},)"
        )
    return encode_pointer(path)


def pointer_step(step: str | int) -> str:
    """Writes a key or an index as a step of a JSON Pointer, with its slash."""
    if isinstance(step, str):
        return "/" + escape(step)
    if isinstance(step, int) and not isinstance(step, bool):
        if step < 0:
            raise InvalidArgumentError(f"an index in a path must not be negative; got {step}")
        return f"/{int.__repr__(step)}"  # Members of enums have a __format__ of their own.
    raise wrong_type("a step of a path", "a str or an int", step)


def escape(key: str) -> str:
    """Escapes a key for a JSON Pointer."""
    return key.replace("~", "~0").replace("/", "~1")


def encode_pointer(pointer: str) -> bytes:
    """Writes a JSON Pointer as a C string.

    Raises InvalidArgumentError: a pointer that contains U+0000 or cannot be UTF-8.
    """
    if "\0" in pointer:
        raise InvalidArgumentError(f"a key must not contain U+0000: {pointer!r}")
    return encode_name(pointer, "a path")
