"""pycrdt (Yrs): maps in a map of a document."""

from __future__ import annotations

from pycrdt import Doc, Map

from .subject import Record, Subject, records


class Pycrdt(Subject):
    name = "pycrdt"
    largest = 65_536

    def __init__(self, count: int) -> None:
        self.document = Doc()
        self.records = self.document.get("records", type=Map)
        with self.document.transaction():
            for key, each in records(count).items():
                self.records[key] = Map(each)

    def change(self, key: str, value: int) -> None:
        self.records[key]["f5"] = value

    def insert(self, key: str, record: Record) -> None:
        self.records[key] = Map(record)

    def delete(self, key: str) -> None:
        del self.records[key]

    def read(self, key: str) -> int:
        return self.records[key]["f4"]

    def select(self, limit: float):
        found = [each for each in self.records.to_py().values() if each["f3"] > limit]
        return sorted(found, key=lambda each: each["f3"])

    def observe(self, keys: list[str], calls: list[int]) -> None:
        def count(event) -> None:
            calls[0] += 1

        self.observed = [self.records[key] for key in keys]
        for each in self.observed:
            each.observe(count)


SUBJECTS = [Pycrdt]
