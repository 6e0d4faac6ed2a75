"""An operation whose instructions are counted, and the data that it works on."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import immutabledata as imd

MANY = (1, 10, 100)

Begin = Callable[[], object]


@dataclass(frozen=True)
class Operation:
    """An operation that makes or meets a number of changes.

    The function prepares, calls begin, and then does what is counted. If the name has the form
    "JOB: FORM", the operation is one of several ways to do a job. If it ends with "O(n)", it takes
    time in proportion to the size.
    """

    name: str
    run: Callable[[Begin, int], object]
    changes: Sequence[int] = (1,)

    @property
    def is_linear(self) -> bool:
        return self.name.endswith("O(n)")


def once(name: str, call: Callable[[], object]) -> Operation:
    """An operation without preparation that makes no changes."""
    return prepared(name, lambda changes: None, lambda _: call(), (1,))


def each(name: str, change: Callable[[int], object]) -> Operation:
    """An operation without preparation that makes its changes one by one."""
    return prepared(name, range, lambda numbers: [change(i) for i in numbers])


def chained(name: str, start: Any, change: Callable[[Any, int], Any]) -> Operation:
    """Changes of a value, each of what the one before has returned."""

    def call(numbers: range) -> None:
        value = start
        for i in numbers:
            value = change(value, i)

    return prepared(name, range, call)


def prepared(
    name: str,
    prepare: Callable[[int], Any],
    call: Callable[[Any], object],
    changes: Sequence[int] = MANY,
) -> Operation:
    """An operation that calls a function with what was prepared for a number of changes."""

    def run(begin: Begin, changes: int) -> None:
        given = prepare(changes)
        begin()
        call(given)

    return Operation(name, run, (1,) if name.endswith("O(n)") else changes)


_numbers = itertools.count(1_000)


def fresh() -> int:
    """A number that differs in each call."""
    return next(_numbers)


def place(i: int, size: int) -> int:
    """One of the places, scattered."""
    return i * 40_503 % size


def make_state(size: int) -> Any:
    """{"records": {"k0": {…}, …}, "rows": [{…}, …]}, with size of each."""
    row = '{{"id":{0},"n":{1}}}'
    rows = [row.format(i, i % 100) for i in range(size)]
    records = (f'"k{i}":{row}' for i, row in enumerate(rows))
    return imd.from_json(f'{{"records":{{{",".join(records)}}},"rows":[{",".join(rows)}]}}')
