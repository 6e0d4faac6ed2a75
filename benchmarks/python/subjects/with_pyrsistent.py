"""pyrsistent: maps in a map."""

from __future__ import annotations

from operator import itemgetter

import pyrsistent

from .subject import Record, Subject, records


class Pyrsistent(Subject):
    name = "pyrsistent"

    def __init__(self, count: int) -> None:
        self.state = pyrsistent.freeze({"records": records(count)})

    def change(self, key: str, value: int) -> None:
        self.state = self.state.transform(["records", key, "f5"], value)

    def insert(self, key: str, record: Record) -> None:
        self.state = self.state.transform(["records", key], pyrsistent.pmap(record))

    def delete(self, key: str) -> None:
        self.state = self.state.transform(["records", key], pyrsistent.discard)

    def read(self, key: str) -> int:
        return self.state["records"][key]["f4"]

    def select(self, limit: float):
        found = (each for each in self.state["records"].values() if each["f3"] > limit)
        return sorted(found, key=itemgetter("f3"))

    def snapshot(self):
        return self.state


SUBJECTS = [Pyrsistent]
