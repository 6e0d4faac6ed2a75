"""The first commit after which an expression is true.

It may become false again, so the states are looked at one after the other. A call takes a bounded
time and says how far it came; the next one goes on from there.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

import immutabledata as imd

from .failures import UnknownStateError
from .record import StoreRecord

# How many seconds a call takes, about.
_SECONDS = 0.5


def first_true(
    record: StoreRecord, expression: str, arguments: Any, start: int | None
) -> dict[str, Any]:
    """The first state from a commit on, or of all, for which an expression is true, as in a filter
    of JMESPath: not false, null or empty.

    `commit` is the number of the commit before the state, or null. `next` is from where to go on;
    null after the last state. `skipped` is how many states on the way are not known, `failed` for
    how many the expression could not be evaluated, and `problem` why not for the last of them.

    Raises imd.Error: the expression is wrong.
    """
    end = time.monotonic() + _SECONDS
    number = record.states.next_known(0) if start is None else start
    answer: dict[str, Any] = {"commit": None, "next": None, "skipped": 0}
    answer.update(failed=0, problem=None)
    with imd.Store(_replace, None) as store:
        store.define("expression", expression)
        while number is not None and number <= record.last:
            begin = number
            for each, state in _known(record, number):
                number = each + 1
                store.dispatch("state", state)
                try:
                    is_true = store.query(f"!({expression})", arguments=arguments) is False
                except imd.Error as error:
                    is_true = False
                    answer.update(failed=answer["failed"] + 1, problem=str(error))
                if is_true:
                    return {**answer, "commit": each}
                if time.monotonic() > end:
                    return {**answer, "next": number}
            if number == begin:
                known = record.states.next_known(number)
                answer["skipped"] += (known or record.last + 1) - number
                number = known
    return answer


def _replace(state: Any, action: Any) -> Any:
    return action["payload"]


def _known(record: StoreRecord, number: int) -> Iterator[tuple[int, Any]]:
    """The states from a commit on, until one is not known."""
    try:
        state = record.states.at(number)
        yield number, state
        yield from record.states.after(number, state)
    except UnknownStateError:
        return
