"""What the page asks: paths and queries, and their answers as JSON."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any, Callable, NamedTuple, Protocol

import immutabledata as imd

from .blame import blame
from .events import Events
from .exports import devtools, json_lines
from .failures import InspectorError, UnknownStateError, not_found, only_live
from .first_true import first_true
from .levels import bounded, level, replaced, whole
from .live import memory
from .overview import LIMITS, groups
from .pointers import part_at, touched_inside
from .record import StoreRecord, described, details
from .row_index import BOUNDS
from .text import JSONText

_MOST_ROWS = 500
# How many dispatches that were rejected after a commit are described with it.
_MOST_REJECTED = 20


class Source(Protocol):
    """Where records come from: a program that runs, or a log."""

    source: str
    events: Events

    @property
    def records(self) -> Mapping[int, StoreRecord]: ...

    @property
    def size(self) -> int: ...

    def describe(self) -> dict[str, Any]: ...

    def request(self, record: StoreRecord, method: str, **params: Any) -> Any: ...

    def part(self, record: StoreRecord, number: int | None, pointer: str) -> tuple[int, Any]: ...

    def set_trace(self, is_wanted: bool) -> None: ...

    def close(self) -> None: ...


class Download(NamedTuple):
    """A file, in pieces."""

    name: str
    type: str
    pieces: Iterator[str]


Query = Mapping[str, str]


class Api:
    """Answers requests of the page."""

    def __init__(self, source: Source) -> None:
        self.source = source

    def get(self, path: Sequence[str], query: Query) -> dict[str, Any] | Any:
        """The answer to a GET. Raises InspectorError: there is none."""
        if list(path) == ["program"]:
            return self.program()
        record = self._record(path)
        if path[2] == "commit" and len(path) == 4:
            return self._commit(record, _whole_number(path[3], "the commit"))
        answer = _GETS.get(path[2]) if len(path) == 3 else None
        if answer is None:
            raise not_found("there is nothing at this path")
        return answer(self, record, query)

    def post(self, path: Sequence[str], body: Mapping[str, Any]) -> Any:
        """The answer to a POST. Raises InspectorError: there is none."""
        record = self._record(path)
        answer = _POSTS.get(path[2]) if len(path) == 3 else None
        if answer is None:
            raise not_found("there is nothing at this path")
        return answer(self, record, body)

    def _record(self, path: Sequence[str]) -> StoreRecord:
        if len(path) < 3 or path[0] != "stores":
            raise not_found("there is nothing at this path")
        record = self.source.records.get(_whole_number(path[1], "the store"))
        if record is None:
            raise not_found(f"there is no store {path[1]}")
        return record

    # ---- The program -----------------------------------------------------------------------------

    def program(self) -> dict[str, Any]:
        source = self.source
        return {
            **source.describe(),
            "source": source.source,
            "stores": [record.describe() for _, record in sorted(source.records.items())],
            "memory": {"server": memory(), "database": source.size},
            "limits": LIMITS,
        }

    def commits_event(self, number: int) -> dict[str, Any] | None:
        record = self.source.records.get(number)
        if record is None:
            return None
        described = record.describe()
        return {
            "store": number,
            "total": described["commits"],
            "first": described["first"],
            "last": described["last"],
        }

    # ---- Commits ---------------------------------------------------------------------------------

    def _commits(self, record: StoreRecord, query: Query) -> Any:
        """The rows from an index on, or the page of `count` rows that has a commit: `row` is the
        index of the commit, or of the next one.
        """
        keys = _filtered(record, query)
        start = _number(query, "from", 0)
        count = min(_number(query, "count", _MOST_ROWS), _MOST_ROWS)
        found = {}
        if "commit" in query:
            key = record.commits.removed + record.commits.position(_number(query, "commit", 0))
            row = max(min(bisect_left(keys, key), len(keys) - 1), 0)
            start = row - row % max(count, 1)
            found = {"row": row, "from": start}
        rows = record.commits.short(keys[start : start + count])
        shown_rows = [described(row, index) for index, row in enumerate(rows, start)]
        return {"total": len(keys), "rows": shown_rows, **found}

    def _commit(self, record: StoreRecord, number: int) -> Any:
        row = record.commit(number)
        answer = {**details(row), "patch": None}
        rejected = record.commits.rejected_after(number, _MOST_REJECTED)
        if rejected:
            answer["rejected"] = [
                {"time": each.time, "message": each.rejected, "action": JSONText(each.action)}
                for each in rejected
            ]
        if row.patch is not None:
            patch = imd.from_json(row.patch)
            answer["patch"], is_cut = bounded(patch)
            with suppress(UnknownStateError):
                before = record.state(number - 1)[1]
                for operation, old in zip(answer["patch"], replaced(before, patch)):
                    operation.update(old)
            if is_cut:
                answer["patchTruncated"] = True
        return answer

    def _blame(self, record: StoreRecord, query: Query) -> Any:
        before = _number(query, "before", None)
        count = min(_number(query, "count", 20), 200)
        return {"commits": blame(record, query.get("path", ""), before, count)}

    def _export(self, record: StoreRecord, query: Query) -> Any:
        kind = query.get("format", "jsonl")
        name = f"store-{record.number}"
        if kind == "jsonl":
            return Download(f"{name}.jsonl", "application/jsonl", json_lines(record))
        if kind == "devtools":
            return Download(f"{name}.json", "application/json", devtools(record))
        raise InspectorError("invalid", "format is jsonl or devtools")

    # ---- States ----------------------------------------------------------------------------------

    def _state(self, record: StoreRecord, query: Query) -> Any:
        path = query.get("path", "")
        start, count = _number(query, "from", 0), _number(query, "count", 200)
        number, part = self._part(record, query, path)
        row = record.commits.get(number)
        patch = "[]" if row is None or row.patch is None else row.patch
        touched = touched_inside(imd.from_json(patch), path)
        return {"commit": number, "path": path, **level(part, touched, start, count)}

    def _value(self, record: StoreRecord, query: Query) -> Any:
        number, part = self._part(record, query, query.get("path", ""))
        return {"commit": number, "value": whole(part)}

    def _part(self, record: StoreRecord, query: Query, path: str) -> tuple[int, Any]:
        """The number of the commit that was asked for, and the part of its state at a path."""
        given = query.get("commit", "latest")
        number = None if given == "latest" else _whole_number(given, "commit")
        if not record.has_patches:
            return self.source.part(record, number, path)
        number, state = record.state(number)
        return number, part_at(state, path)

    def _compare(self, record: StoreRecord, query: Query) -> Any:
        before = record.state(_number(query, "from", record.last))[1]
        after = record.state(_number(query, "to", record.last))[1]
        if isinstance(before, imd.Value) and isinstance(after, imd.Value):
            other: Any = after
            try:
                patch: Any = before.diff(other)
            except imd.LimitError as error:
                raise InspectorError("limit", f"too much has changed: {error}", 413) from None
        elif type(before) is type(after) and before == after:
            patch = []
        else:
            patch = [{"op": "replace", "path": "", "value": after}]
        operations, is_cut = bounded(patch)
        return {"patch": operations, "truncated": is_cut}

    # ---- What only the program knows -------------------------------------------------------------

    def _describe(self, record: StoreRecord, query: Query) -> Any:
        return record.selectors.added_to(self.source.request(record, "describe"))

    def _statistics(self, record: StoreRecord, query: Query) -> Any:
        return groups(self.source.request(record, "statistics"))

    def _history(self, record: StoreRecord, query: Query) -> Any:
        options = {name: _number(query, name, 0) for name in ("from", "count") if name in query}
        return self.source.request(record, "history", **options)

    def _select(self, record: StoreRecord, body: Mapping[str, Any]) -> Any:
        if "expression" in body and "commit" in body and record.has_patches:
            return self._evaluate(record, body)
        names = ("expression", "selector", "arguments")
        return self._live(record, "select", {name: body[name] for name in names if name in body})

    def _evaluate(self, record: StoreRecord, body: Mapping[str, Any]) -> Any:
        """Evaluates an expression for the state after a commit, here and not in the program."""
        expression, arguments = _expression(body)
        number, state = record.state(_whole_number(str(body["commit"]), "commit"))
        with imd.Store(lambda state, action: state, state) as store:
            return {"commit": number, "value": whole(store.query(expression, arguments=arguments))}

    def _first(self, record: StoreRecord, body: Mapping[str, Any]) -> Any:
        """The first commit after which an expression is true, or from where to look further."""
        if not record.has_patches:
            raise UnknownStateError("the states of this store are not known")
        start = body.get("from")
        number = None if start is None else _whole_number(str(start), "from")
        return first_true(record, *_expression(body), number)

    def _dispatch(self, record: StoreRecord, body: Mapping[str, Any]) -> Any:
        return self._live(record, "dispatch", {"action": body.get("action")})

    def _undo(self, record: StoreRecord, body: Mapping[str, Any]) -> Any:
        return self._live(record, "undo", {"steps": body.get("steps", 1)})

    def _redo(self, record: StoreRecord, body: Mapping[str, Any]) -> Any:
        return self._live(record, "redo", {"steps": body.get("steps", 1)})

    def _travel(self, record: StoreRecord, body: Mapping[str, Any]) -> Any:
        return self._live(record, "travel", {"step": body.get("step")})

    def _live(self, record: StoreRecord, method: str, params: dict[str, Any]) -> Any:
        if self.source.source != "live":
            raise only_live(method)
        return self.source.request(record, method, **params)


def _expression(body: Mapping[str, Any]) -> tuple[str, Mapping[str, Any]]:
    expression, arguments = body.get("expression"), body.get("arguments", {})
    if not isinstance(expression, str) or not isinstance(arguments, Mapping):
        raise InspectorError("invalid", "an expression is text, and arguments are an object")
    return expression, arguments


def _filtered(record: StoreRecord, query: Query) -> Sequence[int]:
    bounds = tuple((name, _number(query, name, 0)) for name in BOUNDS if query.get(name))
    return record.indexes.keys(query.get("search", ""), query.get("type", ""), bounds)


def _number(query: Query, name: str, default: Any) -> Any:
    return _whole_number(query[name], name) if name in query else default


def _whole_number(text: str, role: str) -> int:
    if not text.isascii() or not text.isdigit() or len(text) > 18:
        raise InspectorError("invalid", f"{role} is a whole number, not {text[:40]!r}")
    return int(text)


_GETS: Mapping[str, Callable[[Api, StoreRecord, Query], Any]] = {
    "commits": Api._commits,
    "state": Api._state,
    "value": Api._value,
    "compare": Api._compare,
    "blame": Api._blame,
    "describe": Api._describe,
    "statistics": Api._statistics,
    "history": Api._history,
    "export": Api._export,
}
_POSTS: Mapping[str, Callable[[Api, StoreRecord, Mapping[str, Any]], Any]] = {
    "select": Api._select,
    "first": Api._first,
    "dispatch": Api._dispatch,
    "undo": Api._undo,
    "redo": Api._redo,
    "travel": Api._travel,
}
