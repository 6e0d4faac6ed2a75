"""Operations on drafts, each by a reducer that changes one."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import immutabledata as imd
from operation import MANY, Begin, Operation, fresh, make_state, place

Change = Callable[[Any, int], object]


def operations(size: int) -> Iterator[Operation]:
    state = make_state(size)
    yield from changing_records(state, size)
    yield from changing_arrays(state, size)
    yield from changing_slices(state)
    yield from changing_all(state)


def drafting(
    name: str, state: Any, change: Callable[[Any, int], object], touched: bool = False
) -> Operation:
    """A change of a draft, and the end of the reducer. Touched: as many rows were changed before."""

    def run(begin: Begin, changes: int) -> None:
        @imd.drafting
        def reduce(draft: Any, action: None) -> None:
            if touched:
                for i in range(changes):
                    draft["rows"][place(i, len(draft["rows"]))]["n"] = fresh()
            begin()
            change(draft, changes)

        reduce(state, None)

    return Operation(name, run, (1,) if name.endswith("O(n)") else MANY)


def changing_records(state: Any, size: int) -> Iterator[Operation]:
    def key(i: int) -> str:
        return f"k{place(i, size)}"

    def set_members(draft: Any, changes: int) -> None:
        for i in range(changes):
            draft["records"][key(i)]["n"] = fresh()

    def set_of_local(draft: Any, changes: int) -> None:
        records = draft["records"]
        for i in range(changes):
            records[key(i)]["n"] = fresh()

    def update(draft: Any, changes: int) -> None:
        for i in range(changes):
            draft["records"][key(i)].update(n=fresh())

    def add_to(draft: Any, changes: int) -> None:
        for i in range(changes):
            draft["records"][key(i)]["n"] += 1_000

    def add(draft: Any, changes: int) -> None:
        for i in range(changes):
            draft["records"][f"new{i}"] = {"id": i, "n": fresh()}

    def remove(draft: Any, changes: int) -> None:
        for i in range(changes):
            del draft["records"][key(i)]

    def pop(draft: Any, changes: int) -> None:
        for i in range(changes):
            draft["records"].pop(key(i))

    yield drafting("set in a draft: keys", state, set_members)
    yield drafting("set in a draft: a part", state, set_of_local)
    yield drafting("set in a draft: update", state, update)
    yield drafting("set in a draft: +=", state, add_to)
    yield drafting("add a member to a draft", state, add)
    yield drafting("remove a member of a draft: del", state, remove)
    yield drafting("remove a member of a draft: pop", state, pop)


def each(change: Callable[[Any, int], object]) -> Change:
    """A change for each of a number of rows."""

    def run(draft: Any, changes: int) -> None:
        rows = draft["rows"]
        for i in range(changes):
            change(rows, i)

    return run


def delete(rows: Any, at: Any) -> None:
    del rows[at]


def assign(rows: Any, at: Any, data: Any) -> None:
    rows[at] = data


def add_to(rows: Any, i: int) -> None:
    rows += [{"n": i}]


def changing_arrays(state: Any, size: int) -> Iterator[Operation]:
    """Each with untouched rows, and with as many that were changed before."""
    changes: dict[str, Change] = {
        "append to a draft: append": each(lambda rows, i: rows.append({"n": i})),
        "append to a draft: +=": each(add_to),
        "append to a draft: extend": each(lambda rows, i: rows.extend([{"n": i}])),
        "insert first into a draft: insert": each(lambda rows, i: rows.insert(0, {"n": i})),
        "insert first into a draft: a slice": each(
            lambda rows, i: assign(rows, slice(0, 0), [{"n": i}])
        ),
        "insert in the middle of a draft": each(
            lambda rows, i: rows.insert(place(i, size), {"n": i})
        ),
        "remove last from a draft: pop": each(lambda rows, i: rows.pop()),
        "remove last from a draft: del": each(lambda rows, i: delete(rows, -1)),
        "remove first from a draft: pop": each(lambda rows, i: rows.pop(0)),
        "remove first from a draft: del": each(lambda rows, i: delete(rows, 0)),
        "remove in the middle of a draft": each(
            lambda rows, i: delete(rows, place(i, size - 200))
        ),
        "insert, then change": each(
            lambda rows, i: (rows.insert(0, i), assign(rows[place(i, 500) + i + 1], "n", i))
        ),
    }
    for name, change in changes.items():
        yield drafting(name, state, change)
        job, colon, form = name.partition(": ")
        yield drafting(f"{job}, changed{colon}{form}", state, change, touched=True)


def changing_slices(state: Any) -> Iterator[Operation]:
    def rows(changes: int) -> list[dict[str, int]]:
        return [{"n": i} for i in range(changes)]

    def extend(draft: Any, changes: int) -> None:
        draft["rows"].extend(rows(changes))

    def remove(draft: Any, changes: int) -> None:
        del draft["rows"][5 : 5 + changes]

    def remove_with_step(draft: Any, changes: int) -> None:
        del draft["rows"][: 3 * changes : 3]

    def insert(draft: Any, changes: int) -> None:
        draft["rows"][5:5] = rows(changes)

    def replace(draft: Any, changes: int) -> None:
        draft["rows"][5 : 5 + changes] = rows(changes)

    for name, change in {
        "extend a draft": extend,
        "remove a slice of a draft": remove,
        "remove a slice with a step of a draft": remove_with_step,
        "insert a slice into a draft": insert,
        "replace a slice of a draft": replace,
    }.items():
        yield drafting(name, state, change)
        yield drafting(f"{name}, changed", state, change, touched=True)


def changing_all(state: Any) -> Iterator[Operation]:
    def filter_draft(draft: Any, changes: int) -> None:
        draft["rows"] = [row for row in draft["rows"] if row["n"] < 50]

    def filter_value(draft: Any, changes: int) -> None:
        draft["rows"] = [row for row in imd.value(draft["rows"]) if row["n"] < 50]

    def change_all(draft: Any, changes: int) -> None:
        for row in draft["rows"]:
            row["n"] += 1

    yield drafting("filter a draft, O(n)", state, filter_draft)
    yield drafting("filter the value of a draft, O(n)", state, filter_value)
    yield drafting("change all of a draft, O(n)", state, change_all)
    yield drafting("reverse a draft, O(n)", state, lambda draft, changes: draft["rows"].reverse())
    yield drafting(
        "sort a draft, O(n)",
        state,
        lambda draft, changes: draft["rows"].sort(key=lambda row: row["n"]),
    )
    yield drafting("clear a draft", state, lambda draft, changes: draft["rows"].clear())
