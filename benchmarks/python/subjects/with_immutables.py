"""immutables: maps in a map."""

from __future__ import annotations

from operator import itemgetter

from immutables import Map

from .subject import Record, Subject, records


class Immutables(Subject):
    name = "immutables"

    def __init__(self, count: int) -> None:
        self.records = Map({key: Map(each) for key, each in records(count).items()})

    def change(self, key: str, value: int) -> None:
        self.records = self.records.set(key, self.records[key].set("f5", value))

    def insert(self, key: str, record: Record) -> None:
        self.records = self.records.set(key, Map(record))

    def delete(self, key: str) -> None:
        self.records = self.records.delete(key)

    def read(self, key: str) -> int:
        return self.records[key]["f4"]

    def select(self, limit: float):
        found = (each for each in self.records.values() if each["f3"] > limit)
        return sorted(found, key=itemgetter("f3"))

    def snapshot(self):
        return self.records


SUBJECTS = [Immutables]
