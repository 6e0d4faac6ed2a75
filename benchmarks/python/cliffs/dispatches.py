"""Dispatches: in each form, to each kind of reducer."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, ClassVar

import immutabledata as imd
from operation import Operation, each, fresh, make_state, place, prepared


def reduce(state: Any, action: Any) -> Any:
    payload = action["payload"]
    return state.set(("records", payload["id"], "n"), payload["n"])


@imd.drafting
def reduce_draft(draft: Any, action: Any) -> None:
    payload = action["payload"]
    draft["records"][payload["id"]]["n"] = payload["n"]


@dataclass(frozen=True)
class Set:
    type: ClassVar[str] = "set"
    id: str
    n: int


def reduce_set(state: Any, action: Set) -> Any:
    return state.set(("records", action.id, "n"), action.n)


SCHEMA: Any = {
    "actions": {
        "set": {
            "type": "object",
            "properties": {"id": {"type": "string"}, "n": {"type": "integer"}},
            "required": ["id", "n"],
        }
    }
}

records = imd.Slice("records", {})
combined = imd.combine(records=records, rows=imd.Slice("rows", []))


@records.on
def renamed(draft: Any, action: Any) -> None:
    draft[action["payload"]["id"]]["n"] = action["payload"]["n"]


@records.on
def numbered(draft: Any, *, id: str, n: int) -> None:
    draft[id]["n"] = n


def operations(size: int) -> Iterator[Operation]:
    state = make_state(size)

    def payload(i: int) -> dict[str, Any]:
        return {"id": f"k{place(i, size)}", "n": fresh()}

    yield from dispatching(imd.Store(reduce, state), payload)
    yield from dispatching_slices(imd.Store(combined, state), payload)
    drafting = imd.Store(reduce_draft, state)
    yield each("dispatch: to a drafting reducer", lambda i: drafting.dispatch("set", payload(i)))
    checked = imd.Store(reduce, state, schema=SCHEMA)
    yield each("dispatch: with a schema", lambda i: checked.dispatch("set", payload(i)))
    yield from dispatching_instances(imd.Store(reduce_set, state), size)


def dispatching(store: Any, payload: Callable[[int], Any]) -> Iterator[Operation]:
    def action(i: int) -> dict[str, Any]:
        return {"type": "set", "payload": payload(i)}

    def actions(changes: int) -> list[dict[str, Any]]:
        return [action(i) for i in range(changes)]

    def values(changes: int) -> list[Any]:
        return [imd.value(action(i)) for i in range(changes)]

    meta = {"by": "test"}
    yield each("dispatch: a type and a payload", lambda i: store.dispatch("set", payload(i)))
    yield each("dispatch: a dict", lambda i: store.dispatch(action(i)))
    yield each(
        "dispatch with meta: a type and a payload",
        lambda i: store.dispatch("set", payload(i), meta=meta),
    )
    yield each(
        "dispatch with meta: a dict", lambda i: store.dispatch({**action(i), "meta": meta})
    )
    yield prepared(
        "dispatch: a batch", int, lambda changes: store.dispatch_batch(actions(changes))
    )
    yield prepared("preview", actions, store.preview)
    yield prepared(
        "dispatch of values", values, lambda values: [store.dispatch(each) for each in values]
    )


def dispatching_slices(store: Any, payload: Callable[[int], Any]) -> Iterator[Operation]:
    yield each(
        "dispatch to a slice: a type and a payload",
        lambda i: store.dispatch("records/renamed", payload(i)),
    )
    yield each("dispatch to a slice: a creator", lambda i: store.dispatch(renamed(payload(i))))
    yield each(
        "dispatch to a slice: a creator with keywords",
        lambda i: store.dispatch(numbered(**payload(i))),
    )


def dispatching_instances(store: Any, size: int) -> Iterator[Operation]:
    """Without the construction of the instances."""

    def sets(changes: int) -> list[Set]:
        return [Set(f"k{place(i, size)}", fresh()) for i in range(changes)]

    yield prepared(
        "dispatch: instances", sets, lambda sets: [store.dispatch(each) for each in sets]
    )
    yield prepared("dispatch: a batch of instances", sets, store.dispatch_batch)
