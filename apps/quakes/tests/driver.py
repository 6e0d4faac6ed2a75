"""A process with a store of quakes, for tests of its database: python driver.py STORE FEED.

It reads commands from standard input, one line of JSON for each, and answers with a line:
{"dispatch": action} dispatches and waits for the effects; {"limit": bytes} limits the size of
files, null removes the limit; {"fill": path} writes zeros until the disk is full; {"remove": path}
removes a file. An answer has the number of quakes, their status, and what was saved since the last
answer.
"""

import contextlib
import json
import os
import resource
import sys

import immutabledata as imd


def fill(path):
    with contextlib.suppress(OSError), open(path, "wb", buffering=0) as file:
        while file.write(bytes(4096)) == 4096:
            pass


def limit(size):
    _, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (hard if size is None else size, hard))


def saved(stream):
    while True:
        try:
            action = stream.next(timeout=0).action
        except imd.TimedOutError:
            return
        yield action["payload"]["result"].to_python()


def main():
    path, feed = sys.argv[1:]
    try:
        store = imd.open("quakes", store=path, feed=feed)
    except imd.Error as error:
        return print(json.dumps({"error": str(error)}))
    stream = store.stream(types=["data/persistentSession/localStore/didSaveQuakes"])
    print(json.dumps({"opened": True}), flush=True)
    for line in sys.stdin:
        ((command, argument),) = json.loads(line).items()
        if command == "dispatch":
            store.dispatch(argument)
            store.settle()
        else:
            {"limit": limit, "fill": fill, "remove": os.unlink}[command](argument)
        status = store.select("selectQuakesStatus")
        answer = {
            "count": store.select("selectQuakesCount"),
            "status": status and status.to_python(),
            "saved": list(saved(stream)),
        }
        print(json.dumps(answer), flush=True)


main()
