"""Changes, inserts, deletes and reads of one record, and selects of records, at every size."""

from __future__ import annotations

import gc
import itertools

from measure import QUICK, SIZES, enough_calls, measure_in_turns, point, row
from subjects import SUBJECTS, Subject, performs, record

VALUES = itertools.count(10_000_000)
FRACTIONS = itertools.count(1)


def scattered(i: int, count: int) -> int:
    """The number of the i-th record to use, in a scattered order."""
    return ((i * 2_654_435_761) >> 7) % count


class Entrant:
    """A subject with records, and the keys on which it operates."""

    def __init__(self, subject: type[Subject], count: int) -> None:
        self.name = subject.name
        self.subject = subject(count)
        self.count = count
        self.numbers = itertools.cycle(scattered(i, count) for i in range(min(count, 4_096)))
        self.inserted = self.deleted = 0

    def change(self) -> None:
        self.subject.change(f"k{next(self.numbers)}", next(VALUES))

    def read(self) -> None:
        number = next(self.numbers)
        found = self.subject.read(f"k{number}")
        if found != number + 4:
            raise SystemExit(f"{self.name}: read {found} instead of {number + 4}")

    def insert(self) -> None:
        self.inserted += 1
        self.subject.insert(self.new_key(self.inserted), record(self.inserted))

    def delete(self) -> None:
        self.deleted += 1
        self.subject.delete(self.new_key(self.deleted))

    def new_key(self, number: int) -> str:
        """The key of the inserted record with a number, between two keys of existing records."""
        return f"k{scattered(number, self.count)}n{number}"

    def select(self) -> None:
        """Uses a new limit each time, so that no output is cached."""
        wanted = self.count // 100
        found = len(self.subject.select(self.count + 2 - wanted + next(FRACTIONS) * 1e-6))
        if found != wanted:
            raise SystemExit(f"{self.name}: selected {found} records instead of {wanted}")


JOBS = {
    "select": "select 1 % of the records, sorted",
    "read": "read one field of a record",
    "change": "change one field of a record",
}


def measure_job(operation: str, entrants: list[Entrant]) -> dict[str, float]:
    """Measures an operation of all subjects that have it. Returns the medians by name."""
    able = [each for each in entrants if performs(type(each.subject), operation)]
    calls = [getattr(each, operation) for each in able]
    medians = measure_in_turns(*((enough_calls(call), call) for call in calls))
    for each, median in zip(able, medians):
        point(JOBS[operation], each.name, each.count, median)
    return {each.name: median for each, median in zip(able, medians)}


def measure_inserts_and_deletes(entrants: list[Entrant]) -> None:
    """Measures inserts, and deletes of the inserted records."""
    able = [each for each in entrants if performs(type(each.subject), "insert")]
    contestants = []
    for each in able:
        calls = enough_calls(each.insert, each.count // 4)
        while each.deleted < each.inserted:
            each.delete()
        contestants += [(calls, each.insert), (calls, each.delete)]
    medians = measure_in_turns(*contestants)
    for index, each in enumerate(able):
        point("insert a record", each.name, each.count, medians[2 * index])
        point("delete a record", each.name, each.count, medians[2 * index + 1])


def print_goals(medians: dict[str, float], count: int) -> None:
    limits = {
        "immutabledata, reducer": {"pyrsistent": 0.3, "pycrdt": 0.45},
        "immutabledata, drafting reducer": {"pyrsistent": 0.4, "pycrdt": 0.5},
    }
    for name, peers in limits.items():
        job = f"Python {name.partition(', ')[2]}, one of {count:,} records"
        for peer, limit in peers.items():
            if peer in medians:
                row(job, medians[name], peer, medians[peer], f"ratio <= {limit}")


def measure_sizes() -> None:
    for count in SIZES:
        gc.disable()  # each collection would visit the records made so far
        entrants = [Entrant(each, count) for each in SUBJECTS if count <= each.largest]
        gc.enable()
        gc.collect()
        gc.freeze()  # so that no collection visits all records
        measure_job("select", entrants)
        measure_job("read", entrants)
        medians = measure_job("change", entrants)
        measure_inserts_and_deletes(entrants)
        if count == 65_536 or (QUICK and count == SIZES[-1]):
            print_goals(medians, count)
        for each in entrants:
            each.subject.close()
        gc.unfreeze()
