"""python-redux: an immutable class with a dict, which a reducer copies."""

from __future__ import annotations

from dataclasses import replace
from operator import itemgetter

from immutable import Immutable
from redux import AutorunOptions, BaseAction, InitAction, Store, StoreOptions

from .subject import Record, Subject, records


class State(Immutable):
    records: dict[str, Record]


class Changed(BaseAction):
    id: str
    value: int


class Inserted(BaseAction):
    id: str
    record: Record


class Deleted(BaseAction):
    id: str


class PythonRedux(Subject):
    name = "python-redux"

    def __init__(self, count: int) -> None:
        def reduce(state, action):
            if isinstance(action, InitAction):
                return State(records=records(count))
            if isinstance(action, Changed):
                changed = {**state.records[action.id], "f5": action.value}
                return replace(state, records={**state.records, action.id: changed})
            if isinstance(action, Inserted):
                return replace(state, records={**state.records, action.id: action.record})
            if isinstance(action, Deleted):
                rest = state.records.copy()
                del rest[action.id]
                return replace(state, records=rest)
            return state

        # The threads are for events, and this store has none.
        self.store = Store(reduce, StoreOptions(auto_init=True, side_effect_threads=0))

    def change(self, key: str, value: int) -> None:
        self.store.dispatch(Changed(id=key, value=value))

    def insert(self, key: str, record: Record) -> None:
        self.store.dispatch(Inserted(id=key, record=record))

    def delete(self, key: str) -> None:
        self.store.dispatch(Deleted(id=key))

    def read(self, key: str) -> int:
        return self.store._state.records[key]["f4"]

    def select(self, limit: float):
        found = (each for each in self.store._state.records.values() if each["f3"] > limit)
        return sorted(found, key=itemgetter("f3"))

    def observe(self, keys: list[str], calls: list[int]) -> None:
        def count(record: Record) -> None:
            calls[0] += 1

        options = AutorunOptions(initial_call=False)
        self.runs = [
            self.store.autorun(lambda state, key=key: state.records[key], options=options)(count)
            for key in keys
        ]

    def close(self) -> None:
        self.store.clean_up()


SUBJECTS = [PythonRedux]
