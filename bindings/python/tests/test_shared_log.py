"""Stores of several processes that write to one log."""

from __future__ import annotations

import fcntl
import json
import os
import signal
import struct
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import immutabledata
from immutabledata import InvalidArgumentError, Store, TimedOutError
from immutabledata._shell import main

Start = Callable[[Path, int, int], "subprocess.Popen[str]"]

WORKER = """
import sys
from immutabledata import Store

def reduce(state, action):
    writer, number = action["payload"]["writer"], action["payload"]["number"]
    # A payload of another process must not be that of this one.
    assert action["payload"] == {"writer": writer, "number": number}
    return {**state, "list": [*state["list"], [writer, number]]}

store = Store(reduce, state={"list": []}, log={"path": sys.argv[1], "shared": True})
name, count = int(sys.argv[2]), int(sys.argv[3])
print("ready", flush=True)
sys.stdin.readline()
for number in range(count):
    if number % 3:
        store.dispatch("added", {"writer": name, "number": number})
    else:
        store.dispatch({"type": "added", "payload": {"writer": name, "number": number}})
    print(number, flush=True)
if sys.stdin.readline():
    store.refresh()
    print(store.state.to_json())
    store.close()
"""


@pytest.fixture
def start() -> Iterator[Start]:
    """Starts a process that dispatches when it is told to; those that run at the end are killed."""
    workers: list[subprocess.Popen[str]] = []

    def start(path: Path, name: int, count: int) -> subprocess.Popen[str]:
        workers.append(
            subprocess.Popen(
                [sys.executable, "-c", WORKER, str(path), str(name), str(count)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
            )
        )
        return workers[-1]

    yield start
    for worker in workers:
        worker.kill()
        worker.communicate()


def tell(worker: subprocess.Popen[str]) -> None:
    assert worker.stdin
    worker.stdin.write("\n")
    worker.stdin.flush()


def read(worker: subprocess.Popen[str]) -> str:
    assert worker.stdout
    return worker.stdout.readline().strip()


def fold(path: Path) -> list[list[int]]:
    """The state that a log leads to, without the library."""
    state: list[list[int]] = []
    with path.open() as file:
        for line in map(json.loads, file):
            state += line.get("base", {}).get("state", {}).get("list", [])
            for action in line.get("actions", []):
                state.append([action["payload"]["writer"], action["payload"]["number"]])
    return state


def reduce(state: Any, action: Any) -> Any:
    added = [action["payload"]["writer"], action["payload"]["number"]]
    return {**state, "list": [*state["list"], added]}


def share(path: Path, **options: Any) -> Store[Any]:
    return Store(reduce, state={"list": []}, log={"path": path, "shared": True, **options})


def test_processes_lose_nothing(tmp_path: Path, start: Start) -> None:
    path, count = tmp_path / "x.imd", 40
    workers = [start(path, name, count) for name in range(3)]
    for worker in workers:
        assert read(worker) == "ready"
    for worker in workers:
        tell(worker)
    for worker in workers:
        assert [read(worker) for _ in range(count)] == [str(number) for number in range(count)]
    states = []
    for worker in workers:
        tell(worker)
        states.append(json.loads(read(worker))["list"])
        assert worker.wait() == 0
    whole = fold(path)
    assert states == [whole] * 3
    for name in range(3):
        assert [number for writer, number in whole if writer == name] == list(range(count))
    assert immutabledata.log.verify(path)["last"] == 3 * count


def test_a_process_that_is_killed_loses_nothing_that_it_was_told(tmp_path: Path, start: Start) -> None:
    path = tmp_path / "x.imd"
    worker = start(path, 1, 1_000_000)
    assert read(worker) == "ready"
    store = share(path)
    tell(worker)
    told = [read(worker)]
    for number in range(20):
        store.dispatch("added", {"writer": 2, "number": number})
        told.append(read(worker))
    worker.send_signal(signal.SIGKILL)
    assert worker.stdout
    told += worker.stdout.read().split()
    assert worker.wait() == -signal.SIGKILL
    store.dispatch("added", {"writer": 2, "number": 20})
    whole = fold(path)
    assert store.state == {"list": whole}
    assert [number for writer, number in whole if writer == 2] == list(range(21))
    ours = [number for writer, number in whole if writer == 1]
    assert ours == list(range(len(ours)))
    # What was written and not told may be there.
    assert len(told) <= len(ours)
    store.close()
    assert share(path).state == {"list": whole}


def test_what_a_process_has_left_in_part_is_cut(tmp_path: Path) -> None:
    path = tmp_path / "x.imd"
    store = share(path)
    store.dispatch("added", {"writer": 1, "number": 0})
    with path.open("ab") as file:
        file.write(b'{"sum":"00000000","data":"0')
    store.dispatch("added", {"writer": 1, "number": 1})
    store.close()
    assert fold(path) == [[1, 0], [1, 1]]
    assert (tmp_path / "x.imd-cut").read_bytes() == b'{"sum":"00000000","data":"0'


def test_observers_hear_of_other_processes(tmp_path: Path, start: Start) -> None:
    path = tmp_path / "x.imd"
    store = share(path)
    worker = start(path, 1, 3)
    assert read(worker) == "ready"
    with store.stream() as stream:
        tell(worker)
        actions = [stream.next() for _ in range(3)]
    assert [commit.action["payload"]["number"] for commit in actions if commit] == [0, 1, 2]
    tell(worker)
    assert worker.wait() == 0


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"durability": "none"}, 'a shared log cannot have the durability "none"'),
        ({"read_only": True}, '"readOnly" alone'),
        ({"author": "x" * 257}, "has more than 256 bytes"),
    ],
)
def test_refusals(tmp_path: Path, options: Any, message: str) -> None:
    with pytest.raises(InvalidArgumentError, match=message):
        share(tmp_path / "x.imd", **options)
    assert os.listdir(tmp_path) == []


def test_sharing_is_for_all(tmp_path: Path) -> None:
    path = tmp_path / "x.imd"
    with share(path), pytest.raises(InvalidArgumentError, match='open it with "shared": true'):
        Store(reduce, state={"list": []}, log=path)
    other = tmp_path / "y.imd"
    with Store(reduce, state={"list": []}, log=other):
        pass
    with pytest.raises(InvalidArgumentError, match='is not a shared log; open it without "shared"'):
        share(other)
    assert not (tmp_path / "y.imd-lock").exists()


def test_a_dispatch_does_not_wait_for_ever(tmp_path: Path) -> None:
    path = tmp_path / "x.imd"
    with share(path) as store, (tmp_path / "x.imd-lock").open("r+b") as lock:
        # As a process that hangs in its turn: an open file description lock of the first byte.
        fcntl.fcntl(lock, 37, struct.pack("hhqqi", fcntl.F_WRLCK, os.SEEK_SET, 0, 1, 0))
        with pytest.raises(TimedOutError, match=f"process {os.getpid()} has kept .* for 10 seconds"):
            store.dispatch("added", {"writer": 1, "number": 0})
        assert store.state == {"list": []}
        lock.close()
        store.dispatch("added", {"writer": 1, "number": 0})


def test_entries_have_their_writers(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "x.imd"
    with share(path, author="ann\n\x1b[1m") as first, share(path) as second:
        first.dispatch("added", {"writer": 1, "number": 0})
        second.dispatch("added", {"writer": 2, "number": 0})
    entries = list(immutabledata.log.entries(path))
    assert [(entry.kind, entry.writer) for entry in entries] == [
        ("opened", 1),
        ("opened", 2),
        ("actions", 1),
        ("actions", 2),
    ]
    assert entries[0].content["author"] == "ann\n\x1b[1m"
    assert main(["log", "--json", str(path)]) == 0
    rows = [json.loads(row) for row in capsys.readouterr().out.splitlines()]
    assert [row["writer"] for row in rows] == [1, 2, 1, 2]
