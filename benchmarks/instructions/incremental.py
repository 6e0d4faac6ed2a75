"""Counts the instructions of selects that keep results, beside those of evaluating anew.

    incremental.py PROGRAMS LIBRARY [EXPRESSION ...]

PROGRAMS is the folder of the built jobs, and LIBRARY the shared library that they use. Exits with 1
if a ratio exceeds its bound.
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
import tempfile
from collections import defaultdict
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from count import FIXED

EXPRESSIONS = [
    "sum(records.*.f3)",
    "max(records.*.f3)",
    "length(records.* | [?f3 > `65000`])",
    "sort_by(records.*, &f3)[-10:]",
]

# An evaluation that builds what it keeps, one that uses it, and 8 selects in a row, beside
# evaluating anew.
BUILD, UPDATE, ROW = 2.0, 1.2, 1.3

Counts = dict[tuple[str, int], list[int]]


def count(program: Path, library: Path, expression: str) -> Counts:
    """The instructions of the selects of each kind, after each number of changes."""
    counts: Counts = defaultdict(list)
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(
            ["valgrind", "--quiet", "--tool=callgrind", "--instr-atstart=no"]
            + [f"--callgrind-out-file={folder}/out", str(program), expression],
            env={
                **FIXED,
                "PATH": os.environ["PATH"],
                "TMPDIR": folder,
                "LD_LIBRARY_PATH": str(library.parent),
            },
            check=True,
        )
        files = Path(folder).glob("out.*")
        for file in sorted(files, key=lambda file: int(file.suffix[1:])):
            text = file.read_text()
            name = re.search(r"Client Request: (\w+) (\d+)$", text, re.M)
            total = re.search(r"^totals: (\d+)$", text, re.M)
            if name and total:
                counts[name[1], int(name[2])].append(int(total[1]))
    return counts


def rows(counts: Counts) -> list[tuple[str, int, float, float]]:
    """The name, the instructions, their ratio to evaluating anew, and its bound."""
    anew = {number: values[0] for (kind, number), values in counts.items() if kind == "anew"}
    (second,) = counts["second", 1]
    result = [("the second evaluation", second, second / anew[1], BUILD)]
    for number, base in anew.items():
        (update,) = counts["update", number]
        name = f"after {number:,} changes"
        result.append((name, update, update / base, UPDATE))
    for number, base in anew.items():
        row = counts["row", number]
        worst = max(sum(row[start : start + 8]) for start in range(len(row) - 7))
        result.append((f"8 in a row, {number:,} changes each", worst, worst / 8 / base, ROW))
    return result


def main() -> int:
    parser = argparse.ArgumentParser(description="Counts the instructions of selects.")
    parser.add_argument("programs", type=Path, help="the folder of the built jobs")
    parser.add_argument("library", type=Path, help="libimmutabledata.so")
    parser.add_argument("expressions", nargs="*", default=EXPRESSIONS)
    options = parser.parse_args()
    program, library = options.programs.resolve() / "incremental", options.library.resolve()
    status = 0
    with ThreadPoolExecutor(os.cpu_count()) as threads:
        counted = threads.map(lambda text: count(program, library, text), options.expressions)
        for expression, counts in zip(options.expressions, counted):
            anew = counts["anew", 1][0]
            print(f"{expression}: {anew:,} instructions to evaluate it anew")
            for name, number, ratio, bound in rows(counts):
                exceeded = f"  more than {bound}" if ratio > bound else ""
                status = 1 if exceeded else status
                print(f"  {name:34} {number:14,} {ratio:8.4f}{exceeded}")
    return status


if __name__ == "__main__":
    sys.exit(main())
