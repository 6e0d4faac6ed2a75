"""The types of actions that a reducer seems to know, to recognize one that is misspelled."""

from __future__ import annotations

import enum
import functools
from collections.abc import Iterable, Iterator
from difflib import get_close_matches
from types import CodeType
from typing import Any

from .._values import quoted
from ..errors import warn


def warn_if_misspelled(type: str, changing: Iterable[str], reducer: Any) -> None:
    """Warns about the type of an action that changed nothing, if it resembles a known one.

    changing: the types that have changed the state.
    """
    known = {*changing, *_texts_of(reducer)}
    if type not in known:
        # The names of one screen begin alike, so only what follows the last slash is compared.
        folder = type.rpartition("/")[0]
        names = {_name(each): each for each in known if each.rpartition("/")[0] == folder}
        near = [names[name] for name in get_close_matches(_name(type), names, cutoff=0.85)]
        if near:
            meant = " or ".join(map(quoted, near))
            warn(f"{quoted(type)} changed nothing; did you mean {meant}?")


def _name(type: str) -> str:
    return type.rpartition("/")[2]


def _texts_of(reducer: Any) -> Iterator[str]:
    """The texts in the code of a reducer, among which are the types that it compares with."""
    while isinstance(reducer, functools.partial):
        reducer = reducer.func
    reducer = getattr(reducer, "__wrapped__", reducer)
    function = reducer if hasattr(reducer, "__code__") else getattr(type(reducer), "__call__", None)
    function = getattr(function, "__func__", function)
    code = getattr(function, "__code__", None)
    if not isinstance(code, CodeType):
        return
    cells = getattr(function, "__closure__", None) or ()
    for cell in cells:
        try:
            yield from _texts_in(cell.cell_contents)
        except ValueError:  # It is empty.
            pass
    names = getattr(function, "__globals__", {})
    codes = [code]
    for each in codes:
        codes += [constant for constant in each.co_consts if isinstance(constant, CodeType)]
        for constant in each.co_consts:
            yield from _texts_in(constant)
        for name in each.co_names:
            yield from _texts_in(names.get(name))


def _texts_in(value: Any) -> Iterator[str]:
    """A text, and those in a collection, such as a dict of functions or an enum."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, enum.EnumMeta):
        members: Any = value
        yield from (member.value for member in members if isinstance(member.value, str))
    elif isinstance(value, (dict, tuple, frozenset)):
        yield from (each for each in value if isinstance(each, str))
