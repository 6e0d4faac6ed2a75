"""The arguments of commands: what follows the name, and where it stands."""

from __future__ import annotations

from .words import LineError

# Of a number of the engine, which has 64 bits.
_MAX_DIGITS = 18


def no_argument(text: str, start: int) -> None:
    """Raises LineError: there is an argument."""
    if text[start:].strip():
        raise LineError("expected nothing more", start)


def required(text: str, start: int, what: str) -> str:
    """The rest of a line. Raises LineError: there is none."""
    rest = text[start:].strip()
    if not rest:
        raise LineError(f"{what} is missing", len(text.rstrip()) + 1)
    return rest


def numbers(text: str, start: int, most: int) -> list[int]:
    """Some numbers. Raises LineError: something else, or too many."""
    found: list[int] = []
    at = start
    for word in text[start:].split():
        at = text.index(word, at)
        if not word.isdecimal():
            raise LineError(f'"{word}" is not a number', at)
        if len(word) > _MAX_DIGITS:
            raise LineError("the number is too large", at)
        if len(found) == most:
            raise LineError("expected nothing more", at)
        found.append(int(word[:18]))  # More than any number that there is.
        at += len(word)
    return found
