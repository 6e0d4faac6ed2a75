"""Operations with a log, which has an eighth as many entries as the size."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import immutabledata as imd
from dispatches import reduce
from operation import Operation, each, fresh, make_state, once, place


def operations(size: int, folder: str) -> Iterator[Operation]:
    state = make_state(size)
    for durability in ("none", "normal"):
        path = Path(folder, f"{durability}.imd")
        store = imd.Store(reduce, state, log={"path": path, "durability": durability})
        yield each(f"dispatch with a log, durability {durability}", sender(store, size))
        store.close()
    yield from opening(Path(folder, "long.imd"), size // 8)


def sender(store: Any, size: int) -> Any:
    return lambda i: store.dispatch("set", {"id": f"k{place(i, size)}", "n": fresh()})


def opening(path: Path, count: int) -> Iterator[Operation]:
    state = make_state(100)
    with imd.Store(reduce, state, log=path) as store:
        send = sender(store, 100)
        for i in range(count):
            send(i)
    yield once("open a long log", lambda: imd.Store(reduce, state, log=path).close())
    yield once("read a snapshot", lambda: imd.log.snapshot(path))
    yield once("read entries, O(n)", lambda: list(imd.log.entries(path)))
    yield once("read the last entries, O(n)", lambda: list(imd.log.entries(path, start=count - 10)))
    yield once("verify, O(n)", lambda: imd.log.verify(path))
    yield once("the state at the last entry, O(n)", lambda: imd.log.state_at(path, count, reduce))
