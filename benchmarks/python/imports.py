"""The import of the package, in processes of their own."""

from __future__ import annotations

import os
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
    # As after an installation, the modules are compiled: the first process does so.
    environment = {**os.environ}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    command = [sys.executable, "-c", PROGRAM]
    times = []
    for turn in range(ROUNDS + 1):
        done = subprocess.run(
            command, env=environment, stdout=subprocess.PIPE, text=True, check=True
        )
        if turn > 0:
            times.append(float(done.stdout))
    row("import immutabledata", statistics.median(times), goal="ours <= 0.04")
