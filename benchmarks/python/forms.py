"""What each way to write the same dispatch costs, beside the fastest one. Not in the report.

Run it with a Python that has the package: .build-venv/bin/python benchmarks/python/forms.py
"""

from __future__ import annotations

import itertools
import statistics
from dataclasses import dataclass
from typing import Any, TypedDict

import immutabledata as imd
from measure import QUICK, Call, seconds

MICROSECOND = 1e-6
BATCH = 10

# The actions of one measurement, and the number of measurements of each form.
CALLS = 200
TURNS = 20 if QUICK else 500

todos = imd.Slice("todos", {"n": 0})


@todos.on("renamed")
def renamed(draft: Any, action: Any) -> None:
    draft["n"] = action["payload"]["n"]


@todos.on
def retitled(draft: Any, *, n: int) -> None:
    draft["n"] = n


class Count(TypedDict):
    n: int


@dataclass(frozen=True)
class Set:
    type = "set"
    n: int
    by: str = "key"
    at: float = 1.5


def reduce_set(state: Count, action: Set) -> Any:
    return imd.value(state).set("/n", action.n)


SCHEMA = {
    "actions": {"set": {"type": "object", "properties": {"n": {"type": "integer"}}}},
    "state": {"type": "object", "properties": {"n": {"type": "integer"}}},
}


def reduce(state: Any, action: Any) -> Any:
    """Replaces a member: it keeps the size of the state."""
    return state if action["type"] == "cleared" else state.set("/n", action["payload"]["n"])


def append(state: Any, action: Any) -> Any:
    """Appends to an array, which "cleared" empties: actions of a batch follow each other."""
    if action["type"] == "cleared":
        return state.set("/items", [])
    return state.insert("/items/-", action["payload"])


def compare(title: str, forms: dict[str, tuple[int, Call]]) -> None:
    """Prints the median time of each form for one action, and the median ratio to the first form.

    The turns are short, so that what else the machine does delays the forms of a turn alike.
    """
    times: list[list[float]] = []
    for _ in range(TURNS):
        turn = [seconds(call, CALLS // each) / CALLS for each, call in forms.values()]
        times.append(turn)
    print(title)
    for index, name in enumerate(forms):
        median = statistics.median(turn[index] for turn in times[TURNS // 10 :])
        ratio = statistics.median(turn[index] / turn[0] for turn in times[TURNS // 10 :])
        print(f"  {name:46}{median / MICROSECOND:8.2f} µs{ratio:7.2f}")


def compare_dispatches() -> None:
    numbers = itertools.count()
    store = imd.Store(reduce, state={"n": 0})
    send = store.dispatch
    compare(
        "an action",
        {
            'dispatch("set", {…})': (1, lambda: send("set", {"n": next(numbers)})),
            'dispatch({"type": "set", "payload": {…}})': (
                1,
                lambda: send({"type": "set", "payload": {"n": next(numbers)}}),
            ),
        },
    )
    compare(
        "an action with meta",
        {
            'dispatch("set", {…}, meta={…})': (
                1,
                lambda: send("set", {"n": next(numbers)}, meta={"by": 1}),
            ),
            'dispatch({"type": "set", …, "meta": {…}})': (
                1,
                lambda: send({"type": "set", "payload": {"n": next(numbers)}, "meta": {"by": 1}}),
            ),
        },
    )
    checked, typed = imd.Store(reduce, {"n": 0}, schema=SCHEMA), imd.Store(reduce_set, {"n": 0})
    # Alike in their size; the construction of an instance is not measured.
    sets = itertools.cycle([Set(n) for n in range(1000)])
    payloads = itertools.cycle([{"n": n, "by": "key", "at": 1.5} for n in range(1000)])
    compare(
        "an action that is an instance",
        {
            'dispatch("set", {…})': (1, lambda: send("set", next(payloads))),
            "the same with a schema": (1, lambda: checked.dispatch("set", next(payloads))),
            "dispatch(Set(…))": (1, lambda: typed.dispatch(next(sets))),
        },
    )
    sliced = imd.Store(todos, state={"n": 0})
    compare(
        "an action of a slice",
        {
            'dispatch("todos/renamed", {…})': (
                1,
                lambda: sliced.dispatch("todos/renamed", {"n": next(numbers)}),
            ),
            "dispatch(renamed({…}))": (
                1,
                lambda: sliced.dispatch(renamed({"n": next(numbers)})),
            ),
            "dispatch(retitled(n=…))": (1, lambda: sliced.dispatch(retitled(n=next(numbers)))),
        },
    )


def compare_batch(name: str, store: imd.Store[Any], type: str) -> None:
    """Compares actions in a batch with the same alone. Then what they have appended is removed."""
    numbers = itertools.count()

    def actions() -> list[dict[str, Any]]:
        return [{"type": type, "payload": {"n": next(numbers)}} for _ in range(BATCH)]

    def one_by_one() -> None:
        for action in actions():
            store.dispatch(action)
        store.dispatch("cleared")

    def batch() -> None:
        store.dispatch_batch(actions())
        store.dispatch("cleared")

    compare(
        f"{name} in a batch of {BATCH}, for each action",
        {"dispatch({…})": (BATCH, one_by_one), "dispatch_batch([…])": (BATCH, batch)},
    )


def compare_batches() -> None:
    compare_batch('"set"', imd.Store(reduce, state={"n": 0}), "set")
    compare_batch('insert("/items/-", …)', imd.Store(append, state={"items": []}), "added")


if __name__ == "__main__":
    compare_dispatches()
    compare_batches()
