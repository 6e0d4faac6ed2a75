"""A stopwatch: a rule asks for a timer, and the timer's end is the next tick.

    python stopwatch.py [TICKS] [SECONDS]     stops after TICKS (10) ticks of SECONDS (0.1)

The reducer and the rule are pure. Only the function of the effect waits, so a test can replace it
with one that returns immediately.
"""

from __future__ import annotations

import asyncio
import sys
from typing import Any

import immutabledata as imd


@imd.drafting
def reducer(draft: Any, action: Any) -> None:
    if action["type"] == "started":
        draft["running"] = True
    elif action["type"] == "stopped":
        draft["running"] = False
    elif action["type"] == "ticked" and draft["running"]:
        draft["ticks"] += 1


def ask_for_tick(action: Any, old: Any, new: Any) -> list[dict[str, Any]] | None:
    """Asks for one tick after the start, and for another after each tick."""
    is_start = new["running"] and not old["running"]
    if is_start or new["ticks"] > old["ticks"]:
        return [{"effect": "timer", "arguments": new["seconds"], "success": "ticked"}]
    return None


async def main(ticks: int, seconds: float) -> None:
    loop = asyncio.get_running_loop()
    is_over = asyncio.Event()

    def show(count: int) -> None:
        print(f"{count * seconds:.1f} s", flush=True)
        if count == ticks:
            store.dispatch("stopped")
            loop.call_soon_threadsafe(is_over.set)

    with imd.Store(reducer, state={"running": False, "seconds": seconds, "ticks": 0}) as store:
        store.set_effect("timer", asyncio.sleep)
        store.set_rule(ask_for_tick)
        store.define("ticks", "ticks")
        store.observe("ticks", show)
        store.dispatch("started")
        await is_over.wait()


if __name__ == "__main__":
    asyncio.run(
        main(
            int(sys.argv[1]) if len(sys.argv) > 1 else 10,
            float(sys.argv[2]) if len(sys.argv) > 2 else 0.1,
        )
    )
