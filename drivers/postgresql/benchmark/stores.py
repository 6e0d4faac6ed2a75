"""Measures stores beside bare libpq, and prints a table: stores.py ADDRESS PROGRAM [quick]

PROGRAM is that of stores.c. All stores have 65,536 records.
"""

import itertools
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from statistics import median

ADDRESS, PROGRAM = sys.argv[1:3]
QUICK = "quick" in sys.argv
ROUNDS, APPENDS, MILLISECONDS, ENTRIES = (1, 20, 300, 2000) if QUICK else (5, 100, 3000, 100_000)
RECORDS = 65_536
WITH = ["store", "libpq"]
names = (f"stores-{os.getpid()}-{i}" for i in itertools.count())


def start(role, *arguments):
    command = [PROGRAM, role, *map(str, arguments)]
    return subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
    )


def run(*arguments):
    """What a program has printed."""
    process = start(*arguments)
    output, _ = process.communicate()
    assert process.returncode == 0
    return output


def times(lines):
    return [tuple(map(int, line.split())) for line in lines]


class Follower:
    """A process that follows a log, until the end of a with statement."""

    def __init__(self, way, name):
        self.process = start("follow", way, ADDRESS, name)
        self.line = self.read()

    def read(self):
        return tuple(map(int, self.process.stdout.readline().split()))

    def read_to(self, number):
        """The times at which the numbers up to one have arrived."""
        lines = [self.line]
        while lines[-1][0] < number:
            lines.append(self.read())
        self.line = lines[-1]
        return lines[1:]

    def processor_seconds(self):
        """How long its threads have run."""
        threads = Path(f"/proc/{self.process.pid}/task").glob("*/schedstat")
        return sum(int(each.read_text().split()[0]) for each in threads) / 1e9

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.communicate()


def new_log():
    """The name of a log that a store has made."""
    name = next(names)
    run("append", "store", ADDRESS, name, 0)
    return name


def latencies(way):
    """From the return of a dispatch to its arrival in another process, in milliseconds."""
    name = new_log()
    with Follower(way, name) as follower:
        first = follower.line[0]
        returned = times(run("append", "store", ADDRESS, name, APPENDS).splitlines())
        # Before these, the store that appends has appended that it was opened.
        numbers = range(1, APPENDS + 1)
        numbers = [RECORDS * i if way == "store" else first + 1 + i for i in numbers]
        seen = follower.read_to(numbers[-1])
    waits = []
    for number, (_, end) in zip(numbers, returned):
        waits.append((next(time for each, time in seen if each >= number) - end) / 1e6)
    return waits


def rate(processes, role, way, *arguments):
    """What processes do a second."""
    name = new_log()
    started = [
        start(role, way, ADDRESS, name, MILLISECONDS, *arguments) for _ in range(processes)
    ]
    for process in started:
        assert process.stdout.readline() == "ready\n"
    for process in started:
        process.stdin.close()
        process.stdin = None
    return sum(int(process.communicate()[0]) for process in started) / MILLISECONDS * 1000


def sql(query):
    command = ["psql", ADDRESS, "-XAtc", query]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()


def memory(process, member):
    """A number of the memory of a process, in MB."""
    with open(f"/proc/{process}/smaps_rollup") as file:
        return sum(int(line.split()[1]) for line in file if line.startswith(member)) / 1024


def sizes():
    """The memory of a store, that of its connection on the server, and that of an entry there."""
    name = new_log()
    run("fill", "libpq", ADDRESS, name, ENTRIES)
    entry = float(
        sql(
            "select pg_total_relation_size('immutabledata.entry')::float / count(*) "
            "from immutabledata.entry"
        )
    )
    with Follower("store", name) as follower:
        backend = sql(
            "select pid from pg_stat_activity where application_name = 'immutabledata' limit 1"
        )
        return memory(follower.process.pid, "Private"), memory(backend, "Private"), entry


def absence(way):
    """How long a process that was stopped takes for the entries of that time, on the clock and of a
    processor."""
    name = new_log()
    with Follower(way, name) as follower:
        first = follower.line[0]
        follower.process.send_signal(signal.SIGSTOP)
        run("fill", "libpq", ADDRESS, name, ENTRIES)
        used, begin = follower.processor_seconds(), time.monotonic_ns()
        follower.process.send_signal(signal.SIGCONT)
        end = follower.read_to(2 * RECORDS if way == "store" else first + ENTRIES)[-1][1]
        return (end - begin) / 1e9, follower.processor_seconds() - used


def row(text, store, libpq, compared):
    print(f"| {text} | {store} | {libpq} | {compared} |", flush=True)


def measure_latencies():
    rounds = [[latencies(way) for way in WITH] for _ in range(ROUNDS)]
    store, libpq = (median(each for round in rounds for each in round[i]) for i in range(2))
    difference = f"{store - libpq:+.2f}"
    text = "from a dispatch to an observer in another process, ms"
    row(text, f"{store:.2f}", f"{libpq:.2f}", difference)


def measure_rates(batch, text):
    rates = [[rate(8, "dispatch", way, batch) for way in WITH] for _ in range(ROUNDS)]
    store, libpq = (median(round[i] for round in rates) for i in range(2))
    ratio = median(round[0] / round[1] for round in rates)
    row(text, f"{store:,.0f}", f"{libpq:,.0f}", f"{ratio:.2f}")


def measure_absences():
    rounds = [[absence(way) for way in WITH] for _ in range(ROUNDS)]
    (store, used), (libpq, _) = (
        [median(round[i][j] for round in rounds) for j in range(2)] for i in range(2)
    )
    text = f"away for {ENTRIES:,} entries, seconds until current"
    row(text, f"{store:.2f}", f"{libpq:.2f}", f"{store / libpq:.1f}")
    row("entries applied in a second of a processor", f"{ENTRIES / used:,.0f}", "", "")


def measure_sizes():
    reads = median(rate(4, "read", "libpq") for _ in range(ROUNDS))
    row("4 processes read, and find nothing, a second", "", f"{reads:,.0f}", "")
    store, connection, entry = sizes()
    row("memory of its process, MB", f"{store:.0f}", "", "")
    row("memory of its connection on the server, MB", f"{connection:.1f}", "", "")
    row("an entry of 90 bytes on the server, bytes", f"{entry:.0f}", "", "")


print("| stores of 65,536 records | store | libpq alone | |\n| --- | ---: | ---: | ---: |")
measure_latencies()
measure_rates(1, "8 processes, one by one, a second")
measure_rates(16, "8 processes, 16 at once, a second")
measure_absences()
measure_sizes()
