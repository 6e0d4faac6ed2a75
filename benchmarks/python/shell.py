"""The program imd in pipes, compared with jq, which reads the same lines. Prints lines for
benchmarks/report.

A process of its own, and a small one: the peak of a program includes that of its parent.
"""

from __future__ import annotations

import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from measure import QUICK, note, row

ROUNDS = 1 if QUICK else 3
IMD = [sys.executable, "-m", "immutabledata"]
ACTION = '{"type":"didTapIncrementButton"}\n'
ACTIONS = 10_000 if QUICK else 300_000
ENTRIES = 10_000 if QUICK else 1_000_000

Command = list[str]

# As an installed program has it: its modules are compiled, and its output is buffered.
os.environ.pop("PYTHONUNBUFFERED", None)
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)


def run(command: Command, lines: Path | None = None) -> tuple[float, float, int]:
    """How long a program takes until its first byte, and until its end; and its peak of memory."""
    with open(lines or os.devnull, "rb") as file:
        start = time.perf_counter()
        process = subprocess.Popen(command, stdin=file, stdout=subprocess.PIPE)
    assert process.stdout is not None
    process.stdout.read(1)
    first = time.perf_counter() - start
    while process.stdout.read(1 << 16):
        pass
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = status
    assert status == 0, command
    return first, time.perf_counter() - start, usage.ru_maxrss * 1024


def measure(lines: Path | None, *commands: Command) -> list[list[float]]:
    """The medians of what run returns, for programs that run in turns."""
    rounds = [[run(command, lines) for command in commands] for _ in range(ROUNDS)]
    return [[statistics.median(column) for column in zip(*runs)] for runs in zip(*rounds)]


def actions(folder: Path, count: int) -> Path:
    """A file with a number of actions."""
    path = folder / "actions.jsonl"
    with path.open("w") as file:
        for _ in range(count):
            file.write(ACTION)
    return path


def measure_run(folder: Path) -> None:
    lines = actions(folder, ACTIONS)
    counter = [*IMD, "run", "counter", "--select", "selectValue"]
    log = [*IMD, "run", str(folder / "counter.imd"), *counter[-3:]]
    jq = ["jq", "-c", ".type"]
    medians = measure(lines, counter, [*counter, "--batch", "1000"], log, jq)
    single, batch, logged, read = (total / ACTIONS for _, total, _ in medians)
    row("imd run --batch 1000: an action", batch, "jq reads it", read, "ours < 1e-5")
    row("imd run: an action", single, "jq reads it", read)
    row("imd run with a log: an action", logged, "jq reads it", read)


def measure_log(folder: Path) -> None:
    files = {count: folder / f"{count}.imd" for count in (ENTRIES // 100, ENTRIES)}
    for count, file in files.items():
        keep = [*IMD, "run", str(file), "counter", "--query", "value"]
        run(keep, actions(folder, count))
    few, many = ([*IMD, "log", str(file)] for file in files.values())
    jq = ["jq", "-c", "select(.actions) | {number, time, actions}", str(files[ENTRIES])]
    ours, small, theirs = measure(None, many, few, jq)
    job = "imd log of 1,000,000 entries"
    row(f"{job}: the first", ours[0], "jq", theirs[0], "ours < 1")
    row(f"{job}: all", ours[1], "jq", theirs[1])
    print(f"peak of {job}", ours[2], "of 10,000", small[2], "B", "ratio <= 1.1", sep="\t")


if __name__ == "__main__":
    if shutil.which("jq") is None:
        note("Not measured: imd in pipes, because jq is missing.")
    else:
        with tempfile.TemporaryDirectory(dir="/var/tmp") as folder:
            os.environ["PYTHONPYCACHEPREFIX"] = folder
            run([*IMD, "--help"])
            measure_run(Path(folder))
            measure_log(Path(folder))
            ours, theirs = measure(None, [*IMD, "--help"], ["jq", "--help"])
            row("imd --help", ours[1], "jq --help", theirs[1], "ours < 0.2")
