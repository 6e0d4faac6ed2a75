"""Reads the lines of the benchmarks from the standard input, and prints a table of the comparisons."""

from __future__ import annotations

import sys

from page import row, table
from results import Results


def main() -> None:
    results = Results()
    for line in sys.stdin:
        results.add(line)
    rows = [
        [*row(each), each.shown_goal, "met" if each.is_met else "missed"]
        if each.goal
        else [*row(each), "", ""]
        for each in results.comparisons
    ]
    print(table(["job", "ours", "peer", "theirs", "ratio", "goal", ""], rows), end="")


if __name__ == "__main__":
    main()
