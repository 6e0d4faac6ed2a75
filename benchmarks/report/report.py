"""Reads the lines of the benchmarks from the standard input, and writes a page and plots.

    report.py FOLDER [--readme README]

Writes FOLDER/benchmarks.md, FOLDER/benchmarks/*.svg and FOLDER/benchmarks/results.tsv, the lines
themselves. With --readme, replaces the table in README. Prints the lines as they come.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from machine import machine
from page import file_name, has_plot, page
from plots import plot
from readme import with_results
from results import Results


def main() -> None:
    parser = argparse.ArgumentParser(description="Writes a page and plots of the benchmarks.")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--readme", type=Path)
    options = parser.parse_args()

    results, lines = Results(), []
    for line in sys.stdin:
        print(line, end="", flush=True)
        results.add(line)
        lines.append(line)
    if not lines:
        raise SystemExit("the benchmarks printed nothing")

    plots = options.folder / "benchmarks"
    plots.mkdir(parents=True, exist_ok=True)
    for old in plots.glob("*.svg"):
        old.unlink()
    (plots / "results.tsv").write_text("".join(lines))
    for job, points in results.jobs().items():
        if has_plot(points):
            (plots / file_name(job)).write_text(plot(job, points))
    path = options.folder / "benchmarks.md"
    path.write_text(page(results, machine(), plots.name))
    if options.readme:
        options.readme.write_text(with_results(options.readme.read_text(), results))
    missed = [each for each in results.comparisons if each.goal and not each.is_met]
    for each in missed:
        print(f"missed: {each.job}: {each.shown_goal}")
    print(f"wrote {path}")


if __name__ == "__main__":
    main()
