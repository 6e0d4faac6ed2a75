"""The commits that have changed a part of a state."""

from __future__ import annotations

from itertools import islice
from typing import Any

import immutabledata as imd

from .levels import bounded
from .pointers import ancestors, steps_of, touches
from .record import StoreRecord


def blame(
    record: StoreRecord, pointer: str, before: int | None, count: int
) -> list[dict[str, Any]]:
    """The commits that changed the part at a pointer, newest first.

    before: only those up to that commit; None for all. Elements of an array count by their index.
    """
    steps_of(pointer)
    commits = record.commits
    end = commits.end if before is None else commits.removed + commits.position(before + 1)
    where, values = _condition(pointer)
    found = []
    for row in commits.before(end, where, values):
        patch = imd.from_json(row.patch or "[]")
        operations = [each for each in patch if touches(each, pointer)]
        if operations:
            shown = bounded(list(islice(operations, 20)))[0]
            found.append(
                {"commit": row.commit, "time": row.time, "type": row.type, "operations": shown}
            )
            if len(found) >= count:
                break
    return found


def _condition(pointer: str) -> tuple[str, tuple[str, ...]]:
    """What the text of a patch has that may touch a pointer; it may also have that in a value."""
    texts = [f'"{_in_json(pointer)}"', f'"{_in_json(pointer)}/']
    texts += [f'"{_in_json(each)}"' for each in ancestors(pointer)]
    conditions = " OR ".join("instr(patch_, ?)" for _ in texts)
    return f"AND ({conditions})", tuple(texts)


def _in_json(pointer: str) -> str:
    """A pointer as the text of a patch has it, between quotation marks."""
    text: str = imd.value([pointer]).to_json()
    return text[2:-2]
