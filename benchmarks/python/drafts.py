"""How the cost of a change of an array draft grows with the array, per operation. Not in the report.

Run it with a Python that has the package: .build-venv/bin/python benchmarks/python/drafts.py
"""

from __future__ import annotations

import gc
import time
from collections.abc import Callable
from typing import Any

import immutabledata as imd

SIZES = [1_000, 8_000, 64_000]
ROUNDS = 5


def scattered(i: int, count: int) -> int:
    return ((i * 2_654_435_761) >> 7) % count


def each(operation: Callable[[Any, int], object]) -> Callable[[Any, int], None]:
    def change(array: Any, times: int) -> None:
        for i in range(times):
            operation(array, i)

    return change


def delete(array: Any, at: Any) -> None:
    del array[at]


def assign(array: Any, at: Any, data: Any) -> None:
    array[at] = data


# Changes of an array, each of which does an operation for each of a number of elements.
CHANGES: dict[str, Callable[[Any, int], object]] = {
    "insert at the start": each(lambda a, i: a.insert(0, {"n": i})),
    "insert in the middle": each(lambda a, i: a.insert(scattered(i, len(a)), {"n": i})),
    "append": each(lambda a, i: a.append({"n": i})),
    "pop from the end": each(lambda a, i: a.pop()),
    "pop from the start": each(lambda a, i: a.pop(0)),
    "del in the middle": each(lambda a, i: delete(a, scattered(i, len(a)))),
    "insert, then change": each(
        lambda a, i: (a.insert(0, i), assign(a[scattered(i, len(a) - i - 1) + i + 1], "n", i))
    ),
    "del of a slice": lambda a, times: delete(a, slice(5, 5 + times)),
    "del of a slice with a step": lambda a, times: delete(a, slice(0, 3 * times, 3)),
    "insert of a slice": lambda a, times: assign(a, slice(5, 5), [{"n": i} for i in range(times)]),
    "assignment to a slice": lambda a, times: assign(
        a, slice(5, 5 + times), [{"n": i} for i in range(times)]
    ),
    "extend": lambda a, times: a.extend([{"n": i} for i in range(times)]),
}
CHANGES_OF_ALL: dict[str, Callable[[Any, int], object]] = {
    "read": lambda a, times: [element["n"] for element in a],
    "reverse": lambda a, times: a.reverse(),
    "sort": lambda a, times: a.sort(key=lambda element: scattered(element["n"], 1 << 30)),
    "clear": lambda a, times: a.clear(),
}


def costs(change: Callable[[Any, int], object], state: Any, touched: int, times: int) -> list[float]:
    """The least time of an operation on an array with changed elements, and of the reducer's end."""

    @imd.drafting
    def reduce(draft: Any, action: None) -> None:
        for i in range(0, len(draft), len(draft) // touched):
            draft[i]["seen"] = True
        moments.append(time.perf_counter())
        change(draft, times)
        moments.append(time.perf_counter())

    rounds = []
    for _ in range(ROUNDS):
        moments: list[float] = []
        reduce(state, None)
        moments.append(time.perf_counter())
        start, changed, end = moments
        rounds.append(((changed - start) / times, (end - changed) / (touched + times)))
    return [min(column) for column in zip(*rounds)]


def measure(title: str, changes: dict[str, Any], part: int, touched: int | None) -> None:
    print(title)
    for name, change in changes.items():
        rows = zip(*(
            costs(change, state, touched or len(state), len(state) // part) for state in STATES
        ))
        for row, label in zip(rows, (name, "  end of the reducer, per part")):
            numbers = "".join(f"{1e6 * each:12.2f}" for each in row)
            print(f"  {label:30}{numbers}{row[-1] / row[0]:8.1f}", flush=True)


STATES = [imd.value([{"n": i} for i in range(count)]) for count in SIZES]

if __name__ == "__main__":
    gc.disable()  # a collection would visit all drafts
    print(f"{'µs per operation':32}" + "".join(f"{count:12,}" for count in SIZES) + "   ratio")
    measure("all elements were changed", CHANGES, 10, None)
    measure("10 elements were changed", CHANGES, 10, 10)
    measure("all elements are changed by one call", CHANGES_OF_ALL, 1, None)
