"""The interface of a subject of the benchmarks."""

from __future__ import annotations

from typing import Any

Record = dict[str, int]


def record(number: int) -> Record:
    return {f"f{field}": number + field for field in range(10)}


def records(count: int) -> dict[str, Record]:
    return {f"k{number}": record(number) for number in range(count)}


class Subject:
    """Holds records, and changes, inserts, deletes, reads and selects them.

    A new subject has the first count records, and keeps its changes.
    """

    name: str
    largest = 1_048_576
    """The largest number of records for which the subject is measured."""
    steps = 10_000
    """The number of states that are kept to measure the memory of a step."""

    def __init__(self, count: int) -> None:
        raise NotImplementedError

    def change(self, key: str, value: int) -> None:
        """Sets the field f5 of a record."""
        raise NotImplementedError

    def insert(self, key: str, record: Record) -> None:
        raise NotImplementedError

    def delete(self, key: str) -> None:
        raise NotImplementedError

    def read(self, key: str) -> int:
        """Returns the field f4 of a record."""
        raise NotImplementedError

    def select(self, limit: float) -> Any:
        """Returns the records whose f3 exceeds the limit, in the order of f3."""
        raise NotImplementedError

    def snapshot(self) -> Any:
        """Returns the state, which later changes do not affect."""
        raise NotImplementedError

    def observe(self, keys: list[str], calls: list[int]) -> None:
        """Adds an observer for each of these records, which counts its calls in calls[0]."""
        raise NotImplementedError

    def close(self) -> None:
        pass


def performs(subject: type[Subject], operation: str) -> bool:
    return getattr(subject, operation) is not getattr(Subject, operation)
