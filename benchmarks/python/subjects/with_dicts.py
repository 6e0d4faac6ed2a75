"""Plain dicts: a change copies the path to it, so that the previous state remains."""

from __future__ import annotations

from operator import itemgetter

from .subject import Record, Subject, records


class Dicts(Subject):
    name = "copy of dicts"
    steps = 100

    def __init__(self, count: int) -> None:
        self.state = {"records": records(count)}

    def change(self, key: str, value: int) -> None:
        state = self.state
        record = {**state["records"][key], "f5": value}
        self.state = {**state, "records": {**state["records"], key: record}}

    def insert(self, key: str, record: Record) -> None:
        self.state = {**self.state, "records": {**self.state["records"], key: record}}

    def delete(self, key: str) -> None:
        rest = self.state["records"].copy()
        del rest[key]
        self.state = {**self.state, "records": rest}

    def read(self, key: str) -> int:
        return self.state["records"][key]["f4"]

    def select(self, limit: float):
        found = (each for each in self.state["records"].values() if each["f3"] > limit)
        return sorted(found, key=itemgetter("f3"))

    def snapshot(self):
        return self.state


SUBJECTS = [Dicts]
