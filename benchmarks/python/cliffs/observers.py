"""Dispatches that are observed, and readers of streams."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import immutabledata as imd
from dispatches import reduce
from operation import Operation, each, fresh, make_state, once, place

OBSERVERS = 1_000


def ignore(output: object) -> None:
    pass


def open_store(state: Any) -> Any:
    store = imd.Store(reduce, state)
    store.define("records", "records")
    store.define("rows", "rows")
    store.define("record", "get(records, $id)")
    store.define("function", lambda records: len(records), inputs=["records"])
    return store


def operations(size: int) -> Iterator[Operation]:
    state = make_state(size)
    unobserved = open_store(state)
    yield once("observe and cancel", lambda: unobserved.observe("records", ignore).cancel())
    for how, options in {
        "observed": {},
        "observed as a patch": {"deliver": "patch"},
        "ignored": {"ignore": ["set"]},
        "observed with a filter": {"filter": lambda action, old, new: True},
        "observed with a comparison": {"did_change": lambda old, new: True},
        "queued": {"when": "queued"},
        "queued as patches": {"when": "queued", "deliver": "patch"},
        "coalesced": {"when": "queued", "coalesce": True},
    }.items():
        store = open_store(state)
        store.observe("records", ignore, **options)
        yield dispatching(f"dispatch, {how}", store, size)
    store = open_store(state)
    store.observe("function", ignore)
    yield dispatching("dispatch, observed by a function", store, size)
    store = open_store(state)
    store.observe("rows", ignore)
    yield dispatching("dispatch, other parts observed", store, size)
    store = open_store(state)
    for i in range(OBSERVERS):
        store.observe("record", ignore, id=f"k{place(i, size)}")
    yield dispatching("dispatch, observed by each record", store, size)
    store = open_store(state)
    yield reading("dispatch, read from a stream", store, store.stream(), size)


def send(store: Any, i: int, size: int) -> None:
    store.dispatch("set", {"id": f"k{place(i, size)}", "n": fresh()})


def dispatching(name: str, store: Any, size: int) -> Operation:
    def change(i: int) -> None:
        send(store, i, size)
        store.poll()

    return each(name, change)


def reading(name: str, store: Any, stream: Any, size: int) -> Operation:
    def change(i: int) -> None:
        send(store, i, size)
        stream.next(timeout=10)

    return each(name, change)
