"""Writes the results of the benchmarks of collections to a page.

    page.py RESULTS GUIDE PAGE

RESULTS is a file that the package benchmark exported in its format jmh. GUIDE has the figures of The
ImmutableData Programming Guide. PAGE is a Markdown file: the text between its comments "results" and
"end of results" is replaced.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from results import Result, shown_bytes, shown_count, shown_time

sys.path.append(str(Path(__file__).parents[1] / "report"))
from machine import machine  # noqa: E402

COLLECTIONS = ["JSONObject", "JSONArray", "TreeDictionary", "Dictionary", "Array"]
CHANGES = ["insert", "update", "delete"]
OPERATIONS = ["count", "read", *CHANGES, "sort", "sort by SortDescriptor"]
MARKED = re.compile(r"(?<=<!-- results -->\n).*(?=<!-- end of results -->)", re.DOTALL)


def table(header: list[str], rows: Iterable[list[str]]) -> str:
    lines = [header, ["---", *["---:"] * (len(header) - 1)], *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines) + "\n"


class Page:
    """The part of the page with the results."""

    def __init__(self, results: list[Result], guide: dict[str, Any]) -> None:
        self._results = {(each.collection, each.operation): each for each in results}
        names = {each.collection for each in results}
        self._collections = sorted(
            names, key=lambda name: (COLLECTIONS.index(name.partition(",")[0]), name)
        )
        self._guide = guide

    @property
    def text(self) -> str:
        records = next(iter(self._results.values())).records
        computer = machine()
        where = ", ".join(computer[part] for part in ("processor", "memory", "system", "compilers"))
        return "\n".join(
            [
                f"\nMeasured with {records:,} records on {where}.\n",
                "### Time\n\nThe median time of one operation.\n",
                self._by_operation(lambda each: shown_time(each.time)),
                f"The guide's medians, on {self._guide['machine']}:\n",
                self._of_guide("microseconds", lambda time: shown_time(1_000 * time)),
                "### Allocations\n\nThe blocks that one operation allocates, in the median.\n",
                self._by_operation(lambda each: shown_count(each.allocations)),
                "The guide's medians:\n",
                self._of_guide("allocations", shown_count),
                "### Memory\n",
                self._memory(),
                "The guide's medians of the resident peak:\n",
                self._of_guide("peak", lambda peak: shown_bytes(peak * 1e6)),
            ]
        )

    def _by_operation(self, shown: Callable[[Result], str]) -> str:
        rows = []
        for name in self._collections:
            found = [self._results.get((name, operation)) for operation in OPERATIONS]
            rows.append([name, *(shown(each) if each else "" for each in found)])
        return table(["collection", *OPERATIONS], rows)

    def _of_guide(self, metric: str, shown: Callable[[float], str]) -> str:
        rows = []
        for name, figures in self._guide["collections"].items():
            found = [figures[metric].get(operation) for operation in OPERATIONS]
            rows.append([name, *("" if each is None else shown(each) for each in found)])
        return table(["collection in the guide", *OPERATIONS], rows)

    def _memory(self) -> str:
        rows = []
        for name in self._collections:
            of = {operation: self._results[name, operation] for operation in ["read", *CHANGES, "sort"]}
            rows.append(
                [name, shown_bytes(of["read"].record_bytes)]
                + [shown_bytes(of[change].allocated_bytes) for change in CHANGES]
                + [shown_bytes(of[operation].peak) for operation in ["read", "update", "sort"]]
            )
        header = ["collection", "memory of a record", *(f"allocated by {each}" for each in CHANGES)]
        return table([*header, "peak of read", "peak of update", "peak of sort"], rows)


def main(results: Path, guide: Path, page: Path) -> None:
    found = [Result(each) for each in json.loads(results.read_text())]
    text = Page(found, json.loads(guide.read_text())).text + "\n"
    old = page.read_text()
    if not MARKED.search(old):
        sys.exit(f'{page}: the comments "<!-- results -->" and "<!-- end of results -->" are missing')
    page.write_text(MARKED.sub(lambda _: text, old))


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:]))
