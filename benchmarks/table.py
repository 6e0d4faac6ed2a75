"""Prints one table of the rows that the benchmarks write to the standard input.

A row: the job, our measurement, the peer, its measurement, the unit (s or B) and the goal,
"ratio <= 1", "ours < 1e-6" or nothing, with tabs between.
"""

from __future__ import annotations

import operator
import sys

COLUMNS = "{:<48} {:>9}  {:<22} {:>9} {:>7}  {:<9} {}"
SCALES = {
    "s": [(1, "s"), (1e-3, "ms"), (1e-6, "µs"), (1e-9, "ns")],
    "B": [(1e6, "MB"), (1e3, "KB"), (1, "B")],
}
COMPARISONS = {"<": operator.lt, "<=": operator.le}


def scaled(number: float, unit: str) -> str:
    scales = SCALES[unit]
    scale, name = next((s for s in scales if number >= s[0]), scales[-1])
    return f"{number / scale:.3g} {name}" if number < 100 * scale else f"{number / scale:.0f} {name}"


def row(line: str) -> str:
    job, ours, peer, theirs, unit, goal = line.rstrip("\n").split("\t")
    measured = {"ours": float(ours)}
    if peer:
        measured["ratio"] = float(ours) / float(theirs)
    met = wanted = ""
    if goal:
        what, comparison, limit = goal.split()
        met = "met" if COMPARISONS[comparison](measured[what], float(limit)) else "missed"
        shown = limit if what == "ratio" else scaled(float(limit), unit)
        wanted = f"{comparison} {shown}"
    return COLUMNS.format(
        job,
        scaled(measured["ours"], unit),
        peer,
        scaled(float(theirs), unit) if peer else "",
        f"{measured['ratio']:.2f}" if peer else "",
        wanted,
        met,
    ).rstrip()


print(COLUMNS.format("job", "ours", "peer", "theirs", "ratio", "goal", ""))
for line in sys.stdin:
    print(row(line), flush=True)
