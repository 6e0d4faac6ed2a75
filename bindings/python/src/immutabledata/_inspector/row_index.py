"""The rows of a list of commits that was filtered."""

from __future__ import annotations

import threading
from array import array
from bisect import bisect_left
from collections import OrderedDict
from collections.abc import Callable, Sequence
from typing import Optional

from .changed_paths import changes, condition
from .database import StoreCommits

# How many rows are searched before another thread may use the database.
_CHUNK = 20_000
# How many filters of a store are remembered.
_REMEMBERED = 8


BOUNDS = {
    "after": "AND time_ >= ?",
    "before": "AND time_ <= ?",
    "writer": "AND writer_ = ?",
    "slower": "AND microseconds_ >= ?",
}
"""Filters by a number: milliseconds since 1970, an author, microseconds."""

Bounds = tuple[tuple[str, int], ...]


class RowIndexes:
    """The filters that were used last."""

    def __init__(self, commits: StoreCommits) -> None:
        self._commits = commits
        self._lock = threading.Lock()
        self._known: OrderedDict[tuple[str, str, Bounds], _Matches] = OrderedDict()

    def keys(self, search: str, pattern: str, bounds: Bounds = ()) -> Sequence[int]:
        """The keys of the rows whose type fits a pattern, that fit a search, and that are within
        bounds, each with a name of BOUNDS. A search is a text of the action, `path:` with a JSON
        Pointer to what was changed, `is:rejected`, or `is:optimistic`.

        Raises InspectorError: it is not a pointer.
        """
        commits = self._commits
        if not search and not pattern and not bounds:
            return range(commits.removed, commits.end)
        wanted = search, pattern, bounds
        with self._lock:
            matches = self._known.setdefault(wanted, _Matches(commits, *wanted))
            self._known.move_to_end(wanted)
            if len(self._known) > _REMEMBERED:
                self._known.popitem(last=False)
        return matches.present()


class _Matches:
    """The keys of the rows that a filter lets pass; new rows are searched when it is used again."""

    def __init__(
        self, commits: StoreCommits, search: str, pattern: str, bounds: Bounds
    ) -> None:
        self._commits = commits
        self._lock = threading.Lock()
        self._keys = array("q")
        self._next = 0
        conditions: list[tuple[str, tuple[str | int, ...]]] = [
            (BOUNDS[name], (number,)) for name, number in bounds
        ]
        if pattern:
            conditions.append(("AND type_ GLOB ?", (pattern,)))
        self._passes: Callable[[Optional[str]], bool] | None = None
        if search == "is:rejected":
            conditions.append(("AND rejected_ IS NOT NULL", ()))
        elif search == "is:optimistic":
            conditions.append(("AND optimistic_ IS NOT NULL", ()))
        elif search.startswith("path:"):
            pointer = search[5:]
            conditions.append(condition(pointer))
            self._passes = lambda patch: changes(patch, pointer)
        elif search:
            escaped = search.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")
            conditions.append(("AND action_ LIKE ? ESCAPE '\\'", (f"%{escaped}%",)))
        self._where = " ".join(where for where, _ in conditions)
        self._values = tuple(value for _, values in conditions for value in values)

    def present(self) -> Sequence[int]:
        with self._lock:
            removed = self._commits.removed
            if self._keys and self._keys[0] < removed:
                del self._keys[: bisect_left(self._keys, removed)]
            end = self._commits.end
            while self._next < end:
                stop = min(self._next + _CHUNK, end)
                found = self._commits.matching(
                    self._next, stop, self._where, self._values, self._passes
                )
                self._keys.extend(found)
                self._next = stop
            return self._keys[:]
