"""The memory of a record of ten integers, each subject in a process of its own.

    memory.py NAME     prints the bytes for each of 65,536 records
"""

from __future__ import annotations

import ctypes
import gc
import subprocess
import sys

from measure import QUICK, point
from subjects import SUBJECTS, performs, records

COUNT = 8_192 if QUICK else 65_536


def resident() -> int:
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * 4096


def measure_memory() -> None:
    for subject in SUBJECTS:
        if not performs(subject, "change"):
            continue
        done = subprocess.run(
            [sys.executable, __file__, subject.name], stdout=subprocess.PIPE, text=True, check=True
        )
        point("memory of a record", subject.name, COUNT, float(done.stdout.splitlines()[-1]), "B")


def main() -> None:
    (subject,) = (each for each in SUBJECTS if each.name == sys.argv[1])
    records(16)
    subject(16).close()  # loads modules and fills caches
    gc.collect()
    before = resident()
    made = subject(COUNT)
    gc.collect()
    ctypes.CDLL(None).malloc_trim(0)  # returns freed memory, so that it does not count
    print((resident() - before) / COUNT)
    made.close()


if __name__ == "__main__":
    main()
