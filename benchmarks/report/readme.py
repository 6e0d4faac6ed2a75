"""The table of results in README.md, between two comments."""

from __future__ import annotations

from page import table
from results import Results, format_quantity, shown_ratio

BEGIN = "<!-- Written by make benchmark: begin -->"
END = "<!-- Written by make benchmark: end -->"

SIZE = 65_536
C, REDUCER = "C: immutabledata, store", "Python: immutabledata, reducer"
CHANGE = "change one field of a record"

# The job, ours, the peer, and how the row names the job.
POINTS = [
    (CHANGE, C, "C: SQLite", "change one field of one of 65,536 records, from C"),
    (CHANGE, C, "Node: Redux", ""),
    (CHANGE, REDUCER, "Python: pyrsistent", "the same with a reducer in Python"),
    ("change, 10,000 observers", C, "Node: Redux", "the same with 10,000 observers, from C"),
    ("memory of a record", "C: immutabledata, value without a store", "C: SQLite",
     "memory of a record of ten integers"),
]  # fmt: skip

COMPARISONS = [("read 10 MB of GeoJSON", "simdjson", "read 10 MB of GeoJSON, from C")]


def rows(results: Results) -> list[list[str]]:
    found = []
    for job, ours_name, theirs_name, text in POINTS:
        ours, theirs = (results.point(job, name, SIZE) for name in (ours_name, theirs_name))
        if ours and theirs:
            peer = theirs_name.partition(": ")[2]
            found.append((text, ours.median, peer, theirs.median, ours.unit))
    for job, peer, text in COMPARISONS:
        for each in results.comparisons:
            if (each.job, each.peer) == (job, peer):
                found.append((text, each.ours, peer, each.theirs, each.unit))
    return [
        [
            text,
            format_quantity(ours, unit) if text else "",
            f"{peer}: {format_quantity(theirs, unit)}",
            shown_ratio(ours / theirs),
        ]
        for text, ours, peer, theirs, unit in found
    ]


def with_results(readme: str, results: Results) -> str:
    """README.md with a new table."""
    before, begin, rest = readme.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        raise SystemExit(f"README.md lacks the comments {BEGIN!r} and {END!r}")
    shown = table(["job", "immutabledata", "other", "ratio"], rows(results))
    return f"{before}{BEGIN}\n\n{shown}\n{END}{after}"
