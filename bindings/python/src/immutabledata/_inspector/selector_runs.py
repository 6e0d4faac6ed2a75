"""How often the selectors of a store and their observers ran, and how long, by its trace."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from typing import Any

# Of how many selectors the runs are kept.
_MOST = 1_000

# The member of a selector that has the runs of which lines.
_MEMBERS = {"selector": "runs", "observer": "calls"}


class SelectorRuns:
    """The evaluations of selectors with a name, and the calls of their observers, since the trace
    began.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._runs: dict[str, dict[str, dict[str, Any]]] = {}

    def add(self, line: Mapping[str, Any]) -> None:
        """Counts a line of the trace, if it is an evaluation or a call."""
        name, member = line.get("name"), _MEMBERS.get(str(line.get("trace")))
        if member is None or not isinstance(name, str):
            return
        time = line.get("microseconds", 0)
        with self._lock:
            if name not in self._runs and len(self._runs) >= _MOST:
                return
            runs = self._runs.setdefault(name, {}).setdefault(
                member, {"count": 0, "changed": 0, "microseconds": 0, "longest": 0}
            )
            runs["count"] += 1
            runs["changed"] += line.get("changed") is True
            runs["microseconds"] += time
            runs["longest"] = max(runs["longest"], time)

    def added_to(self, description: Mapping[str, Any]) -> dict[str, Any]:
        """The description of a store, whose selectors have their runs as `runs`, and those of their
        observers as `calls`.
        """
        with self._lock:
            selectors = [
                {**selector, **{name: dict(runs) for name, runs in found.items()}}
                for selector in description.get("selectors", [])
                for found in [self._runs.get(selector.get("name"), {})]
            ]
        return {**description, "selectors": selectors}
