"""The commits that have changed a part of a state."""

from __future__ import annotations

from itertools import islice
from typing import Any

from .changed_paths import condition, operations
from .levels import bounded
from .record import StoreRecord


def blame(
    record: StoreRecord, pointer: str, before: int | None, count: int
) -> list[dict[str, Any]]:
    """The commits that changed the part at a pointer, newest first.

    before: only those up to that commit; None for all. Elements of an array count by their index.
    """
    where, values = condition(pointer)
    commits = record.commits
    end = commits.end if before is None else commits.removed + commits.position(before + 1)
    found = []
    for row in commits.before(end, where, values):
        changes = operations(row.patch, pointer)
        if changes:
            shown = bounded(list(islice(changes, 20)))[0]
            found.append(
                {"commit": row.commit, "time": row.time, "type": row.type, "operations": shown}
            )
            if len(found) >= count:
                break
    return found
