"""Stores of quakes for tests without the application, and their databases in other processes."""

import json
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path

import immutabledata as imd

APPEAR = {"type": "ui/quakeList/onAppear"}
DELETE_ALL = {"type": "ui/quakeList/onTapDeleteAllQuakesButton"}
MINUTE = 60


def refresh(range="allMonth"):
    return {"type": "ui/quakeList/onTapRefreshQuakesButton", "payload": {"range": range}}


def delete(quake_id):
    type = "ui/quakeList/onTapDeleteSelectedQuakeButton"
    return {"type": type, "payload": {"quakeId": quake_id}}


def perform(store, action):
    """Dispatches an action, and waits for its effects."""
    store.dispatch(action)
    store.settle(MINUTE)


def status(store):
    """The status of fetching: "success", or the message of a failure."""
    ((kind, content),) = store.select("selectQuakesStatus").to_python().items()
    return content["error"] if kind == "failure" else kind


def quakes(store):
    """All quakes, by id."""
    return store.state["quakes"]["data"].to_python()


def quake(feature):
    """A feature of a feed as a quake of a store."""
    properties = feature["properties"]
    longitude, latitude, _ = feature["geometry"]["coordinates"]
    return {
        "quakeId": feature["id"],
        "magnitude": properties["mag"],
        "time": properties["time"],
        "updated": properties["updated"],
        "name": properties["place"],
        "longitude": longitude,
        "latitude": latitude,
    }


def sql(path, statements):
    """The rows of the last statement, run on a database in another process.

    Two copies of SQLite in one process must not open the same file.
    """
    program = (
        "import json, sqlite3, sys\n"
        "database = sqlite3.connect(sys.argv[1], isolation_level=None)\n"
        "for statement in json.load(sys.stdin):\n"
        "    rows = database.execute(statement).fetchall()\n"
        "print(json.dumps(rows))\n"
    )
    result = subprocess.run(
        [sys.executable, "-c", program, path],
        input=json.dumps(statements),
        capture_output=True,
        text=True,
        check=True,
    )
    return json.loads(result.stdout)


@contextmanager
def lock_database(path):
    """Locks a database in another process; yields the function that ends the lock."""
    program = (
        "import sqlite3, sys\n"
        "database = sqlite3.connect(sys.argv[1], isolation_level=None)\n"
        "database.execute('BEGIN IMMEDIATE')\n"
        "print('locked', flush=True)\n"
        "sys.stdin.read()\n"
    )
    with subprocess.Popen(
        [sys.executable, "-c", program, path], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        assert process.stdout.readline() == b"locked\n"

        def unlock():
            process.stdin.close()
            process.wait()

        try:
            yield unlock
        finally:
            process.kill()


def rows(path):
    """The quakes in a database, by id."""
    names = ("quakeId", "magnitude", "time", "updated", "name", "longitude", "latitude")
    columns = "quake_id, magnitude, time, updated, name, longitude, latitude"
    found = sql(path, [f"SELECT {columns} FROM quakes"])
    return {row[0]: dict(zip(names, row)) for row in found}


class Driver:
    """A store in another process; see driver.py. A context manager that ends it."""

    def __init__(self, path, feed, before=()):
        """before: a command that runs the rest of the command line."""
        program = Path(__file__).with_name("driver.py")
        self.process = subprocess.Popen(
            [*before, sys.executable, program, path, feed],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        self.opened = self._answer()

    def do(self, command, argument):
        """Performs a command. Returns the number of quakes, the status, and what was saved."""
        self.process.stdin.write(json.dumps({command: argument}) + "\n")
        self.process.stdin.flush()
        answer = self._answer()
        ((kind, content),) = (answer["status"] or {"none": {}}).items()
        return answer["count"], content.get("error", kind), answer["saved"]

    def _answer(self):
        line = self.process.stdout.readline()
        assert line, "the driver has exited"
        return json.loads(line)

    def __enter__(self):
        return self

    def __exit__(self, *error):
        self.process.stdin.close()
        self.process.wait()
        self.process.stdout.close()


def open_store(path, feed, **options):
    return imd.open("quakes", store=str(path), feed=feed, **options)
