"""The lines that the benchmarks print.

    job  ours  peer  theirs  unit  goal     a comparison; the goal is "ratio <= 1", "ours < 1e-6" or ""
    job  name  size  median  unit           a point: a job with a number of records
    note  text                              a sentence for the reader

Tabs separate the columns. A name is "C: SQLite": the language and the library. Names of this library
begin with "immutabledata". The unit is s, B or %.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

COMPARISONS = {"<": operator.lt, "<=": operator.le, ">=": operator.ge}
SCALES = {
    "s": [(1, "s"), (1e-3, "ms"), (1e-6, "µs"), (1e-9, "ns")],
    "B": [(1e6, "MB"), (1e3, "KB"), (1, "B")],
    "%": [(1, "%")],
}


def format_quantity(number: float, unit: str) -> str:
    """A number with a unit that suits its size, such as 3.53 µs."""
    scales = SCALES[unit]
    scale, name = next((s for s in scales if number >= s[0]), scales[-1])
    text = f"{number / scale:.3g}" if number < 100 * scale else f"{number / scale:.0f}"
    return f"{text} {name}"


def shown_ratio(ratio: float) -> str:
    return f"{ratio:.2f}" if ratio >= 0.095 else f"{ratio:.1g}"


@dataclass
class Comparison:
    job: str
    ours: float
    peer: str
    theirs: float
    unit: str
    goal: str

    @property
    def ratio(self) -> float:
        return self.ours / self.theirs if self.theirs else math.inf

    @property
    def is_met(self) -> bool:
        what, comparison, limit = self.goal.split()
        measured = self.ratio if what == "ratio" else self.ours
        return COMPARISONS[comparison](measured, float(limit))

    @property
    def shown_goal(self) -> str:
        what, comparison, limit = self.goal.split()
        shown = limit if what == "ratio" else format_quantity(float(limit), self.unit)
        return f"{comparison} {shown}"


@dataclass
class Point:
    job: str
    name: str
    size: int
    median: float
    unit: str

    @property
    def language(self) -> str:
        return self.name.partition(": ")[0]

    @property
    def library(self) -> str:
        return self.name.partition(": ")[2]

    @property
    def is_ours(self) -> bool:
        return self.library.startswith("immutabledata")


@dataclass
class Results:
    comparisons: list[Comparison] = field(default_factory=list)
    points: list[Point] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    def add(self, line: str) -> None:
        columns = line.rstrip("\n").split("\t")
        if len(columns) == 6:
            job, ours, peer, theirs, unit, goal = columns
            self.comparisons.append(Comparison(job, float(ours), peer, float(theirs), unit, goal))
        elif len(columns) == 5:
            job, name, size, median, unit = columns
            self.points.append(Point(job, name, int(size), float(median), unit))
        elif len(columns) == 2 and columns[0] == "note":
            self.notes.append(columns[1])
        else:
            raise ValueError(f"not a line of a benchmark: {line!r}")

    def jobs(self) -> dict[str, list[Point]]:
        """The points by their jobs."""
        jobs: dict[str, list[Point]] = {}
        for point in self.points:
            jobs.setdefault(point.job, []).append(point)
        return jobs

    def point(self, job: str, name: str, size: int) -> Point | None:
        found = (p for p in self.points if (p.job, p.name, p.size) == (job, name, size))
        return next(found, None)


def read(path: Path) -> Results:
    """The results in a file of lines."""
    results = Results()
    for line in path.read_text().splitlines():
        results.add(line)
    return results


def baseline(point: Point, points: Iterable[Point]) -> Point | None:
    """Our first point in the same language or, if there is none, in C: the base of the ratio."""
    ours = [each for each in points if each.is_ours and each.size == point.size]
    same = [each for each in ours if each.language == point.language]
    return next(iter(same or [each for each in ours if each.language == "C"]), None)
