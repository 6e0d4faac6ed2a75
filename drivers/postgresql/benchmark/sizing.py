"""Prints the tables of docs/postgresql-sizing.md, from what was measured: sizing.py

FIGURES are those of make benchmark-postgresql; change them to those of another machine.
"""

import math
from dataclasses import dataclass

from queueing import Costs, Simulation


@dataclass(frozen=True)
class Figures:
    """Times in seconds, sizes in bytes."""

    append: float = 0.0002  # of the server, without the disk
    entry: float = 0.000006  # one more in an append
    follow: float = 0.0004  # until an observer in another process has it
    read: float = 0.00016  # of a core, of a server and of a store that was notified
    stored: float = 236  # an entry
    # Not measured: half of an append; a data center; an SSD in a cloud.
    refusal: float = 0.0001
    trip: float = 0.0005
    flush: float = 0.001


FIGURES = Figures()
COSTS = Costs(
    FIGURES.trip, FIGURES.append, FIGURES.entry, FIGURES.flush, FIGURES.refusal, FIGURES.follow
)
# Actions of a user a second, and users of a log.
RATE, USERS = 1 / 60, 10
# How much of its time a server may be busy, and how many connections it may have.
BUSY, CONNECTIONS = 0.5, 2000


def percentile(latencies, share):
    return f"{sorted(latencies)[int(len(latencies) * share)] * 1000:.1f}"


def row(*cells):
    print("| " + " | ".join(str(cell) for cell in cells) + " |")


def head(*titles):
    print()
    row(*titles)
    row("---", *["---:"] * (len(titles) - 1))


def one_log():
    """Stores that share one log, and each dispatch once in ten seconds."""
    head("stores of a log", "appends/s", "attempts", "median, ms", "99 %, ms", "cores for reads")
    for stores in [1, 10, 100, 1000, 3000, 5000]:
        done = Simulation(COSTS, 1, stores, 0.1).run(20_000)
        rate = done.appends / done.now
        row(
            f"{stores:,}",
            f"{rate:,.1f}",
            f"{done.attempts / done.appends:.2f}",
            percentile(done.latencies, 0.5),
            percentile(done.latencies, 0.99),
            f"{rate * (stores - 1) * FIGURES.read:,.1f}",
        )


def batches():
    """One store, such as that of an application server, whose threads share appends."""
    head("actions/s of one store", "appends/s", "entries in one", "median, ms", "99 %, ms")
    for rate in [10, 100, 1_000, 10_000, 100_000]:
        done = Simulation(COSTS, 1, 1, rate).run(20_000)
        row(
            f"{rate:,}",
            f"{done.appends / done.now:,.0f}",
            f"{len(done.latencies) / done.appends:.1f}",
            percentile(done.latencies, 0.5),
            percentile(done.latencies, 0.99),
        )


def many_logs():
    """Users who share a log with nine others: each has a store, or their application server has one
    for each log."""
    commits = BUSY / (FIGURES.append + FIGURES.flush)
    head("users", "logs", "actions/s", "servers, a store a user", "a store a log", "GB a day")
    for users in [10**3, 10**5, 10**7]:
        rate, logs = users * RATE, users // USERS
        servers = [math.ceil(max(rate / commits, each / CONNECTIONS)) for each in (users, logs)]
        stored = f"{rate * 86_400 * FIGURES.stored / 1e9:,.1f}"
        row(f"{users:,}", f"{logs:,}", f"{rate:,.0f}", *(f"{each:,}" for each in servers), stored)


def busy_server():
    """One server with logs of ten users, up to what its commits allow."""
    head("users of a server", "logs", "commits/s", "busy", "median, ms", "99 %, ms")
    for users in [1_000, 10_000, 20_000, 40_000, 48_000]:
        done = Simulation(COSTS, users // USERS, USERS, RATE).run(40_000)
        rate = done.appends / done.now
        row(
            f"{users:,}",
            f"{users // USERS:,}",
            f"{rate:,.0f}",
            f"{rate * FIGURES.flush:.0%}",
            percentile(done.latencies, 0.5),
            percentile(done.latencies, 0.99),
        )


if __name__ == "__main__":
    for table in (one_log, batches, busy_server, many_logs):
        table()
