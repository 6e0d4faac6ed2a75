"""Where two JSON values differ, and how a message shows it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from .._values import Value, identical
from .._values.equality import equal
from .._values.json_text import is_array
from .._values.path import pointer_step
from ..errors import LimitError

ABSENT: Any = object()
"""Stands for a part that does not exist, and for an argument that was left out."""

# How many differences a message lists, and how many characters of each value.
_LISTED = 8
_SHOWN = 160


def differences(left: Any, right: Any) -> Iterator[tuple[str, Any, Any]]:
    """The JSON Pointers to the smallest parts that differ, each with the two parts.

    Complexity: O(n) for the parts that are not shared.
    """
    pending = [("", left, right)]
    while pending:
        pointer, one, other = pending.pop()
        if isinstance(one, Value) and identical(one, other):
            continue
        if isinstance(one, Mapping) and isinstance(other, Mapping):
            keys: list[Any] = sorted({*one, *other}, key=_order, reverse=True)
            pending += [
                (pointer + _step(key), _member(one, key), _member(other, key)) for key in keys
            ]
        elif is_array(one) and is_array(other):
            pending += [
                (f"{pointer}/{at}", _element(one, at), _element(other, at))
                for at in reversed(range(max(len(one), len(other))))
            ]
        elif not equal(one, other):
            yield pointer, one, other


def listing(found: Iterator[tuple[str, Any, Any]], words: tuple[str, str]) -> str:
    """The first differences, a line each. words: what stands before the two parts."""
    listed: list[str] = []
    for pointer, one, other in found:
        if len(listed) == _LISTED:
            listed.append("and more")
            break
        place = repr(pointer) if pointer else "the whole"
        listed.append(f"{place}: {words[0]} {shown(one)}, {words[1]} {shown(other)}")
    return lines(listed)


def lines(texts: Iterable[str]) -> str:
    """Texts as the lines of a message."""
    return "".join(f"\n  {text}" for text in texts)


def shown(data: Any) -> str:
    """A value as a message shows it: as Python writes it, at most 160 characters."""
    if data is ABSENT:
        return "nothing"
    if isinstance(data, Value):
        try:
            data = data.to_python()
        except LimitError:  # It nests deeper than plain data can.
            data = data.to_json()
    text = repr(data)
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"


def _order(key: Any) -> tuple[bool, str]:
    """Orders keys; those of plain data may also be numbers or None."""
    return not isinstance(key, str), str(key)


def _step(key: Any) -> str:
    return pointer_step(key if isinstance(key, str) else repr(key))


def _member(mapping: Any, key: Any) -> Any:
    return mapping[key] if key in mapping else ABSENT


def _element(array: Any, at: int) -> Any:
    return array[at] if at < len(array) else ABSENT
