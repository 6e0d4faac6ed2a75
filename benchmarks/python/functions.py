"""Selectors that are functions, beside none, and beside Reselect's createSelector in Python."""

from __future__ import annotations

import gc
import itertools
from collections.abc import Callable
from typing import Any

import immutabledata as imd
from measure import QUICK, enough_calls, measure_in_turns, row
from subjects import records
from subjects.ours import reduce

FEW = 1_000 if QUICK else 10_000
MANY = 8_192 if QUICK else 65_536
OTHERS = {"page": 1, "rate": 7, "shipping": 4}
INPUTS = ["page", "rate", "shipping"]

Selector = Callable[[Any], Any]


def create_selector(inputs: list[Selector], function: Callable[..., Any]) -> Selector:
    """Calls the function if one of its inputs is another object than the last time."""
    last: list[Any] = []
    output = None

    def select(state: Any) -> Any:
        nonlocal last, output
        values = [selector(state) for selector in inputs]
        if len(last) != len(values) or any(a is not b for a, b in zip(last, values)):
            last, output = values, function(*values)
        return output

    return select


def create_mapper(function: Callable[[Any], Any]) -> Callable[[dict], dict]:
    """Calls the function for each member that is another object than the last time."""
    last: dict = {}
    output: dict = {}

    def select(members: dict) -> dict:
        nonlocal last, output
        output = {
            key: output[key] if last.get(key) is member else function(member)
            for key, member in members.items()
        }
        last = members
        return output

    return select


class Dicts:
    """A state of dicts. A change copies the path to it, and calls the subscribers."""

    def __init__(self, count: int) -> None:
        self.state = {"records": records(count), **OTHERS}
        self.subscribers: list[Callable[[Any], Any]] = []

    def change(self, key: str, value: int) -> None:
        state = self.state
        record = {**state["records"][key], "f5": value}
        self.state = {**state, "records": {**state["records"], key: record}}
        for subscriber in self.subscribers:
            subscriber(self.state)


class Store:
    def __init__(self, count: int) -> None:
        self.store = imd.Store(reduce, state={"records": records(count), **OTHERS})

    def change(self, key: str, value: int) -> None:
        self.store.dispatch("changed", {"id": key, "value": value})


def total(page: int, rate: int, shipping: int) -> int:
    return page * rate + shipping


def field(record: Any) -> Any:
    return record["f5"]


def changes(subject: Store | Dicts, count: int) -> tuple[int, Callable[[], None]]:
    """The number of calls for a measurement, and the call."""
    numbers = itertools.count()
    values = itertools.count(10_000_000)

    def change() -> None:
        subject.change(f"k{next(numbers) * 7_919 % count}", next(values))

    return enough_calls(change), change


def measure_unchanged() -> None:
    """The action changes none of the three inputs."""
    plain, observed, dicts = Store(FEW), Store(FEW), Dicts(FEW)
    observed.store.define("total", total, inputs=INPUTS)
    observed.store.observe("total", lambda output: None)
    inputs: list[Selector] = [lambda state, name=name: state[name] for name in INPUTS]
    dicts.subscribers.append(create_selector(inputs, total))
    without, ours, theirs = measure_in_turns(
        changes(plain, FEW), changes(observed, FEW), changes(dicts, FEW)
    )
    job = "dispatch, a function of three inputs"
    row(job, ours, "no selector", without, "ratio <= 1.05")
    row(job, ours, "createSelector, copy of dicts", theirs)


def measure_memo() -> None:
    """A select, and a call of the memo, while nothing changes."""
    ours, dicts = Store(FEW), Dicts(FEW)
    ours.store.define("total", total, inputs=INPUTS)
    memo = create_selector([lambda state, name=name: state[name] for name in INPUTS], total)
    select, theirs = measure_in_turns(
        (4_096, lambda: ours.store.select("total")), (4_096, lambda: memo(dicts.state))
    )
    job = "Python select of a function of three inputs, unchanged"
    row(job, select, "createSelector", theirs, "ratio <= 0.3")


def measure_each() -> None:
    """A function of each record, of which the action changes one."""
    observed, dicts = Store(MANY), Dicts(MANY)
    observed.store.define("fields", field, each="records")
    observed.store.observe("fields", lambda output: None)
    select = create_selector([lambda state: state["records"]], create_mapper(field))
    dicts.subscribers.append(select)
    ours, theirs = measure_in_turns(changes(observed, MANY), changes(dicts, MANY))
    row(f"dispatch, a function of each of {MANY:,} records", ours, "copy of dicts", theirs)


def measure_functions() -> None:
    gc.collect()
    gc.freeze()
    measure_unchanged()
    measure_memo()
    measure_each()
    gc.unfreeze()
