"""Counts the instructions of operations at several sizes, and with several numbers of changes.

    cliffs.py PROGRAMS LIBRARY [SIZE ...]

PROGRAMS is the folder of the built jobs, and LIBRARY the shared library that they use. Exits with 1
if an operation grows faster than its documentation says: with the size, or for each change.
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from count import FIXED

SIZES = [1024, 8192, 65536]

# From the smallest size to the largest, a tree of 16 parts a node has at most two levels more.
GROWTH = 2.5

# What takes time in proportion to the size.
LINEAR = {"diff, a window rolled by 100"}

# What a change costs among 100, beside one alone.
EACH = 1.5

# The instructions of operations by their name and the number of changes.
Counts = dict[tuple[str, int], int]


def count(program: Path, library: Path, size: int) -> Counts:
    counts: Counts = {}
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(
            ["valgrind", "--quiet", "--tool=callgrind", "--instr-atstart=no"]
            + [f"--callgrind-out-file={folder}/out", str(program), str(size)],
            env={
                **FIXED,
                "PATH": os.environ["PATH"],
                "TMPDIR": folder,
                "LD_LIBRARY_PATH": str(library.parent),
            },
            check=True,
        )
        for file in sorted(Path(folder).glob("out.*"), key=lambda file: int(file.suffix[1:])):
            text = file.read_text()
            name = re.search(r"Client Request: (\d+) (.+)$", text, re.M)
            total = re.search(r"^totals: (\d+)$", text, re.M)
            if name and total:
                counts[name[2], int(name[1])] = int(total[1])
    return counts


def problems(all_counts: list[Counts], sizes: list[int]) -> list[str]:
    """The operations whose cost grows faster than the tree, or faster than the changes."""
    first, last = all_counts[0], all_counts[-1]
    found = []
    for (name, changes), instructions in last.items():
        growth = instructions / first[name, changes]
        bound = 1.2 * sizes[-1] / sizes[0] if name in LINEAR else GROWTH
        if growth > bound:
            found.append(f"{name}, {changes}: {growth:.2f} times as many, more than {bound}")
        each = instructions / changes / last[name, 1]
        if each > EACH:
            found.append(f"{name}, {changes}: {each:.2f} times as many for each, more than {EACH}")
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description="Counts the instructions of operations.")
    parser.add_argument("programs", type=Path, help="the folder of the built jobs")
    parser.add_argument("library", type=Path, help="libimmutabledata.so")
    parser.add_argument("sizes", nargs="*", type=int, default=SIZES)
    options = parser.parse_args()
    program, library = options.programs.resolve() / "cliffs", options.library.resolve()
    with ThreadPoolExecutor(os.cpu_count()) as threads:
        counted = list(threads.map(lambda size: count(program, library, size), options.sizes))
    sizes = "".join(f"{size:>12,}" for size in options.sizes)
    print(f"{'instructions for each change, by size':44}{'changes':>8}{sizes}  growth   each")
    for (name, changes), instructions in counted[-1].items():
        numbers = "".join(f"{counts[name, changes] / changes:12,.0f}" for counts in counted)
        growth = instructions / counted[0][name, changes]
        each = instructions / changes / counted[-1][name, 1]
        print(f"{name:44}{changes:8}{numbers}{growth:8.2f}{each:7.2f}")
    found = problems(counted, options.sizes)
    for problem in found:
        print(f"error: {problem}", file=sys.stderr)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
