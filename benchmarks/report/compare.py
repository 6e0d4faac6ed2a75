"""Compares two runs: lists the ratios to peers that grew by more than 5 %.

    compare.py OLD NEW      two files results.tsv, of docs/benchmarks

Ratios are compared, because the load of the machine affects both sides of a ratio.
"""

from __future__ import annotations

import sys
from pathlib import Path

from results import Results, read, baseline

LIMIT = 1.05

Ratios = dict[tuple[str, ...], float]


def ratios(results: Results) -> Ratios:
    """Our time or memory divided by theirs, for each job and peer."""
    found: Ratios = {
        (each.job, each.peer): each.ratio
        for each in results.comparisons
        if each.peer and each.unit != "%"  # a share, which is better if it is greater
    }
    for job, points in results.jobs().items():
        for point in points:
            ours = baseline(point, points)
            if ours and not point.is_ours:
                found[job, point.name, f"{point.size:,}"] = ours.median / point.median
    return found


def worse(old: Ratios, new: Ratios) -> list[str]:
    rows = [
        f"{', '.join(key)}: {old[key]:.3g} became {new[key]:.3g}"
        for key in old
        if key in new and new[key] > LIMIT * old[key]
    ]
    return rows or ["nothing became worse by more than 5 %"]


if __name__ == "__main__":
    before, after = (ratios(read(Path(path))) for path in sys.argv[1:3])
    print("\n".join(worse(before, after)))
