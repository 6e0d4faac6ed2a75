"""What is known of a store: its commits, and the states after them."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import immutabledata as imd

from .database import CommitDatabase, Row, StoreCommits, size_of
from .failures import UnknownStateError, not_found
from .optimistic import PENDING, OptimisticUpdates, begun_by
from .row_index import RowIndexes
from .selector_runs import SelectorRuns
from .states import States
from .text import JSONText, is_array, preview, to_json

# How many characters of a type are searched and shown in a list.
_LONGEST_TYPE = 500
# How many seconds a state may take that the program is asked for.
_PATIENCE = 3.0


class StoreRecord:
    """A store that is inspected. One thread adds commits, any thread reads."""

    def __init__(self, description: Mapping[str, Any], database: CommitDatabase) -> None:
        """description: what the protocol says of a store."""
        self.description = dict(description)
        self.number: int = self.description["store"]
        self._database = database
        self.commits: StoreCommits = database.add_store()
        self.indexes = RowIndexes(self.commits)
        self.states = States(self.commits.patches)
        self.selectors = SelectorRuns()
        self._updates = OptimisticUpdates()
        if self.has_patches:
            self.commits.removing = self.states.forget_before
        self.is_open = True
        self.last = 0
        """The number of the last commit that is known."""
        self.dropped = 0
        """How many commits the program has dropped."""
        self.expected = 0
        """How many commits there will be when all are read."""
        self._dropped_before = 0
        self._is_attached = False

    @property
    def has_patches(self) -> bool:
        return bool(self.description.get("patches"))

    def describe(self) -> dict[str, Any]:
        """The store for the page."""
        commits, states = self.commits, self.states
        numbers = commits.numbers
        remaining = max(self.expected - len(commits), 0)
        built = states.keyframes
        return {
            **self.description,
            "commits": len(commits),
            "first": numbers[0] if numbers else self.last,
            "last": self.last,
            "dropped": self.dropped,
            "removed": commits.removed,
            "open": self.is_open,
            "keyframes": {"built": built, "total": built + remaining // states.distance},
        }

    # ---- As commits arrive -----------------------------------------------------------------------

    def attached(self, number: int) -> None:
        """The next commit is that after one with a number. Those in between were lost."""
        if self._is_attached and number > self.last:
            self.drop(number - self.last)
        self._is_attached = True
        self.last = max(self.last, number)

    def drop(self, count: int) -> None:
        """The program has dropped commits."""
        self.dropped += count
        self._dropped_before += count
        self.states.end()

    def add_rows(self, rows: Sequence[Row]) -> None:
        """Adds commits, and dispatches that were rejected."""
        rows, last = self._new(rows)
        if not rows:
            return
        if self._dropped_before:
            rows[0] = rows[0]._replace(dropped=self._dropped_before)
            self._dropped_before = 0
        self.commits.add(rows)
        for row in rows:
            if row.rejected is None:
                self._follow(row)
        self.last = last
        self._database.remove_excess(sum(map(size_of, rows)))

    def _new(self, rows: Sequence[Row]) -> tuple[list[Row], int]:
        """The rows without commits that another attach has repeated, and the last number."""
        last = self.last
        kept = []
        for row in rows:
            if row.rejected is not None:
                kept.append(row._replace(commit=last))
            elif row.commit > last:
                kept.append(row)
                last = row.commit
        return kept, last

    def _follow(self, row: Row) -> None:
        """Makes the state after a commit, and notes what it means for optimistic updates."""
        if self.has_patches:
            self.states.add(row.commit, row.patch)
        if row.optimistic is None and not self._updates.is_waiting:
            return
        action = imd.from_json(row.action)
        for number, outcome in self._updates.ended(row.commit, action, row.writer is not None):
            self.commits.mark(number, outcome)
        if row.optimistic is not None:
            self._updates.begin(row.commit, action)

    # ---- When they are asked for -----------------------------------------------------------------

    def commit(self, number: int) -> Row:
        """A commit. Raises InspectorError: it is not known."""
        row = self.commits.get(number)
        if row is None:
            raise not_found(f"commit {number} is not known")
        return row

    def state(self, number: int | None) -> tuple[int, Any]:
        """The state after a commit, or the newest one, and the number of the commit. After a gap it
        waits for the newest one, which the program is asked for.

        Raises UnknownStateError: it is not known.
        """
        if number in (None, self.last) and self.states.is_broken and self.is_open:
            self.states.wait(_PATIENCE)
        if number is None:
            return self.states.newest()
        if number > self.last:
            raise UnknownStateError(f"there is no commit {number} yet")
        return number, self.states.at(number)


def row_of(commit: Mapping[str, Any]) -> Row:
    """A commit of the protocol as a row."""
    action, patch = commit["action"], commit.get("patch")
    kind = action.get("type")
    kind = kind[:_LONGEST_TYPE] if isinstance(kind, str) else ""
    writer, microseconds = commit.get("writer"), commit.get("microseconds")
    problem = commit.get("problem")
    return Row(
        commit=int(commit["commit"]),
        time=int(commit["time"]),
        type=kind,
        preview=preview(action["payload"]) if "payload" in action else "",
        microseconds=None if microseconds is None else float(microseconds),
        writer=None if writer is None else int(writer),
        batch=commit.get("batch") is True,
        changes=None if patch is None else len(patch),
        jump=microseconds is None and kind.startswith("@@history/"),
        dropped=0,
        optimistic=None if begun_by(action) is None else PENDING,
        rejected=None,
        action=to_json(action),
        patch=None if patch is None else to_json(patch),
        problem=None if problem is None else str(problem),
    )


def rejected_row_of(line: Mapping[str, Any]) -> Row:
    """A line of the trace about a dispatch that was rejected, as a row."""
    given = line["action"] if "action" in line else line["actions"]
    action = given[0] if is_array(given) and given else given
    # It may have been rejected because it is no object.
    shown = action if isinstance(action, Mapping) else {"payload": action}
    row = row_of({"action": shown, "commit": 0, "time": line["time"]})
    row = row._replace(action=to_json(given))
    if "actions" in line:
        row = row._replace(preview=f"a batch of {len(given)} actions")
    return row._replace(optimistic=None, rejected=f"{line['code']}: {line['message']}")


def by_time(commits: Sequence[Row], rejected: deque[Row]) -> Iterator[Row]:
    """The commits in their order, and between them what was rejected, which is taken from the
    front. What was rejected later than all commits stays.
    """
    for commit in commits:
        while rejected and rejected[0].time < commit.time:
            yield rejected.popleft()
        yield commit


def described(row: Sequence[Any], index: int) -> dict[str, Any]:
    """A row of the list for the page."""
    commit, time, kind, payload, microseconds, writer, batch, changes, jump, dropped, *rest = row
    update, rejected = rest
    members = {
        "row": index,
        "commit": commit,
        "time": time,
        "type": kind,
        "preview": payload,
        "changes": changes,
    }
    optional = {"writer": writer, "batch": bool(batch), "jump": bool(jump), "dropped": dropped}
    optional.update(optimistic=update, rejected=rejected)
    members.update({name: given for name, given in optional.items() if given})
    if microseconds is not None:
        members["microseconds"] = microseconds
    return members


def details(row: Row) -> dict[str, Any]:
    """What is known of a commit, other than its patch."""
    members = described(row[:-3], 0)
    del members["row"], members["type"], members["preview"]
    members["action"] = JSONText(row.action)
    if row.problem is not None:
        members["problem"] = row.problem
    return members
