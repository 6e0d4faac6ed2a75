"""The commits of a store as a file: JSON Lines, or what the Redux DevTools import."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from .database import Row
from .failures import InspectorError, UnknownStateError
from .record import StoreRecord
from .text import JSONText, text_within, to_json

# How many bytes the states of an export for the Redux DevTools have at most, together.
_LONGEST_STATES = 256 << 20


def json_lines(record: StoreRecord) -> Iterator[str]:
    """A line for each commit, with its action and its patch. A dispatch that was rejected has why,
    and the number of the commit before it.
    """
    for row in record.commits.rows():
        members = {"commit": row.commit, "time": row.time, "action": JSONText(row.action)}
        if row.rejected is not None:
            members["rejected"] = row.rejected
        if row.microseconds is not None:
            members["microseconds"] = row.microseconds
        if row.writer is not None:
            members["writer"] = row.writer
        if row.patch is not None:
            members["patch"] = JSONText(row.patch)
        if row.problem is not None:
            members["problem"] = row.problem
        yield f"{to_json(members)}\n"


def devtools(record: StoreRecord) -> Iterator[str]:
    """The actions, and the states after them, as the Redux DevTools export them.

    Raises InspectorError: the states would be too large.
    """
    commits = record.commits
    count = len(commits)
    _require_small_states(record, count)
    return _devtools(record, count)


def _require_small_states(record: StoreRecord, count: int) -> None:
    room = _LONGEST_STATES // max(count, 1)
    try:
        is_small = text_within(record.states.newest()[1], room) is not None
    except UnknownStateError:
        is_small = True
    if not is_small:
        message = "the states after all commits are too large; export JSON Lines"
        raise InspectorError("limit", message, 413)


def _devtools(record: StoreRecord, count: int) -> Iterator[str]:
    yield '{"actionsById":{"0":{"action":{"type":"@@INIT"},"timestamp":0,"type":"PERFORM_ACTION"}'
    numbers: list[int] = []
    for row in islice(record.commits.rows(), count):
        if row.rejected is None:
            numbers.append(row.commit)
            yield f',"{len(numbers)}":{_performed(row)}'
    yield '},"computedStates":['
    first = numbers[0] - 1 if numbers else record.last
    separator = ""
    for number in [first, *numbers]:
        yield f"{separator}{_computed(record, number)}"
        separator = ","
    rest = {
        "currentStateIndex": len(numbers),
        "nextActionId": len(numbers) + 1,
        "skippedActionIds": [],
        "stagedActionIds": list(range(len(numbers) + 1)),
    }
    yield f"],{to_json(rest)[1:]}"


def _performed(row: Row) -> str:
    members = {"action": JSONText(row.action), "timestamp": row.time, "type": "PERFORM_ACTION"}
    return to_json(members)


def _computed(record: StoreRecord, number: int) -> str:
    try:
        return to_json({"state": record.states.at(number)})
    except UnknownStateError as error:
        return to_json({"state": None, "error": str(error)})
