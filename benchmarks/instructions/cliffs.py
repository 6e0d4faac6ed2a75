"""Counts the instructions of operations at several sizes, and with several numbers of changes.

    cliffs.py PROGRAMS LIBRARY [SIZE ...]

PROGRAMS is the folder of the built jobs, and LIBRARY the shared library that they use. The
operations are those of cliffs.c and of benchmarks/python/cliffs. Exits with 1 if one grows faster
than its documentation says, with the size or for each change, or costs too much beside another way
to do the same.
"""

from __future__ import annotations

import argparse
import math
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from count import FIXED, FOLDER

SIZES = [1024, 8192, 65536]

# What an operation costs on 8 times as much: a tree of 16 parts a node has at most a level more.
GROWTH = 1.6

# What a change costs among 100, beside one alone.
EACH = 1.5

# What a way to do a job costs, beside the cheapest one.
FORM = 1.5

# Forms that take fewer instructions are not compared: a fraction of a microsecond is no cliff.
SMALL = 5_000

# What the documentation states instead, for forms and then for changes.
FORMS = {
    "dispatch: instances": 2,
    "dispatch: a batch of instances": 2,
    "dispatch: to a drafting reducer": 2,
    "set: change": 2,
    "append at a path: change": 2,
}
CHANGES = {
    # O(r / 64), where r is the number of insertions before.
    "insert in the middle of a draft": 2.5,
    "insert, then change": 2.5,
}

# The instructions of operations by their name and the number of changes. "JOB: FORM" is the name of
# one of several ways to do a job. The cost of an operation whose name ends with "O(n)" may grow in
# proportion to the size.
Counts = dict[tuple[str, int], int]


# ---- Counting ------------------------------------------------------------------------------------


def programs(folder: Path) -> dict[str, list[str | Path]]:
    """The programs in C and Python, without their last argument, the size."""
    python = FOLDER.parent / "python/cliffs"
    return {
        "C": [folder / "cliffs"],
        "Python": [sys.executable, "-S", python, folder / "libcounting.so"],
    }


def count(program: list[str | Path], library: Path, size: int) -> Counts:
    counts: Counts = {}
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(
            ["valgrind", "--quiet", "--tool=callgrind", "--instr-atstart=no"]
            + [f"--callgrind-out-file={folder}/out", *program, str(size)],
            env={
                **FIXED,
                "PATH": os.environ["PATH"],
                "TMPDIR": folder,
                "LD_LIBRARY_PATH": str(library.parent),
                "IMMUTABLEDATA_LIBRARY": str(library),
                "PYTHONPATH": str(FOLDER.parents[1] / "bindings/python/src"),
                "PYTHONPYCACHEPREFIX": folder,
            },
            check=True,
        )
        for file in sorted(Path(folder).glob("out.*"), key=lambda file: int(file.suffix[1:])):
            text = file.read_text()
            name = re.search(r"Client Request: (\d+) (.+)$", text, re.M)
            total = re.search(r"^totals: (\d+)$", text, re.M)
            if name and total:
                operation = name[2], int(name[1])
                counts[operation] = min(int(total[1]), counts.get(operation, sys.maxsize))
    nothing = counts.pop(("nothing", 1), 0)
    return {operation: instructions - nothing for operation, instructions in counts.items()}


def count_all(
    folder: Path, library: Path, sizes: list[int]
) -> Iterator[tuple[str, list[Counts]]]:
    """The counts of each language, by size."""
    with ThreadPoolExecutor(os.cpu_count()) as threads:
        running = {
            language: [threads.submit(count, program, library, size) for size in sizes]
            for language, program in programs(folder).items()
        }
        for language, counts in running.items():
            yield language, [each.result() for each in counts]


# ---- Comparing -----------------------------------------------------------------------------------


def problems(all_counts: list[Counts], sizes: list[int]) -> list[str]:
    """The operations whose cost grows faster than the tree, or faster than the changes."""
    first, last, times = all_counts[0], all_counts[-1], sizes[-1] / sizes[0]
    found = []
    for (name, changes), instructions in last.items():
        growth = instructions / first[name, changes]
        bound = 1.2 * times if name.endswith("O(n)") else GROWTH ** math.log(times, 8)
        if growth > bound:
            found.append(f"{name}, {changes}: {growth:.2f} times as many, more than {bound:.2f}")
        each, bound = instructions / changes / last[name, 1], CHANGES.get(name, EACH)
        if each > bound:
            found.append(f"{name}, {changes}: {each:.2f} times as many for each, more than {bound}")
        form, bound = ratio(name, changes, last), FORMS.get(name, FORM)
        if form > bound and instructions > SMALL:
            found.append(
                f"{name}, {changes}: {form:.2f} times as many as the cheapest form, "
                f"more than {bound}"
            )
    return found


def ratio(name: str, changes: int, counts: Counts) -> float:
    """What an operation costs beside the cheapest way to do the same; 1 if there is no other."""
    job, colon, _ = name.partition(": ")
    forms = [
        number
        for (other, others), number in counts.items()
        if others == changes and (other == name or other.startswith(job + ": "))
    ]
    return counts[name, changes] / min(forms)


def table(language: str, all_counts: list[Counts], sizes: list[int]) -> str:
    first, last = all_counts[0], all_counts[-1]
    columns = "".join(f"{size:>12,}" for size in sizes)
    title = f"{language}: instructions for each change, by size"
    lines = [f"{title:56}{'changes':>8}{columns}  growth   each    form"]
    for (name, changes), instructions in last.items():
        numbers = "".join(f"{counts[name, changes] / changes:12,.0f}" for counts in all_counts)
        growth = instructions / first[name, changes]
        each = instructions / changes / last[name, 1]
        form = f"{ratio(name, changes, last):8.2f}" if ": " in name else ""
        lines.append(f"{name:56}{changes:8}{numbers}{growth:8.2f}{each:7.2f}{form}")
    return "\n".join(lines)


def main() -> int:
    parser = argparse.ArgumentParser(description="Counts the instructions of operations.")
    parser.add_argument("programs", type=Path, help="the folder of the built jobs")
    parser.add_argument("library", type=Path, help="libimmutabledata.so")
    parser.add_argument("sizes", nargs="*", type=int, default=SIZES)
    options = parser.parse_args()
    folder, library, sizes = options.programs.resolve(), options.library.resolve(), options.sizes
    found = []
    for language, counts in count_all(folder, library, sizes):
        print(table(language, counts, sizes), flush=True)
        found += [f"{language}: {problem}" for problem in problems(counts, sizes)]
    for problem in found:
        print(f"error: {problem}", file=sys.stderr)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
