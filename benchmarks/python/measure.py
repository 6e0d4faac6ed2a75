"""Alternating measurements, and the lines that benchmarks/report reads."""

from __future__ import annotations

import os
import statistics
import time
from collections.abc import Callable

# Measure less, and only once, to test the benchmarks.
QUICK = "BENCHMARK_QUICK" in os.environ
ROUNDS = 1 if QUICK else 7
SIZES = [1_024, 8_192] if QUICK else [1_024, 8_192, 65_536, 1_048_576]

# The intended duration of one measurement of a contestant, in seconds.
TIME = 0.002 if QUICK else 0.03

Call = Callable[[], object]


def seconds(call: Call, calls: int) -> float:
    start = time.perf_counter()
    for _ in range(calls):
        call()
    return time.perf_counter() - start


def enough_calls(call: Call, most: int = 4_096) -> int:
    """The number of calls for one measurement, estimated from one call. Calls it twice."""
    call()  # warms up
    return max(1, min(most, int(TIME / max(seconds(call, 1), 1e-9))))


def measure_in_turns(*contestants: tuple[int, Call]) -> list[float]:
    """Measures contestants alternately (A B A B …). Returns the median time of a call of each.

    A contestant is the number of calls for one measurement, and the function to call.
    """
    times: list[list[float]] = [[] for _ in contestants]
    for turn in range(ROUNDS + 1):
        for index, (calls, call) in enumerate(contestants):
            each = seconds(call, calls) / calls
            if turn > 0:  # the first warms up
                times[index].append(each)
    return [statistics.median(each) for each in times]


def row(job: str, ours: float, peer: str = "", theirs: float = 0, goal: str = "") -> None:
    """A comparison of two medians."""
    print(job, ours, peer, theirs, "s", goal, sep="\t", flush=True)


def point(job: str, name: str, size: int, median: float, unit: str = "s") -> None:
    """A point of a plot: the median of a job with a number of records."""
    print(job, f"Python: {name}", size, median, unit, sep="\t", flush=True)


def note(text: str) -> None:
    """A sentence for the reader of the results."""
    print("note", text, sep="\t", flush=True)
