"""The import of the package, in processes of their own."""

from __future__ import annotations

import statistics
import subprocess
import sys

from measure import ROUNDS, row

PROGRAM = """
import time
start = time.perf_counter()
import immutabledata
print(time.perf_counter() - start)
"""


def measure_import() -> None:
    times = []
    for turn in range(ROUNDS + 1):
        done = subprocess.run(
            [sys.executable, "-c", PROGRAM], stdout=subprocess.PIPE, text=True, check=True
        )
        if turn > 0:  # the first warms up
            times.append(float(done.stdout))
    row("import immutabledata", statistics.median(times), goal="ours <= 0.04")
