"""immutabledata: a store with a reducer, with a drafting reducer, and a value without a store."""

from __future__ import annotations

import immutabledata as imd

from .subject import Record, Subject, records

HIGH = "sort_by(records.* | [?f3 > $limit], &f3)"


def reduce(state, action):
    payload = action["payload"]
    key = payload["id"]
    if action["type"] == "changed":
        return state.set(("records", key, "f5"), payload["value"])
    if action["type"] == "inserted":
        return state.set(("records", key), payload["record"])
    return state.remove(("records", key))


@imd.drafting
def draft(draft, action):
    payload = action["payload"]
    key = payload["id"]
    if action["type"] == "changed":
        draft["records"][key]["f5"] = payload["value"]
    elif action["type"] == "inserted":
        draft["records"][key] = payload["record"]
    else:
        del draft["records"][key]


class Store(Subject):
    name = "immutabledata, reducer"
    reducer = staticmethod(reduce)

    history: dict[str, int] | None = None

    def __init__(self, count: int) -> None:
        state = {"records": records(count)}
        self.store = imd.Store(self.reducer, state=state, history=self.history)
        self.store.define("record", "get(records, $id)")

    def change(self, key: str, value: int) -> None:
        self.store.dispatch("changed", {"id": key, "value": value})

    def insert(self, key: str, record: Record) -> None:
        self.store.dispatch("inserted", {"id": key, "record": record})

    def delete(self, key: str) -> None:
        self.store.dispatch("deleted", {"id": key})

    def read(self, key: str) -> int:
        return self.store.state["records"][key]["f4"]

    def select(self, limit: float):
        return self.store.query(HIGH, limit=limit)

    def observe(self, keys: list[str], calls: list[int]) -> None:
        def count(output) -> None:
            calls[0] += 1

        for key in keys:
            self.store.observe("record", count, arguments={"id": key}, initial=False)

    def close(self) -> None:
        self.store.close()


class DraftingStore(Store):
    name = "immutabledata, drafting reducer"
    reducer = staticmethod(draft)
    read = Subject.read
    select = Subject.select
    observe = Subject.observe


class StoreWithHistory(Store):
    """Keeps its states itself."""

    name = "immutabledata, store with history"
    history = {"limit": Store.steps}

    def snapshot(self) -> None:
        pass


class Value(Subject):
    name = "immutabledata, value without a store"

    def __init__(self, count: int) -> None:
        self.value = imd.value(records(count))

    def change(self, key: str, value: int) -> None:
        self.value = self.value.set((key, "f5"), value)

    def insert(self, key: str, record: Record) -> None:
        self.value = self.value.set((key,), record)

    def delete(self, key: str) -> None:
        self.value = self.value.remove((key,))

    def read(self, key: str) -> int:
        return self.value[key]["f4"]

    def snapshot(self) -> imd.Value:
        return self.value


SUBJECTS = [Store, DraftingStore, Value]
