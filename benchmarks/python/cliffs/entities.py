"""Operations of entities on a collection."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import immutabledata as imd
from operation import Operation, chained, fresh, once, place, prepared


def operations(size: int) -> Iterator[Operation]:
    rows = [{"id": f"k{i}", "n": place(i, size)} for i in range(size)]
    table = imd.entities()
    state = table.initial_state(rows)
    yield from changing(table, state, size)
    yield once("select an entity", lambda: table.select_by_id(state, "k77"))
    yield once("select all entities, O(n)", lambda: table.select_all(state))
    ordered = imd.entities(sort_by="n")
    yield from changing_sorted(ordered, ordered.initial_state(rows), size)


def new(i: int) -> dict[str, Any]:
    return {"id": f"new{fresh()}", "n": i}


def several(changes: int) -> list[dict[str, Any]]:
    return [new(i) for i in range(changes)]


def changing(table: Any, state: Any, size: int) -> Iterator[Operation]:
    def key(i: int) -> str:
        return f"k{place(i, size)}"

    def changes_by_key(changes: int) -> dict[str, Any]:
        return {key(i): {"n": fresh()} for i in range(changes)}

    def drafting(name: str, change: Callable[[Any, int], object]) -> Operation:
        @imd.drafting
        def reduce(draft: Any, changes: int) -> None:
            for i in range(changes):
                change(draft, i)

        return prepared(name, int, lambda changes: reduce(state, changes))

    yield chained("add an entity: add_one", state, lambda value, i: table.add_one(value, new(i)))
    yield chained("add an entity: set_one", state, lambda value, i: table.set_one(value, new(i)))
    yield chained(
        "add an entity: upsert_one", state, lambda value, i: table.upsert_one(value, new(i))
    )
    yield prepared("add several entities", several, lambda new: table.add_many(state, new))
    yield drafting(
        "add an entity: add_one in a draft", lambda draft, i: table.add_one(draft, new(i))
    )
    yield chained(
        "update an entity: update_one",
        state,
        lambda value, i: table.update_one(value, key(i), {"n": fresh()}),
    )
    yield chained(
        "update an entity: upsert_one",
        state,
        lambda value, i: table.upsert_one(value, {"id": key(i), "n": fresh()}),
    )
    yield prepared(
        "update several entities",
        changes_by_key,
        lambda changes: table.update_many(state, changes),
    )
    yield drafting(
        "update an entity: update_one in a draft",
        lambda draft, i: table.update_one(draft, key(i), {"n": fresh()}),
    )
    yield chained(
        "remove an entity, O(n)", state, lambda value, i: table.remove_one(value, key(i))
    )


def changing_sorted(table: Any, state: Any, size: int) -> Iterator[Operation]:
    def key(i: int) -> str:
        return f"k{place(i, size)}"

    yield chained("add an entity, sorted", state, lambda value, i: table.add_one(value, new(i)))
    yield chained(
        "update an entity, sorted",
        state,
        lambda value, i: table.update_one(value, key(i), {"n": fresh() % size}),
    )
    yield chained(
        "remove an entity, sorted", state, lambda value, i: table.remove_one(value, key(i))
    )
