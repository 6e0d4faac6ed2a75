"""How often the selectors of a store ran, and how long, by the lines of its trace."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from typing import Any

# Of how many selectors the runs are kept.
_MOST = 1_000


class SelectorRuns:
    """The evaluations of selectors with a name, since the trace began."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._runs: dict[str, dict[str, Any]] = {}

    def add(self, line: Mapping[str, Any]) -> None:
        """Counts a line of the trace, if it is an evaluation."""
        name = line.get("name")
        if line.get("trace") != "selector" or not isinstance(name, str):
            return
        time = line.get("microseconds", 0)
        with self._lock:
            if name not in self._runs and len(self._runs) >= _MOST:
                return
            runs = self._runs.setdefault(
                name, {"count": 0, "changed": 0, "microseconds": 0, "longest": 0}
            )
            runs["count"] += 1
            runs["changed"] += line.get("changed") is True
            runs["microseconds"] += time
            runs["longest"] = max(runs["longest"], time)

    def added_to(self, description: Mapping[str, Any]) -> dict[str, Any]:
        """The description of a store, whose selectors have their runs as `runs`."""
        with self._lock:
            selectors = [
                {**selector, "runs": dict(self._runs[selector["name"]])}
                if selector.get("name") in self._runs
                else selector
                for selector in description.get("selectors", [])
            ]
        return {**description, "selectors": selectors}
