"""Operations on a history: on a large state, and with as many steps as the size."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import immutabledata as imd
from dispatches import reduce
from operation import Operation, each, fresh, make_state, once, place, prepared


def operations(size: int) -> Iterator[Operation]:
    store = imd.Store(reduce, make_state(size), history={"limit": 1_000})

    def send(i: int) -> None:
        store.dispatch("set", {"id": f"k{place(i, size)}", "n": fresh()})

    def send_several(changes: int) -> int:
        for i in range(changes):
            send(i)
        return changes

    def undone(changes: int) -> int:
        return store.undo(send_several(changes))

    def group(changes: int) -> None:
        with store.group():
            send_several(changes)

    yield each("dispatch with history", send)
    yield prepared("dispatch in a group", int, group)
    yield prepared("undo", send_several, lambda steps: [store.undo() for _ in range(steps)])
    yield prepared("undo at once", send_several, store.undo)
    yield prepared("redo", undone, lambda steps: [store.redo() for _ in range(steps)])
    yield prepared("redo at once", undone, store.redo)
    yield from reading(size)


def reading(size: int) -> Iterator[Operation]:
    store = imd.Store(reduce, make_state(100), history={"limit": size})
    for i in range(size):
        store.dispatch("set", {"id": f"k{i % 100}", "n": fresh()})
    steps = (place(i, size) for i in range(1, size))
    yield once("travel in a long history", lambda: store.travel(next(steps)))
    yield once("read the last step of a long history", lambda: store.history[-1])
    yield once("read its patch", lambda: store.history.read(-1, patches=True))
    yield once("count the steps of a long history", lambda: len(store.history))
    yield once("select the status of a long history", lambda: store.select("@@history"))
    yield once("blame in a long history, O(n)", lambda: store.blame("/records/k1/n", count=1))
    yield once("mark a long history as clean", store.mark_clean)
