"""Queries compared with jmespath, and selects while nothing changes."""

from __future__ import annotations

import itertools

import immutabledata as imd
from measure import QUICK, measure_in_turns, note, row
from subjects import records
from subjects.ours import reduce

try:
    import jmespath
except ImportError as error:
    jmespath = None
    note(f"Not measured: jmespath cannot be imported ({error}).")

COUNT = 8_192 if QUICK else 65_536


def measure_query() -> None:
    data = {"records": records(COUNT)}
    store = imd.Store(reduce, state=data)
    # Each query has a new limit, so that no output is cached.
    limits, literals = itertools.count(COUNT - 1000), itertools.count(COUNT - 1000)

    def query() -> list[int]:
        return store.query("records.*.f3 | [?@ > $limit]", limit=next(limits))

    def search() -> list[int]:
        return jmespath.search(f"records.*.f3 | [?@ > `{next(literals)}`]", data)

    if sorted(query()) != sorted(search()):
        raise SystemExit("the two find different records")
    ours, theirs = measure_in_turns((4, query), (1, search))
    row("JMESPath over 65,536 records", ours, "jmespath", theirs, "ratio <= 0.02")


def measure_select() -> None:
    store = imd.Store(reduce, state={"records": records(COUNT)})
    store.define("high", "length(records.*.f3 | [?@ > $limit])")
    store.define("all", "records")
    (small,) = measure_in_turns((4096, lambda: store.select("high", limit=1000)))
    row("Python select of a number, unchanged", small, goal="ours <= 1e-6")
    (large,) = measure_in_turns((16, lambda: store.select_json("all")))
    row("Python select_json of 65,536 records, unchanged", large)


def measure_queries() -> None:
    if jmespath:
        measure_query()
    measure_select()
