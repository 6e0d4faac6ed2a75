"""A program that is inspected: RECORDS records, and ACTIONS actions at RATE a second.

It begins when it reads a line, and ends when its input does.
"""

from __future__ import annotations

import random
import sys
import time
from typing import Any

import immutabledata as imd

RECORDS, ACTIONS, RATE = (int(argument) for argument in sys.argv[2:])
LANES = ["todo", "doing", "done"]


@imd.drafting
def reduce(draft: Any, action: Any) -> None:
    draft["count"] += 1
    draft["cards"][action["payload"]["id"]]["lane"] = action["payload"]["lane"]


def main() -> None:
    cards = {f"c{i}": {"title": f"Card {i}", "lane": "todo", "tags": [i, i + 1]} for i in range(RECORDS)}
    state = {"cards": cards, "count": 0}
    store = imd.Store(reduce, state=state, inspect={"path": sys.argv[1]})
    print("ready", flush=True)
    sys.stdin.readline()
    chosen = random.Random(1)
    start = time.monotonic()
    for number in range(1, ACTIONS + 1):
        payload = {"id": f"c{chosen.randrange(RECORDS)}", "lane": LANES[number % 3]}
        store.dispatch("moved", payload)
        if number % 256 == 0:
            time.sleep(max(0.0, start + number / RATE - time.monotonic()))
    print("done", flush=True)
    sys.stdin.readline()


if __name__ == "__main__":
    main()
