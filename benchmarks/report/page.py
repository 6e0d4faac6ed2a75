"""The page with the results, in Markdown."""

from __future__ import annotations

import re

from results import Comparison, Point, Results, baseline, format_quantity, shown_ratio

INTRODUCTION = """\
# Results of the benchmarks

`make benchmark` measures this library beside others, and writes this page. Contestants are measured
alternately (A B A B …); a time is the median of seven rounds, for one operation. A ratio is our time
divided by theirs: below 1, this library is faster or smaller. Compare ratios rather than times, since
other load on the machine affects both. [Benchmarks](../benchmarks/README.md) explains the
jobs, and what the peers do.
"""

RECORDS = """\
## Records

A record is an object of ten integers. A state holds many of them by key. The ratio in parentheses is
the time of our first row in the same language, or of our store in C for Redux, divided by the time of
that row. *Growth* is the time with the most records divided by the time with the fewest. Even where
the work does not depend on the size, the time grows, because less of a larger state is in the
processor's caches.

Not every peer does the same work. pyrsistent, immutables, rpds-py, copies of dicts and the maps in
Swift keep the previous state, but have no store: no dispatch, no observers. jansson and SQLite change
in place and keep no previous state. SQLite, pycrdt and loro have transactions, and the latter two
record a history that peers can merge. python-redux and Redux have stores whose reducers copy the map of
records.
"""

# How the jobs of these sections begin.
LOG, SHARED_LOG = "log: ", "shared log: "

LOGS = """## Logs

A store with 65,536 records gets a million actions of 100 bytes, and keeps them in a log. An entry takes
as many bytes as its action, and about 100 more. Snapshots are longer, the larger the state is, but
together have at most half as many bytes as the entries; each replaces the one before. So a log of a
million such actions takes 200 MB of the disk, and one snapshot.

With durability *none*, a dispatch leaves its entry in memory. With *normal*, it hands the entry to the
system, so that it survives the end of the process. With *full*, it waits for the disk: threads that
wait share a sync. SQLite inserts the same actions, each in a transaction, and keeps no state.

"""

SHARED_LOGS = """## Shared logs

Processes write actions of 100 bytes, each of which changes a field of one of 1,024 records, to one
shared log. Each store reads and repeats the actions of the others. SQLite inserts the same actions in
a table, in write-ahead mode with `synchronous=NORMAL`: a transaction reads the rows that others have
inserted since the last one, but repeats nothing. A share is that of the process with the fewest
entries, in percent of a fair one: the least in all rounds.

"""


def table(header: list[str], rows: list[list[str]]) -> str:
    lines = [header, ["---"] * len(header), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines) + "\n"


def file_name(job: str) -> str:
    """The name of the plot of a job."""
    return re.sub(r"[^a-z0-9]+", "-", job.lower()).strip("-") + ".svg"


def row(comparison: Comparison) -> list[str]:
    theirs = ["", ""]
    if comparison.peer:
        theirs = [
            format_quantity(comparison.theirs, comparison.unit),
            shown_ratio(comparison.ratio),
        ]
    ours = format_quantity(comparison.ours, comparison.unit)
    return [comparison.job, ours, comparison.peer, *theirs]


def goals(comparisons: list[Comparison]) -> str:
    rows = [
        [*row(each), each.shown_goal, "met" if each.is_met else "**missed**"]
        for each in comparisons
        if each.goal
    ]
    return table(["job", "ours", "peer", "theirs", "ratio", "goal", ""], rows)


def others(comparisons: list[Comparison]) -> str:
    of_logs = (LOG, SHARED_LOG)
    rows = [row(each) for each in comparisons if not each.goal and not each.job.startswith(of_logs)]
    return table(["job", "ours", "peer", "theirs", "ratio"], rows)


def cell(point: Point | None, points: list[Point]) -> str:
    if point is None:
        return ""
    ours = baseline(point, points)
    shown = format_quantity(point.median, point.unit)
    is_base = ours is None or ours is point
    return shown if is_base else f"{shown} ({shown_ratio(ours.median / point.median)})"


def matrix(points: list[Point]) -> str:
    """A row for each contestant, and a column for each size and for the growth."""
    sizes = sorted({point.size for point in points})
    names = list(dict.fromkeys(point.name for point in points))
    order = {"C": 0, "Node": 1, "Python": 2, "Swift": 3}
    names.sort(key=lambda name: order[name.partition(":")[0]])
    by_place = {(point.name, point.size): point for point in points}
    rows = []
    for name in names:
        row = [by_place.get((name, size)) for size in sizes]
        rows.append([name, *(cell(point, points) for point in row), growth(row[0], row[-1])])
    header = ["", *(f"{size:,} records" for size in sizes), "growth"]
    if len(sizes) == 1:
        header, rows = header[:-1], [row[:-1] for row in rows]
    return table(header, rows)


def logs(prefix: str, comparisons: list[Comparison]) -> str:
    rows = [row(each) for each in comparisons if each.job.startswith(prefix)]
    return table(["job", "ours", "peer", "theirs", "ratio"], rows)


def growth(first: Point | None, last: Point | None) -> str:
    if first is None or last is None:
        return ""
    ratio = last.median / first.median
    return f"{ratio:.1f}" if ratio < 100 else f"{ratio:,.0f}"


def has_plot(points: list[Point]) -> bool:
    """Whether anything was measured at more than one size."""
    return any(a.name == b.name and a.size != b.size for a in points for b in points)


def page(results: Results, machine: dict[str, str], plots: str) -> str:
    """The page; plots is the folder of the plots, from the page."""
    parts = [INTRODUCTION]
    parts.append("## Machine\n\n" + table(["", ""], [list(each) for each in machine.items()]))
    if results.notes:
        parts.append("\n".join(f"- {note}" for note in results.notes) + "\n")
    parts.append("## Goals\n\n" + goals(results.comparisons))
    parts.append(RECORDS)
    for job, points in results.jobs().items():
        parts.append(f"### {job[0].upper()}{job[1:]}\n")
        if has_plot(points):
            parts.append(f"![Time against the number of records]({plots}/{file_name(job)})\n")
        parts.append(matrix(points))
    parts.append(LOGS + logs(LOG, results.comparisons))
    parts.append(SHARED_LOGS + logs(SHARED_LOG, results.comparisons))
    parts.append("## Other comparisons\n\n" + others(results.comparisons))
    return "\n".join(parts)
