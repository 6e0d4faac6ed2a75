"""Selects, of outputs that are cached, and after changes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import immutabledata as imd
from dispatches import reduce
from operation import Operation, fresh, make_state, once, place, prepared

FEW = (1, 8)


def operations(size: int) -> Iterator[Operation]:
    store = imd.Store(reduce, make_state(size))
    define(store)
    query = store.query
    selects: dict[str, Callable[[], object]] = {
        "select a member: a query": lambda: query("records.k77.n"),
        "select a member: a selector": lambda: store.select("path"),
        "select as text: a query": lambda: store.query_json("records.k77.n"),
        "select as text: a selector": lambda: store.select_json("path"),
        "select with an argument": lambda: store.select("record", id="k77"),
        "select a function": lambda: store.select("function"),
        "read a member of the state": lambda: store.state["records"]["k77"]["n"],
    }
    for name, call in selects.items():
        job, colon, form = name.partition(": ")
        yield once(f"{job}, unchanged{colon}{form}", call)
        yield after_changes(store, size, f"{job}, changed{colon}{form}", call, (1,))
    aggregates: dict[str, Callable[[], object]] = {
        "sum": lambda: query("sum(records.*.n)"),
        "filter and count": lambda: query("length(records.* | [?n > `50`])"),
        "sort, and take ten": lambda: query("sort_by(values(records), &n)[-10:]"),
        "a function for each": lambda: store.select("large"),
    }
    for name, call in aggregates.items():
        yield once(f"{name}, unchanged", call)
        yield after_changes(store, size, f"{name}, changed", call, FEW)
    yield once("read the state", lambda: store.state)


def define(store: Any) -> None:
    store.define("path", "records.k77.n")
    store.define("record", "get(records, $id).n")
    store.define("function", lambda n: n, inputs=["records.k77.n"])
    store.define("large", lambda record: record["n"] > 50, each="records")


def after_changes(
    store: Any, size: int, name: str, call: Callable[[], object], changes: tuple[int, ...]
) -> Operation:
    """A select after changes, of which the first is one of what it selects."""

    def send(changes: int) -> None:
        for i in range(changes):
            key = f"k{place(i, size)}" if i else "k77"
            store.dispatch("set", {"id": key, "n": fresh() % 100})

    return prepared(name, send, lambda _: call(), changes)
