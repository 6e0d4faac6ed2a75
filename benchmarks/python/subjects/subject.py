"""What holds records, and changes, inserts, deletes, reads and selects them."""

from __future__ import annotations

from typing import Any

Record = dict[str, int]


def record(number: int) -> Record:
    return {f"f{field}": number + field for field in range(10)}


def records(count: int) -> dict[str, Record]:
    return {f"k{number}": record(number) for number in range(count)}


class Subject:
    """Made of the first records. Each operation leaves the next state in the subject."""

    name: str
    largest = 1_048_576
    """The largest number of records for which this is measured."""

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
        """The field f4 of a record."""
        raise NotImplementedError

    def select(self, limit: float) -> Any:
        """The records whose f3 is greater, in the order of f3."""
        raise NotImplementedError

    def observe(self, keys: list[str], calls: list[int]) -> None:
        """Adds an observer for each of these records, which counts its calls in calls[0]."""
        raise NotImplementedError

    def close(self) -> None:
        pass


def performs(subject: type[Subject], operation: str) -> bool:
    return getattr(subject, operation) is not getattr(Subject, operation)
