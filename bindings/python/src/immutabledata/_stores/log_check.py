"""Whether a log fits the reducer that repeats it."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any, Callable

from .._types import TypedReducer
from .._values import Reducer, quoted
from .._values.path import escape
from ..errors import warn


class LogCheck:
    """Calls a reducer for the actions of a log, and counts those that no slice or class takes."""

    def __init__(self, reducer: Reducer[Any]) -> None:
        self._reducer = reducer
        self._takes: Callable[[str], bool] | None = getattr(reducer, "takes", None)
        self._part = "class" if isinstance(reducer, TypedReducer) else "slice"
        self._untaken: Counter[str] = Counter()
        # What stands before the slash in the types that are taken.
        self._names: set[str] = set()

    def __call__(self, state: Any, action: Any) -> Any:
        if self._takes is not None:
            type = action["type"]
            if self._takes(type):
                self._names.add(_name(type))
            else:
                self._untaken[type] += 1
        return self._reducer(state, action)

    def warn(self, path: str | os.PathLike[str]) -> None:
        """Warns of actions that no slice takes. An action of a slice that takes others may be meant
        for listeners alone.
        """
        types = [type for type in self._untaken if _name(type) not in self._names]
        if not types:
            return
        count = sum(self._untaken[type] for type in types)
        actions = "1 action" if count == 1 else f"{count} actions"
        listed = ", ".join(map(quoted, types[:3])) + (", …" if len(types) > 3 else "")
        warn(
            f"no {self._part} takes {actions} of the log {quoted(os.fsdecode(path))}, of the "
            f"{'type' if len(types) == 1 else 'types'} {listed}; if a {self._part} was "
            f"renamed, {self._remedy(types[0])}migrate the actions, see log.migration"
        )

    def _remedy(self, type: str) -> str:
        """What to do about a class that was renamed, whose actions had a type."""
        return f"give it the attribute type = {quoted(type)}, or " if self._part == "class" else ""


def count_untaken(actions: Iterable[Any], takes: Callable[[str], bool]) -> int:
    """How many actions no slice takes."""
    return sum(not takes(action["type"]) for action in actions)


def warn_of_missing(
    names: Iterable[str], path: str | os.PathLike[str], log: Any, state: Any, reducer: Any
) -> None:
    """Warns of members of the initial state that the state in a log lacks.

    path: of the log; an address without credentials.
    log: the option of the store. With defaults, the program knows the states of the file.
    """
    defaults = log.get("defaults", {}) if isinstance(log, Mapping) else {}
    if hasattr(reducer, "_warn_if_renamed"):
        if not defaults:
            role = f"the state of the log {quoted(os.fsdecode(path))}"
            reducer._warn_if_renamed(state, names, role)
        return
    missing = [name for name in names if f"/{escape(name)}" not in defaults]
    if missing:
        listed = ", ".join(map(quoted, missing[:3])) + (", …" if len(missing) > 3 else "")
        warn(
            f"the state of the log {quoted(os.fsdecode(path))} lacks what the initial state has: "
            f"{listed}; add it with the option defaults of the log, or migrate the log"
        )


def _name(type: str) -> str:
    return type.partition("/")[0]
