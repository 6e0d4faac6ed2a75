"""Observers in an asyncio loop: a task takes readings, and observers show what changed.

    python loop_asyncio.py [COUNT]     exits after showing COUNT readings (default 10)

The observers are queued: they run when the loop calls `store.poll`, which it does when the
descriptor of the store is readable. Any thread may dispatch.
"""

import asyncio
import sys
from typing import Any

import immutabledata as imd

ROOMS = ["attic", "cellar", "kitchen"]
STATE = {"celsius": {"attic": 25, "cellar": 12, "kitchen": 20}, "count": 0}


def reducer(state: imd.ObjectValue, action: Any) -> Any:
    """A reading is {"count": …, "celsius": {ROOM: …}} and is merged into the state."""
    return state.merge(action["payload"])


async def measure(store: imd.Store, count: int) -> None:
    for i in range(1, count + 1):
        store.dispatch("measured", {"count": i, "celsius": {ROOMS[i % 3]: 10 + i * 7 % 10}})
        await asyncio.sleep(0.02)


async def main(count: int) -> None:
    loop = asyncio.get_running_loop()
    shown = asyncio.Event()

    def show_celsius(output: imd.Value) -> None:
        """Receives all temperatures first, then a patch for each reading."""
        print("celsius ", output.to_json())

    def show_summary(output: imd.ObjectValue) -> None:
        """Receives only the latest summary, and skips those before it."""
        print("summary ", output.to_json())
        if output["count"] == count:
            shown.set()

    with imd.Store(reducer, state=STATE) as store:
        store.define("celsius", "celsius")
        store.define("summary", "{count: count, warmest: max(values(celsius))}")
        store.observe("celsius", show_celsius, when="queued", deliver="patch")
        store.observe("summary", show_summary, when="queued", coalesce=True)
        loop.add_reader(store.fileno(), store.poll)
        try:
            await asyncio.gather(measure(store, count), shown.wait())
        finally:
            loop.remove_reader(store.fileno())  # closing the store closes it


if __name__ == "__main__":
    asyncio.run(main(int(sys.argv[1]) if len(sys.argv) > 1 else 10))
