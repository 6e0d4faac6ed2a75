"""The commits of stores, in a temporary database."""

from __future__ import annotations

import sqlite3
import threading
from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Callable, NamedTuple, Optional

MOST_COMMITS = 1_000_000
MOST_BYTES = 1 << 30

# How many bytes of rows are added before the size of the database is looked at again.
_CHECKED = 4 << 20
# The part of the commits of a store that is removed at once, the oldest.
_PORTION = 16
# How many rows one statement reads, so that others need not wait long.
_CHUNK = 4096


class Row(NamedTuple):
    """A commit, or a dispatch that was rejected. The texts are JSON."""

    commit: int
    """The number; of a rejected dispatch, that of the commit before it."""
    time: int
    type: str
    preview: str
    microseconds: Optional[float]
    writer: Optional[int]
    batch: bool
    changes: Optional[int]
    """How many operations the patch has."""
    jump: bool
    dropped: int
    """How many commits were dropped before it."""
    optimistic: Optional[str]
    """What became of the optimistic update that it begins."""
    rejected: Optional[str]
    """Why it was rejected; None for a commit."""
    action: str
    """The actions, if it is a batch that was rejected."""
    patch: Optional[str]
    problem: Optional[str]
    """Why there is no patch."""


# COMMIT is a word of SQL.
_NAMES = tuple(f"{name}_" for name in Row._fields)
_COLUMNS = ", ".join(_NAMES)
_SHORT = ", ".join(_NAMES[:-3])


class CommitDatabase:
    """The commits of all stores of a program. The oldest are removed if there are too many.

    SQLite deletes the file of a database without a name when it is closed, also when the process is
    killed. Any thread may use it.
    """

    def __init__(self, most_commits: int = MOST_COMMITS, most_bytes: int = MOST_BYTES) -> None:
        self.lock = threading.RLock()
        self._most_commits = most_commits
        self._most_bytes = most_bytes
        self._unchecked = 0
        self._stores: list[StoreCommits] = []
        self.connection = sqlite3.connect("", check_same_thread=False, isolation_level=None)
        self.connection.execute("PRAGMA journal_mode = OFF")
        self.connection.execute("PRAGMA cache_size = -16384")

    def close(self) -> None:
        with self.lock:
            self.connection.close()

    @property
    def size(self) -> int:
        """How many bytes it has."""
        with self.lock:
            used = self._pragma("page_count") - self._pragma("freelist_count")
            return used * self._pragma("page_size")

    def _pragma(self, name: str) -> int:
        number: int = self.connection.execute(f"PRAGMA {name}").fetchone()[0]
        return number

    def add_store(self) -> StoreCommits:
        """Makes a table for a store."""
        with self.lock:
            store = StoreCommits(self, f"commits_{len(self._stores)}")
            self._stores.append(store)
            return store

    def remove_excess(self, added: int) -> None:
        """Removes the oldest commits of the store that has most, after some bytes were added, until
        there are not too many.
        """
        self._unchecked += added
        is_checked = self._unchecked >= min(_CHECKED, self._most_bytes // 16)
        if is_checked:
            self._unchecked = 0
        largest = max(self._stores, key=len)
        while len(largest) > 1 and (
            sum(map(len, self._stores)) > self._most_commits
            or (is_checked and self.size > self._most_bytes)
        ):
            largest.remove(max(len(largest) // _PORTION, 1))
            largest = max(self._stores, key=len)


class StoreCommits:
    """The commits of a store, in their order. Their numbers increase, perhaps with gaps.

    The dispatches that were rejected follow the commit that was the last one before them.
    """

    def __init__(self, database: CommitDatabase, table: str) -> None:
        self._database = database
        self._table = table
        self.numbers = array("q")
        """Those of the rows, oldest first."""
        self.removing: Callable[[int], object] = lambda number: None
        """Called with the number of the last commit of those that are about to be removed."""
        self.removed = 0
        """How many older ones were removed; the key of a row is the number of those before it."""
        columns = (f"{name} {kind}" for name, kind in zip(_NAMES, _TYPES))
        database.connection.execute(
            f"CREATE TABLE {table} (key INTEGER PRIMARY KEY, {', '.join(columns)})"
        )

    def __len__(self) -> int:
        return len(self.numbers)

    # ---- Writing ---------------------------------------------------------------------------------

    def add(self, rows: Sequence[Row]) -> None:
        """Adds commits."""
        marks = ",".join("?" * (len(Row._fields) + 1))
        with self._database.lock:
            first = self.removed + len(self.numbers)
            keyed = [(first + index, *row) for index, row in enumerate(rows)]
            connection = self._database.connection
            connection.execute("BEGIN")
            connection.executemany(f"INSERT INTO {self._table} VALUES ({marks})", keyed)
            connection.execute("COMMIT")
            self.numbers.extend(row.commit for row in rows)

    def remove(self, count: int) -> None:
        """Removes the oldest commits."""
        self.removing(self.numbers[count - 1])
        with self._database.lock:
            end = self.removed + count
            self._database.connection.execute(f"DELETE FROM {self._table} WHERE key < ?", (end,))
            del self.numbers[:count]
            self.removed = end

    def mark(self, number: int, optimistic: str) -> None:
        """Says what became of the optimistic update that a commit began."""
        with self._database.lock:
            self._database.connection.execute(
                f"UPDATE {self._table} SET optimistic_ = ? "
                "WHERE key = ? AND commit_ = ? AND rejected_ IS NULL",
                (optimistic, self.removed + self.position(number), number),
            )

    # ---- Reading ---------------------------------------------------------------------------------

    @property
    def end(self) -> int:
        """The key of the next row."""
        return self.removed + len(self.numbers)

    def position(self, number: int) -> int:
        """The index of the first commit with a number or a greater one."""
        with self._database.lock:
            return bisect_left(self.numbers, number)

    def get(self, number: int) -> Row | None:
        """The commit with a number."""
        with self._database.lock:
            index = bisect_left(self.numbers, number)
            if index == len(self.numbers) or self.numbers[index] != number:
                return None
            row = self._one(self.removed + index)
            return None if row is None or row.rejected is not None else row

    def rejected_after(self, number: int, count: int) -> list[Row]:
        """The first dispatches that were rejected after a commit and before the next one."""
        with self._database.lock:
            first, end = bisect_left(self.numbers, number), bisect_right(self.numbers, number)
            keys = range(self.removed + first, self.removed + min(end, first + 1 + count))
            rows = [row for key in keys if (row := self._one(key)) is not None]
        return [row for row in rows if row.rejected is not None][:count]

    def _one(self, key: int) -> Row | None:
        found = self._database.connection.execute(
            f"SELECT {_COLUMNS} FROM {self._table} WHERE key = ?", (key,)
        ).fetchone()
        return None if found is None else Row(*found)

    def short(self, keys: Sequence[int]) -> list[tuple[Any, ...]]:
        """The columns before action of rows."""
        with self._database.lock:
            execute = self._database.connection.execute
            if keys and keys[-1] - keys[0] == len(keys) - 1:
                return execute(
                    f"SELECT {_SHORT} FROM {self._table} WHERE key BETWEEN ? AND ? ORDER BY key",
                    (keys[0], keys[-1]),
                ).fetchall()
            query = f"SELECT {_SHORT} FROM {self._table} WHERE key = ?"
            found = (execute(query, (key,)).fetchone() for key in keys)
            return [row for row in found if row is not None]

    def rows(self) -> Iterator[Row]:
        """All commits, also those that are added meanwhile."""
        key = 0
        while True:
            found = self._select(_COLUMNS, key, "", ())
            if not found:
                return
            yield from (Row(*row[1:]) for row in found)
            key = found[-1][0] + 1

    def patches(self, after: int, to: int) -> Iterator[tuple[int, str | None]]:
        """The numbers and the patches of the commits after one, up to another."""
        with self._database.lock:
            key = self.removed + bisect_right(self.numbers, after)
        while True:
            found = self._select("commit_, patch_", key, "AND rejected_ IS NULL", (), 1024)
            for _, number, patch in found:
                if number > to:
                    return
                yield number, patch
            if not found:
                return
            key = found[-1][0] + 1

    def matching(
        self,
        start: int,
        end: int,
        where: str,
        values: tuple[Any, ...],
        passes: Callable[[Optional[str]], bool] | None = None,
    ) -> Iterable[int]:
        """The keys of a range of rows that fulfil a condition, and whose patch passes."""
        columns = "key" if passes is None else "key, patch_"
        with self._database.lock:
            found = self._database.connection.execute(
                f"SELECT {columns} FROM {self._table} WHERE key >= ? AND key < ? {where} "
                "ORDER BY key",
                (start, end, *values),
            ).fetchall()
        return (key for key, *patch in found if passes is None or passes(*patch))

    def _select(
        self, columns: str, key: int, where: str, values: tuple[Any, ...], chunk: int = 256
    ) -> list[Any]:
        with self._database.lock:
            return self._database.connection.execute(
                f"SELECT key, {columns} FROM {self._table} WHERE key >= ? {where} "
                f"ORDER BY key LIMIT {chunk}",
                (key, *values),
            ).fetchall()

    def before(self, end: int, where: str, values: tuple[Any, ...]) -> Iterator[Row]:
        """The commits with keys below one that fulfil a condition, newest first."""
        while end > self.removed:
            start = max(end - _CHUNK, self.removed)
            for key in reversed(list(self.matching(start, end, where, values))):
                with self._database.lock:
                    row = self._one(key)
                if row is not None:
                    yield row
            end = start


_TYPES = (
    *("INTEGER", "INTEGER", "TEXT", "TEXT", "REAL", "INTEGER", "INTEGER", "INTEGER", "INTEGER"),
    *("INTEGER", "TEXT", "TEXT", "TEXT", "TEXT", "TEXT"),
)


def size_of(row: Row) -> int:
    """How many bytes a row takes, roughly."""
    texts = row.type, row.preview, row.action, row.patch or "", row.problem or row.rejected or ""
    return 64 + sum(map(len, texts))
