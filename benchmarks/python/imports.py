"""The import of the package, in processes of their own, compared with modules that it needs."""

from __future__ import annotations

import os
import statistics
import subprocess
import sys

from measure import ROUNDS, row

PROGRAM = """
import time
start = time.perf_counter()
import {}
print(time.perf_counter() - start)
"""
PEER = "ctypes, json, threading, typing"


def measure_import() -> None:
    # As after an installation, the modules are compiled: the first process does so.
    environment = {**os.environ}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    times: dict[str, list[float]] = {"immutabledata": [], PEER: []}
    for turn in range(ROUNDS + 1):
        for modules, measured in times.items():
            # -S: the modules of this environment must not be loaded before.
            command = [sys.executable, "-S", "-c", PROGRAM.format(modules)]
            done = subprocess.run(
                command, env=environment, stdout=subprocess.PIPE, text=True, check=True
            )
            if turn > 0:
                measured.append(float(done.stdout))
    ours, theirs = map(statistics.median, times.values())
    row("import immutabledata", ours, f"import {PEER}", theirs, goal="ours <= 0.04")
