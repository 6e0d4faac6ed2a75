"""Operations on values."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import immutabledata as imd
from operation import Operation, chained, fresh, make_state, once, place, prepared


def operations(size: int) -> Iterator[Operation]:
    state = make_state(size)
    yield from reading(state)
    yield from setting(state, size)
    yield from setting_several(state, size)
    yield from changing_arrays(state)
    yield from comparing(state, size)
    yield from converting(state)


def reading(state: Any) -> Iterator[Operation]:
    records, rows = state["records"], state["rows"]
    yield once("read: a path", lambda: state.at("/records/k77/n"))
    yield once("read: keys", lambda: state.at(("records", "k77", "n")))
    yield once("read: each key", lambda: state["records"]["k77"]["n"])
    yield once("read an element: a path", lambda: state.at("/rows/77/n"))
    yield once("read an element: each key", lambda: state["rows"][77]["n"])
    yield once("find a member: get", lambda: records.get("k77"))
    yield once("find a member: in", lambda: "k77" in records)
    yield once("count the members", lambda: len(records))
    yield once("read the first member", lambda: next(iter(records.items())))
    yield once("read the first element", lambda: next(iter(rows)))
    yield once("read the last element", lambda: next(reversed(rows)))
    yield once("slice off the first element", lambda: rows[1:])
    yield once("slice the last ten elements", lambda: rows[-10:])
    yield once("whether it is identical", lambda: records.is_identical(state["records"]))


def setting(state: Any, size: int) -> Iterator[Operation]:
    def changing(name: str, change: Callable[[Any, str], Any]) -> Operation:
        return chained(name, state, lambda value, i: change(value, f"k{place(i, size)}"))

    yield changing("set: a path", lambda value, key: value.set(f"/records/{key}/n", fresh()))
    yield changing("set: keys", lambda value, key: value.set(("records", key, "n"), fresh()))
    yield changing(
        "set: change", lambda value, key: value.change(("records", key, "n"), lambda n: fresh())
    )
    yield changing(
        "update members of a part",
        lambda value, key: value.change(("records", key), lambda each: each.update(n=fresh())),
    )
    yield changing(
        "merge a member", lambda value, key: value.merge({"records": {key: {"n": fresh()}}})
    )
    yield changing(
        "patch a member",
        lambda value, key: value.patch(
            [{"op": "replace", "path": f"/records/{key}/n", "value": fresh()}]
        ),
    )


def setting_several(state: Any, size: int) -> Iterator[Operation]:
    records = state["records"]

    def members(changes: int) -> dict[str, int]:
        return {f"k{place(i, size)}": fresh() for i in range(changes)}

    yield once("set one of two members", lambda: state.set("/rows", 5))
    yield once("convert a dict of two members", lambda: imd.value({**state, "rows": 5}))
    yield prepared("set members: update", members, records.update)
    yield prepared("set members: |", members, lambda new: records | new)
    yield prepared("merge members", members, records.merge)


def changing_arrays(state: Any) -> Iterator[Operation]:
    rows, row = state["rows"], {"id": -1, "n": 0}
    yield once("append: append", lambda: rows.append(row))
    yield once("append: +", lambda: rows + [row])
    yield once("append: extend", lambda: rows.extend([row]))
    yield once("append: insert", lambda: rows.insert("/-", row))
    yield once("append at a path: insert", lambda: state.insert("/rows/-", row))
    yield once(
        "append at a path: change", lambda: state.change("/rows", lambda rows: rows.append(row))
    )
    yield once("insert the first element: a path", lambda: state.insert("/rows/0", row))
    yield once("insert the first element: keys", lambda: state.insert(("rows", 0), row))
    yield once("remove the first element: a path", lambda: state.remove("/rows/0"))
    yield once("remove the first element: keys", lambda: state.remove(("rows", 0)))
    yield prepared("extend", lambda changes: [row] * changes, rows.extend)


def comparing(state: Any, size: int) -> Iterator[Operation]:
    def changed(collection: str, changes: int) -> Any:
        value = state
        for i in range(changes):
            key = f"k{place(i, size)}" if collection == "records" else place(i, size)
            value = value.set((collection, key, "n"), fresh())
        return value

    def changed_members(changes: int) -> Any:
        return changed("records", changes)

    yield prepared("compare, changed members", changed_members, state.has_same_json)
    yield prepared("diff, changed members", changed_members, state.diff)
    yield prepared(
        "diff, changed elements", lambda changes: changed("rows", changes), state.diff
    )

    def changes_of(changes: int) -> Any:
        return state.diff(changed_members(changes))

    plain = state.to_python()
    yield prepared("patch", changes_of, state.patch)
    yield prepared(
        "patch plain data, O(n)", changes_of, lambda patch: imd.apply_patch(plain, patch)
    )
    last = state.set(("rows", size - 1, "n"), 0.5)
    yield once("compare by ==, the last element differs, O(n)", lambda: state == last)
    rows, others = state["rows"], imd.value([{"id": -1, "n": 0}] * size)
    yield once("compare by ==, all elements differ", lambda: rows == others)


def converting(state: Any) -> Iterator[Operation]:
    rows, records, text = state["rows"], state["records"], state.to_json()
    plain = state.to_python()
    yield once("write, O(n)", state.to_json)
    yield once("parse, O(n)", lambda: imd.from_json(text))
    yield once("convert plain data, O(n)", lambda: imd.value(plain))
    yield once("convert to plain data, O(n)", state.to_python)
    yield once("read all elements, O(n)", lambda: [row["n"] for row in rows])
    yield once("read all members, O(n)", lambda: [row["n"] for _, row in records.items()])
