"""Eight processes that write to one shared log, and are killed and stopped meanwhile.

IMD_TEST_DISPATCHES is the number of actions of all processes, and IMD_TEST_SEED decides which
process is killed or stopped after how many of them.
"""

from __future__ import annotations

import json
import os
import random
import select
import signal
import subprocess
import sys
from pathlib import Path

import pytest

import immutabledata

FOLDER = Path(__file__).parent
DISPATCHES = int(os.environ.get("IMD_TEST_DISPATCHES", "20000"))
SEED = int(os.environ.get("IMD_TEST_SEED", random.randrange(1 << 32)))

SLOTS = 8
# How many actions are acknowledged between two faults, on average.
PERIOD = 400
# After so many seconds without an acknowledgement, the process that is stopped has the lock.
STOPPED, HUNG = 0.1, 120


@pytest.fixture
def commands(tmp_path: Path) -> list[list[str]]:
    """The workers: in C, and in Python."""
    library = Path(immutabledata.__file__).with_name("libimmutabledata.so")
    (tmp_path / "libimmutabledata.so.0.1").symlink_to(library)
    program = tmp_path / "worker"
    subprocess.run(
        ["cc", "-std=c99", "-O2", "-Wall", "-Wextra", "-pedantic", "-Werror", "-o", str(program)]
        + [f"-I{FOLDER.parents[1] / 'include'}", f"-Wl,-rpath,{tmp_path}"]
        + [str(FOLDER / "worker.c"), str(library)],
        check=True,
    )
    return [[str(program)], [sys.executable, str(FOLDER / "worker.py")]]


class Slot:
    """A process with a number; another one takes its place when it is killed."""

    def __init__(self, number: int, command: list[str], path: Path, last: int, keep: str) -> None:
        self.number = number
        self.command = [*command, str(path), str(number), str(last), keep]
        self.acknowledged = 0
        # How many processes were killed since then: the last action of each may be there.
        self.killed = 0
        self.start()

    def start(self) -> None:
        self.unread = b""
        self.is_done = False
        self.process = subprocess.Popen(
            self.command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0
        )
        assert self.process.stdout
        self.output = self.process.stdout.fileno()

    def read(self) -> int:
        """Reads which actions were acknowledged. Returns their number."""
        text = os.read(self.output, 1 << 16)
        assert text, f"process {self.number} has ended: {self.process.wait()}"
        return self.take(text)

    def take(self, text: bytes) -> int:
        before = self.acknowledged
        *lines, self.unread = (self.unread + text).split(b"\n")
        for line in lines:
            if line == b"done":
                self.is_done = True
                continue
            number, next = int(line), self.acknowledged + 1
            assert next <= number <= next + self.killed, f"process {self.number}: {number}"
            self.acknowledged, self.killed = number, 0
        return self.acknowledged - before

    def kill(self) -> int:
        """Kills the process, and starts another one. Returns what was acknowledged before."""
        self.process.kill()
        assert self.process.stdout
        count = self.take(self.process.stdout.read())
        assert self.end() == -signal.SIGKILL
        self.killed += 1
        self.start()
        return count

    def end(self) -> int:
        """Waits for the end of the process, and returns its status."""
        for pipe in (self.process.stdin, self.process.stdout):
            assert pipe
            pipe.close()
        return self.process.wait()

    def state(self) -> str:
        """The state at the end."""
        output, _ = self.process.communicate(timeout=HUNG)
        assert self.process.returncode == 0
        return output.decode().strip()


def run(slots: list[Slot], choices: random.Random) -> None:
    """Kills and stops processes until all have dispatched their last action."""
    total, fault, wake = 0, choices.randrange(2 * PERIOD), 0
    stopped: Slot | None = None
    while running := [slot for slot in slots if not slot.is_done]:
        outputs = [slot.output for slot in running]
        ready, _, _ = select.select(outputs, [], [], STOPPED if stopped else HUNG)
        assert ready or stopped, f"no process has dispatched for {HUNG} seconds"
        total += sum(slot.read() for slot in running if slot.output in ready)
        if stopped and (not ready or total >= wake):
            stopped.process.send_signal(signal.SIGCONT)
            stopped = None
        elif total >= fault:
            slot = choices.choice(running)
            if stopped or choices.random() < 0.5:
                total += slot.kill()
                stopped = None if slot is stopped else stopped
            else:
                slot.process.send_signal(signal.SIGSTOP)
                stopped, wake = slot, total + choices.randrange(PERIOD)
            fault = total + choices.randrange(2 * PERIOD)
    if stopped:  # after it has dispatched its last action
        stopped.process.send_signal(signal.SIGCONT)


def fold(path: Path) -> str:
    """The state that a log leads to, without the library."""
    with path.open() as file:
        next(file)
        base = json.loads(next(file))
        state = base["base"]["state"]
        commits, hash, last = state["commits"], state["hash"], state["last"]
        assert base["number"] == commits
        for line in map(json.loads, file):
            if line["number"] <= base["number"]:
                continue  # a record
            for action in line.get("actions", []):
                slot, number = action["payload"]["slot"], action["payload"]["number"]
                assert number == last[slot] + 1, f"{number} of process {slot}"
                last[slot] = number
                hash = (hash * 31 + slot * 7 + number) % 1000003
                commits += 1
                assert line["number"] == commits
    return json.dumps({"commits": commits, "hash": hash, "last": last}, separators=(",", ":"))


def check(
    path: Path, commands: list[list[str]], last: int, choices: random.Random, keep: str = '"all"'
) -> None:
    """Runs a process of each slot up to its last action, and compares the log and all states."""
    slots = [
        Slot(number, commands[number % len(commands)], path, last, keep) for number in range(SLOTS)
    ]
    try:
        run(slots, choices)
        states = {slot.state() for slot in slots}
    finally:
        for slot in slots:
            slot.process.kill()
            slot.end()
    assert states == {fold(path)}
    assert json.loads(fold(path))["last"] == [last] * SLOTS
    assert immutabledata.log.verify(path)["last"] == last * SLOTS


@pytest.mark.parametrize("keep", ['"all"', '{"bytes": 50000}'])
def test_nothing_is_lost_or_repeated(
    tmp_path: Path, commands: list[list[str]], keep: str
) -> None:
    print(f"IMD_TEST_SEED={SEED}")
    path, last = tmp_path / "x.imd", DISPATCHES // SLOTS // 2
    check(path, commands, last, random.Random(SEED), keep)
    # Compacted again and again, if it may be.
    assert (path.stat().st_size < 1_000_000) == (keep != '"all"')


def test_all_find_the_log_that_one_has_made(tmp_path: Path, commands: list[list[str]]) -> None:
    print(f"IMD_TEST_SEED={SEED}")
    choices = random.Random(SEED)
    for number in range(DISPATCHES // 200):
        check(tmp_path / f"{number}.imd", commands[:1], 3, choices)
