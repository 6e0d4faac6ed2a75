"""Loro: maps in a map of a document. Each operation commits a transaction."""

from __future__ import annotations

from loro import LoroDoc, LoroMap

from .subject import Record, Subject, records


class Loro(Subject):
    name = "loro"
    largest = 65_536

    def __init__(self, count: int) -> None:
        self.document = LoroDoc()
        self.records = self.document.get_map("records")
        for key, each in records(count).items():
            self._insert(key, each)
        self.document.commit()

    def _insert(self, key: str, record: Record) -> None:
        inserted = self.records.insert_container(key, LoroMap())
        for field, value in record.items():
            inserted.insert(field, value)

    def change(self, key: str, value: int) -> None:
        self.records.get(key).container.insert("f5", value)
        self.document.commit()

    def insert(self, key: str, record: Record) -> None:
        self._insert(key, record)
        self.document.commit()

    def delete(self, key: str) -> None:
        self.records.delete(key)
        self.document.commit()

    def read(self, key: str) -> int:
        return self.records.get(key).container.get("f4").value

    def select(self, limit: float):
        found = [each for each in self.records.get_deep_value().values() if each["f3"] > limit]
        return sorted(found, key=lambda each: each["f3"])

    def observe(self, keys: list[str], calls: list[int]) -> None:
        def count(event) -> None:
            calls[0] += 1

        self.subscriptions = [self.records.get(key).container.subscribe(count) for key in keys]


SUBJECTS = [Loro]
