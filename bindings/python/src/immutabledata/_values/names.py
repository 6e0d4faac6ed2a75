"""Names: as C strings, in messages, and suggestions for those that do not exist."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ..errors import InvalidArgumentError, wrong_type


def plain(text: str) -> str:
    """A str for a member of an enum that is also a str, whose __str__, __format__ and __eq__ may be
    its own; any other str as it is.
    """
    return str.__str__(text)


def encode_name(name: str, role: str) -> bytes:
    """Encodes a name as a C string. The role describes the name in messages: "the label".

    Raises InvalidArgumentError: a name that contains U+0000 or cannot be UTF-8.
    """
    if not isinstance(name, str):
        raise wrong_type(role, "a str", name)
    if "\0" in name:
        # C would stop reading there and find another name.
        raise InvalidArgumentError(f"{role} must not contain U+0000: {plain(name)!r}")
    try:
        return str.encode(name, "utf-8")
    except UnicodeEncodeError as error:
        raise InvalidArgumentError(f"{role} cannot be UTF-8: {error}") from None


# ---- In messages, in the words that the library uses ---------------------------------------------

_MAX_SHOWN = 5


def suggestion(name: str, names: Iterable[str]) -> str:
    """Similar names if there are any, otherwise the first few; to be appended to a message."""
    known = sorted(names)
    similar = similar_names(name, known)
    if similar:
        return f"; did you mean {' or '.join(map(quoted, similar))}?"
    if not known:
        return "; there are none"
    shown = ", ".join(map(quoted, known[:_MAX_SHOWN]))
    more = f" and {len(known) - _MAX_SHOWN} more" if len(known) > _MAX_SHOWN else ""
    return f"; expected {'one of: ' if len(known) > 1 else ''}{shown}{more}"


def similar_names(name: str, names: Iterable[str]) -> list[str]:
    """Up to three similar names, the most similar first."""
    from difflib import get_close_matches

    return get_close_matches(name, names, n=3, cutoff=0.75)


def quoted(name: str) -> str:
    """A name in quotes, with escapes for characters that cannot be printed."""
    name = plain(name)
    if name.isprintable():
        return f'"{name}"'
    printable = (each if each.isprintable() else ascii(each)[1:-1] for each in name)
    return f'"{"".join(printable)}"'


def checked_names(name: str, names: Any) -> list[str]:
    """Returns names as a list. Raises TypeError: they are no iterable of str."""
    # A str is an iterable of str, but almost certainly a mistake here.
    if isinstance(names, str) or not isinstance(names, Iterable):
        raise wrong_type(name, "an iterable of str", names)
    listed = list(names)
    for item in listed:
        if not isinstance(item, str):
            raise wrong_type(f"each of {name}", "a str", item)
    return listed
