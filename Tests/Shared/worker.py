"""Does the same as worker.c."""

import json
import os
import sys

from immutabledata import Store

path, slot, last, keep = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), json.loads(sys.argv[4])
seen, missing = None, 0


def send(text):
    os.write(1, f"{text}\n".encode())


def fail(why):
    os.write(2, f"{why}\n".encode())
    os._exit(1)


def reduce(state, action):
    slot, number = action["payload"]["slot"], action["payload"]["number"]
    numbers = list(state["last"])
    if number != numbers[slot] + 1:
        raise ValueError(f"slot {slot}: {number} after {numbers[slot]}")
    numbers[slot] = number
    hash = (state["hash"] * 31 + slot * 7 + number) % 1000003
    return {"commits": state["commits"] + 1, "hash": hash, "last": numbers}


def observe(commits):
    global seen, missing
    if seen is not None:
        if commits <= seen:
            fail(f"observer: {commits} after {seen}")
        missing += commits - seen - 1
    seen = commits


initial = {"commits": 0, "hash": 0, "last": [0] * 8}
with Store(reduce, state=initial, log={"path": path, "shared": True, "keep": keep}) as store:
    store.define("commits", "commits")
    store.observe("commits", observe)
    for number in range(store.state["last"][slot] + 1, last + 1):
        store.dispatch("count", {"slot": slot, "number": number})
        send(number)
    send("done")
    sys.stdin.read()
    store.refresh()
    if seen != store.state["commits"]:
        fail(f"observer: {seen} is not the last commit")
    if missing > store.statistics()["log"]["skippedCommits"]:
        fail(f"observer: {missing} commits are missing")
    send(store.state.to_json())
