"""The memory of a record of ten integers, and of a step, each subject in a process of its own.

    memory.py record NAME     prints the bytes for each of 65,536 records
    memory.py step NAME       prints the bytes for each change of a record, if all states are kept
"""

from __future__ import annotations

import ctypes
import gc
import os
import subprocess
import sys

from measure import QUICK, point
from sizes import Entrant
from subjects import SUBJECTS, Subject, performs, records
from subjects.ours import StoreWithHistory

COUNT = 8_192 if QUICK else 65_536

SUBJECTS_OF_RECORDS = [each for each in SUBJECTS if performs(each, "change")]
SUBJECTS_OF_STEPS = [StoreWithHistory] + [each for each in SUBJECTS if performs(each, "snapshot")]


def measure_memory() -> None:
    for kind, subjects in {"record": SUBJECTS_OF_RECORDS, "step": SUBJECTS_OF_STEPS}.items():
        for subject in subjects:
            done = subprocess.run(
                [sys.executable, __file__, kind, subject.name],
                env={**os.environ, "PYTHONMALLOC": "malloc"} if kind == "step" else None,
                stdout=subprocess.PIPE,
                text=True,
                check=True,
            )
            measured = float(done.stdout.splitlines()[-1])
            point(f"memory of a {kind}", subject.name, COUNT, measured, "B")


def resident() -> int:
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * 4096


def memory_of_record(subject: type[Subject]) -> float:
    records(16)
    subject(16).close()  # loads modules and fills caches
    gc.collect()
    before = resident()
    made = subject(COUNT)
    gc.collect()
    ctypes.CDLL(None).malloc_trim(0)  # returns freed memory, so that it does not count
    bytes = (resident() - before) / COUNT
    made.close()
    return bytes


class MallocInfo(ctypes.Structure):
    """The struct mallinfo2 of glibc."""

    _names = "arena ordblks smblks hblks hblkhd usmblks fsmblks uordblks fordblks keepcost"
    _fields_ = [(name, ctypes.c_size_t) for name in _names.split()]


def allocated() -> int:
    mallinfo2 = ctypes.CDLL(None).mallinfo2
    mallinfo2.restype = MallocInfo
    info = mallinfo2()
    return info.uordblks + info.hblkhd


def memory_of_step(subject: type[Subject]) -> float:
    """Counts what is allocated: the resident memory would hide what reuses freed memory."""
    steps = subject.steps // 100 if QUICK else subject.steps
    gc.disable()  # each collection would visit all states, and there is no garbage with cycles
    entrant = Entrant(subject, COUNT)
    kept = [entrant.subject.snapshot()]
    before = allocated()
    for _ in range(steps):
        entrant.change()
        kept.append(entrant.subject.snapshot())
    return (allocated() - before) / steps


def main() -> None:
    kind, name = sys.argv[1:]
    measure, subjects = {
        "record": (memory_of_record, SUBJECTS_OF_RECORDS),
        "step": (memory_of_step, SUBJECTS_OF_STEPS),
    }[kind]
    (subject,) = (each for each in subjects if each.name == name)
    print(measure(subject), flush=True)
    # Ends without releasing the states one by one.
    os._exit(0)


if __name__ == "__main__":
    main()
