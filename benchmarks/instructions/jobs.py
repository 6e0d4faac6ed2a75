"""Runs a job of the Python package under callgrind, which counts the second run.

    jobs.py COUNTING        lists the jobs: the name, a tab, and the number of operations of a run
    jobs.py COUNTING NAME   runs one

COUNTING is the library that makes the requests to callgrind.
"""

from __future__ import annotations

import ctypes
import gc
import os
import shutil
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar

import immutabledata as imd

RECORDS = 1_024
OPERATIONS = 64
LOAD = "Python: load a library"

Run = Callable[[], None]


def records():
    keys = {f"k{n}": {f"f{field}": n + field for field in range(10)} for n in range(RECORDS)}
    return {"records": keys}


def repeat(operation: Callable[[int], object]) -> Run:
    """A run: OPERATIONS operations, each with another number."""
    number = 0

    def run() -> None:
        nonlocal number
        for _ in range(OPERATIONS):
            number += 1
            operation(number)

    return run


def dispatching(reducer) -> Run:
    store = imd.Store(reducer, state=records())
    return repeat(lambda n: store.dispatch("set", {"id": f"k{n % RECORDS}", "value": -n}))


def dispatch_to_reducer() -> Run:
    def reduce(state, action):
        payload = action["payload"]
        return state.set(("records", payload["id"], "f3"), payload["value"])

    return dispatching(reduce)


def dispatch_to_drafting_reducer() -> Run:
    @imd.drafting
    def reduce(draft, action):
        payload = action["payload"]
        draft["records"][payload["id"]]["f3"] = payload["value"]

    return dispatching(reduce)


@dataclass(frozen=True)
class Set:
    type: ClassVar[str] = "set"
    id: str
    value: int


def dispatch_of_instance() -> Run:
    """Without the construction of the instances."""

    def reduce(state: Any, action: Set) -> Any:
        return state.set(("records", action.id, "f3"), action.value)

    store = imd.Store(reduce, state=records())
    sets = [Set(f"k{n % RECORDS}", -n) for n in range(2 * OPERATIONS + 1)]
    return repeat(lambda n: store.dispatch(sets[n]))


def select_unchanged() -> Run:
    store = imd.Store(lambda state, action: state, state=records())
    store.define("high", "length(records.* | [?f3 > $limit])")
    return repeat(lambda n: store.select("high", limit=1_000))


def dispatch_to_domain(library) -> Run:
    store = library.open("counter")
    return repeat(lambda n: store.dispatch("didTapIncrementButton"))


def select_from_domain(library) -> Run:
    store = library.open("counter")
    return repeat(lambda n: store.select("selectValue"))


def load_copy() -> imd.Library:
    """Loads a copy of the default library: imd.load opens no file twice."""
    with tempfile.TemporaryDirectory() as folder:
        return imd.load(shutil.copy(os.environ["IMMUTABLEDATA_LIBRARY"], folder))


JOBS: dict[str, Callable[[], Run]] = {
    "Python: dispatch to a reducer": dispatch_to_reducer,
    "Python: dispatch to a drafting reducer": dispatch_to_drafting_reducer,
    "Python: dispatch of an instance": dispatch_of_instance,
    "Python: select a number, unchanged": select_unchanged,
    "Python: dispatch to the domain counter": lambda: dispatch_to_domain(imd),
    "Python: select from the domain counter": lambda: select_from_domain(imd),
    LOAD: lambda: load_copy,
    "Python: dispatch to a domain of a loaded library": lambda: dispatch_to_domain(load_copy()),
    "Python: select from a domain of a loaded library": lambda: select_from_domain(load_copy()),
}


def main() -> None:
    counting = ctypes.CDLL(sys.argv[1])
    if len(sys.argv) == 2:
        for name in JOBS:
            print(name, 1 if name == LOAD else OPERATIONS, sep="\t")
        return
    run = JOBS[sys.argv[2]]()
    run()
    gc.collect()
    gc.disable()  # so that no job includes a collection
    counting.start_counting()
    run()
    counting.stop_counting()


if __name__ == "__main__":
    main()
