"""Counts the instructions of small jobs with callgrind, and compares them with counts.json.

    count.py PROGRAMS LIBRARY [--update]

PROGRAMS is the folder of the built jobs, and LIBRARY the shared library that they use. Exits with 1
if a count has grown by more than 3 %. With --update, writes counts.json instead. The counts hold
for the tools that counts.json names; with other versions, nothing is compared.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import re
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

FOLDER = Path(__file__).resolve().parent
COUNTS = FOLDER / "counts.json"
LIMIT = 1.03

# What a job may cost at most beside another one. A history keeps the old states, so that nothing can be
# changed in place. Braces and structs are written as text.
BOUNDS = [
    ("dispatch with history, 65,536 records", "dispatch, 65,536 records", 1.65),
    (
        "dispatch with history, inspected, 65,536 records",
        "dispatch with history, 65,536 records",
        1.15,
    ),
    ("dispatch with a log, 65,536 records", "dispatch, 65,536 records", 1.5),
    ("dispatch with a schema, 65,536 records", "dispatch, 65,536 records", 1.25),
    ("Python: dispatch of an instance", "Python: dispatch to a reducer", 2.0),
    ("C++: dispatch of braces", "C++: dispatch of text", 1.2),
    ("C++: dispatch of braces, nested", "C++: dispatch of text, nested", 1.35),
    ("C++: dispatch of a struct", "C++: dispatch of text, nested", 1.35),
    ("dispatch of members", "dispatch of a parsed and changed value", 0.9),
]

# Fixes what else affects the count: the seeds of hash tables, the variants of C functions for
# different processors, and the lookup of functions at their first call.
FIXED = {
    "LC_ALL": "C",
    "LD_BIND_NOW": "1",
    "SWIFT_DETERMINISTIC_HASHING": "1",
    "PYTHONHASHSEED": "0",
    "GLIBC_TUNABLES": "glibc.cpu.hwcaps=-AVX512F,-AVX2,-AVX,-BMI2,-ERMS,-FSRM,-SSE4_2,-SSSE3",
}

Counts = dict[str, int]


# ---- Tools ---------------------------------------------------------------------------------------


def version(*command: str, after: str = "") -> str:
    output = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    found = re.search(re.escape(after) + r"\D*?(\d+(\.\d+)+)", output)
    return found[1] if found else "unknown"


def tools() -> dict[str, str]:
    """The versions of what the counts depend on."""
    return {
        "architecture": platform.machine(),
        "C compiler": version("cc", "--version", after=")"),
        "glibc": version("getconf", "GNU_LIBC_VERSION", after="glibc"),
        "Python": platform.python_version(),
        "Swift": version("swift", "--version", after="Swift version"),
        "valgrind": version("valgrind", "--version"),
    }


def differences(then: dict[str, str], now: dict[str, str]) -> list[str]:
    other = [name for name in then if now[name] != then[name]]
    return [f"{name} {now[name]} instead of {then[name]}" for name in other]


# ---- Counting ------------------------------------------------------------------------------------


class Jobs:
    """The jobs of the programs in C and Python."""

    def __init__(self, programs: Path, library: Path) -> None:
        counting = programs / "libcounting.so"
        self._programs: list[list[str | Path]] = [
            [programs / "jobs"],
            [sys.executable, "-S", FOLDER / "jobs.py", counting],
        ]
        self._environment = {
            **FIXED,
            "PATH": os.environ["PATH"],
            "IMMUTABLEDATA_LIBRARY": str(library),
            "PYTHONPATH": str(FOLDER.parents[1] / "bindings/python/src"),
        }

    def count(self) -> Counts:
        """The instructions of one operation of each job."""
        jobs = [(program, job) for program in self._programs for job in self._list(program)]
        with ThreadPoolExecutor(os.cpu_count()) as threads:
            counts = threads.map(lambda job: self._count(*job), jobs)
            return {name: number for (_, (name, _)), number in zip(jobs, counts)}

    def _list(self, program: list[str | Path]) -> list[tuple[str, int]]:
        done = subprocess.run(
            program, env=self._environment, stdout=subprocess.PIPE, text=True, check=True
        )
        rows = [line.split("\t") for line in done.stdout.splitlines()]
        return [(name, int(operations)) for name, operations in rows]

    def _count(self, program: list[str | Path], job: tuple[str, int]) -> int:
        name, operations = job
        with tempfile.TemporaryDirectory() as folder:
            out = Path(folder, "callgrind.out")
            subprocess.run(
                ["valgrind", "--quiet", "--tool=callgrind", "--instr-atstart=no"]
                + [f"--callgrind-out-file={out}", *program, name],
                env={**self._environment, "PYTHONPYCACHEPREFIX": folder, "TMPDIR": folder},
                check=True,
            )
            total = re.search(r"^totals: (\d+)$", out.read_text(), re.M)
        if not total:
            raise SystemExit(f"{name}: callgrind counted no instructions")
        return round(int(total[1]) / operations)


# ---- Comparing -----------------------------------------------------------------------------------


def compare(then: Counts, now: Counts) -> list[str]:
    """What is wrong, one message for each job."""
    problems = [f"{name}: not in counts.json" for name in now if name not in then]
    problems += [f"{name}: in counts.json, but not a job" for name in then if name not in now]
    for name in then.keys() & now.keys():
        if now[name] > LIMIT * then[name]:
            growth = 100 * (now[name] / then[name] - 1)
            problems.append(
                f"{name}: {now[name]:,} instructions, {growth:.1f} % more than {then[name]:,}"
            )
    return sorted(problems)


def bounds(now: Counts) -> tuple[list[str], list[str]]:
    """The ratios of jobs that have a bound, and which of them exceed it."""
    shown, problems = [], []
    for job, peer, limit in BOUNDS:
        ratio = now[job] / now[peer]
        shown.append(f"{job}: {ratio:.3f} of {peer}; at most {limit}")
        if ratio > limit:
            problems.append(f"{job}: {ratio:.3f} of {peer}, more than {limit}")
    return shown, problems


def table(then: Counts, now: Counts) -> str:
    rows = [f"{'job':44} {'before':>12} {'now':>12} {'ratio':>6}"]
    for name, number in now.items():
        before = then.get(name)
        ratio = f"{number / before:6.3f}" if before else "   new"
        rows.append(f"{name:44} {before or 0:12,} {number:12,} {ratio}")
    return "\n".join(rows)


def main() -> int:
    parser = argparse.ArgumentParser(description="Counts the instructions of small jobs.")
    parser.add_argument("programs", type=Path, help="the folder of the built jobs")
    parser.add_argument("library", type=Path, help="libimmutabledata.so")
    parser.add_argument("--update", action="store_true", help="write the counts to counts.json")
    options = parser.parse_args()

    recorded = json.loads(COUNTS.read_text())
    others = differences(recorded["tools"], tools())
    if others and not options.update:
        print(f"skipped: counts.json holds for other tools: {', '.join(others)}")
        return 0
    counts = Jobs(options.programs.resolve(), options.library.resolve()).count()
    print(table(recorded["counts"], counts))
    ratios, exceeded = bounds(counts)
    print(*ratios, sep="\n")
    if options.update:
        COUNTS.write_text(json.dumps({"tools": tools(), "counts": counts}, indent=2) + "\n")
        return 0
    problems = compare(recorded["counts"], counts) + exceeded
    for problem in problems:
        print(f"error: {problem}", file=sys.stderr)
    if problems:
        print(
            "Find what made these jobs slower. If it is worth it, run"
            " `make instruction-counts UPDATE=1` and commit counts.json.",
            file=sys.stderr,
        )
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
