"""Drafts: reducers written as changes to dicts and lists."""

from __future__ import annotations

import functools
import operator
import sys
from collections.abc import Iterable, Iterator, Mapping, MutableMapping, MutableSequence, Sequence
from ctypes import ArgumentError
from typing import Any, Callable, overload

from ..errors import ClosedError, InvalidArgumentError, LimitError, ReducerFailedError
from .json_text import is_array
from .preview import preview
from .reference import Held
from .value import ObjectValue, Value, value

Reducer = Callable[[Any, Any], Any]
"""Makes the next state of a state and an action."""


def drafting(reducer: Reducer, /) -> Reducer:
    """Lets a reducer change a draft of the state; what it did to it makes the next state.

        @imd.drafting
        def reduce(draft, action):
            if action["type"] == "renamed":
                draft["names"][action["payload"]["id"]] = action["payload"]["name"]

    A draft is used as the dict or list that it stands for. What is in it comes out as drafts too;
    dicts and lists that are put into it may still be changed. The keys of an object are in
    ascending order. The next state shares with the state all that was not changed; if nothing was,
    it is the state.

    The reducer returns None or the draft; or a next state of its own, if it did not change the
    draft. A draft is of no use after that: it then raises ClosedError. To keep what it holds,
    take immutabledata.value(draft).

    A reducer that is handed a draft changes that one, so that reducers may call each other with
    parts of theirs. A state that is no object or array is handed over as it is.

    Complexity: O(k log n), k the number of parts that were looked at or changed.
    """

    @functools.wraps(reducer)
    def reduce(state: Any, action: Any) -> Any:
        return produce(reducer, state, action)

    return reduce


def produce(recipe: Callable[..., Any], state: Any, *arguments: Any) -> Any:
    """What a recipe makes of a state by changing its draft; as drafting has it."""
    before = state if isinstance(state, Draft) else value(state)
    if not isinstance(before, Value):
        made = recipe(before, *arguments)
        return before if made is None else made
    scope = _Scope()
    draft = _draft(before, scope)
    try:
        made = recipe(draft, *arguments)
        after = draft._settle()
        if made is None or made is draft:
            return after
        if after is not before:
            raise ReducerFailedError(
                "the reducer changed its draft and returned something else; it may do only one of "
                "the two"
            )
        # While the scope is open, as there may be drafts in it.
        return value(made)
    finally:
        scope.is_open = False


def peek(container: Any, step: str | int) -> Any:
    """What is at a key or index, without making a draft of it."""
    if isinstance(container, Draft):
        place = container._children.get(step)
        return container._made()[step] if place is None else place[0]
    return container[step]


class _Scope:
    """How long the drafts of one call may be used."""

    __slots__ = ("is_open",)

    def __init__(self) -> None:
        self.is_open = True


_Change = tuple[tuple[Any, ...], Any]
"""Where in a Value something is to be set, and what."""


class Draft(Held):
    """A Value that is being changed.

    Scalars and Values that are put into it go into its own Value. But the first scalar waits: if
    it stays alone, it is set from the root, which changes all levels at once. What may change after
    it was put in stands beside, with the Value that was written for it, and is written when the
    draft is settled.
    """

    __slots__ = ("_before", "_children", "_is_written", "_last", "_now", "_scope", "_settling")

    def __init__(self, before: Any, scope: _Scope) -> None:
        self._before = before
        self._now = before
        self._last: tuple[Any, Any] | None = None
        self._children: dict[Any, tuple[Any, Value | None]] = {}
        self._scope = scope
        self._is_written = False
        self._settling = False

    def _share(self) -> Value:
        """The Value that the draft stands for now; that from before, if it equals it."""
        self._begin_settling()
        try:
            self._made()
            for step, (child, written) in self._children.items():
                if isinstance(child, Draft):
                    part = child._share()
                    if part is not written:
                        self._now = self._now.set(step, part)
                        self._children[step] = child, part
                        # It was written when the draft was looked at, and changed back since.
                        self._is_written |= part is child._before
                else:
                    self._now = self._now.set(step, child)
        except _TOO_DEEP:
            raise _too_deep() from None
        finally:
            self._settling = False
        return self._unless_equal()

    def _settle(self) -> Value:
        """The same for the last time."""
        try:
            change = self._change(self._before)
        except _TOO_DEEP:
            raise _too_deep() from None
        if change is not None:
            self._now = self._before.set(*change)
        now: Value = self._now
        return now

    def _change(self, there: Value | None) -> _Change | None:
        """What makes of the Value that is there, of which this is the draft, what it stands for."""
        self._begin_settling()
        try:
            changes = [] if self._last is None else [((self._last[0],), self._last[1])]
            for step, (child, written) in self._children.items():
                change = child._change(written) if isinstance(child, Draft) else ((), child)
                if change is not None:
                    path, data = change
                    changes.append(((step, *path), data))
                    self._is_written |= isinstance(child, Draft) and data is child._before
        finally:
            self._settling = False
        if self._now is there and not self._is_written and len(changes) < 2:
            return changes[0] if changes else None
        for change in changes:
            self._now = self._now.set(*change)
        now = self._unless_equal()
        return None if now is there else ((), now)

    def _begin_settling(self) -> None:
        self._check()
        if self._settling:
            raise InvalidArgumentError("a draft cannot hold itself")
        self._settling = True

    def _unless_equal(self) -> Value:
        # If only drafts in it were written, and they differ, then so does it: no need to look.
        if self._is_written and self._before.writes_the_same_as(self._now):
            self._now = self._before
        now: Value = self._now
        return now

    def _write(self, now: Value) -> None:
        self._now = now
        self._is_written = True

    def _set(self, step: str | int, data: Any) -> None:
        """Puts in what does not change any more."""
        if self._last is not None and self._last[0] != step:
            self._made()
        if self._is_written or not (_is_sure(step) and _is_sure(data)):
            self._last = None
            self._write(self._now.set(step, data))
        else:
            self._last = None if self._has(step, data) else (step, data)
        self._children.pop(step, None)

    def _has(self, step: str | int, data: Any) -> bool:
        try:
            there = self._now[step]
        except KeyError:
            return False
        return type(there) is type(data) and bool(there == data)

    def _made(self) -> Any:
        """The draft's own Value, with the last change made."""
        if self._last is not None:
            (step, data), self._last = self._last, None
            self._write(self._now.set(step, data))
        return self._now

    def _check(self) -> None:
        if not self._scope.is_open:
            raise ClosedError(
                "the draft was used after its reducer returned; to keep what a draft holds, take "
                "immutabledata.value(draft)"
            )

    def _child(self, step: str | int) -> Any:
        """What is at a step, as a draft if it is an object or array."""
        place = self._children.get(step)
        if place is not None:
            return place[0]
        if self._last is not None:
            self._made()
        part = self._now[step]
        if not isinstance(part, Value):
            return part
        child = _draft(part, self._scope)
        self._children[step] = child, part
        return child

    def __len__(self) -> int:
        self._check()
        return len(self._made())

    def __eq__(self, other: object) -> bool:
        return self is other or self._share() == other

    def __repr__(self) -> str:
        if not self._scope.is_open:
            return "<immutabledata.Draft closed>"
        return f"<immutabledata.Draft {preview(self._share())}>"

    def __copy__(self) -> Value:
        return self._share()

    def __deepcopy__(self, memo: object) -> Value:
        return self._share()

    def __reduce__(self) -> str:
        raise TypeError("a draft cannot be pickled; take immutabledata.value(draft)")


class ObjectDraft(Draft, MutableMapping[str, Any]):
    """A JSON object that is being changed."""

    __slots__ = ()

    def __getitem__(self, key: str) -> Any:
        self._check()
        return self._child(key)

    def __setitem__(self, key: str, data: Any) -> None:
        self._check()
        if not isinstance(key, str):
            raise TypeError(f"a key of an object is a str, not {type(key).__name__}")
        if not _may_change(data):
            self._set(key, data)
        elif key not in self._children or self._children[key][0] is not data:
            now = self._made()
            self._write(now if key in now else now.set(key, None))
            self._children[key] = data, None

    def __delitem__(self, key: str) -> None:
        self._check()
        now = self._made()
        if key not in now:
            raise KeyError(key)
        self._write(now.remove(key))
        self._children.pop(key, None)

    def __iter__(self) -> Iterator[str]:
        self._check()
        return iter(self._made())

    def __contains__(self, key: object) -> bool:
        self._check()
        return key in self._made()

    def __ior__(self, members: Any) -> ObjectDraft:
        self.update(members)
        return self

    def clear(self) -> None:
        self._check()
        self._last = None
        self._write(value({}))
        self._children = {}


class ArrayDraft(Draft, MutableSequence[Any]):
    """A JSON array that is being changed."""

    __slots__ = ()

    @overload
    def __getitem__(self, index: int) -> Any: ...

    @overload
    def __getitem__(self, index: slice) -> list[Any]: ...

    def __getitem__(self, index: int | slice) -> Any:
        self._check()
        if isinstance(index, slice):
            return [self._child(at) for at in range(*index.indices(len(self)))]
        return self._child(self._at(index))

    @overload
    def __setitem__(self, index: int, data: Any) -> None: ...

    @overload
    def __setitem__(self, index: slice, data: Iterable[Any]) -> None: ...

    def __setitem__(self, index: int | slice, data: Any) -> None:
        self._check()
        if isinstance(index, slice):
            self._replace(range(*index.indices(len(self))), list(data))
        else:
            self._put(self._at(index), data)

    def __delitem__(self, index: int | slice) -> None:
        self._check()
        if isinstance(index, slice):
            for at in sorted(range(*index.indices(len(self))), reverse=True):
                self._take_out(at)
        else:
            self._take_out(self._at(index))

    def insert(self, index: int, data: Any) -> None:
        self._check()
        count = len(self)
        at = min(max(index + count if index < 0 else index, 0), count)
        stays = _may_change(data)
        self._write(self._made().insert(at, None if stays else data))
        self._shift(at, 1)
        if stays:
            self._children[at] = data, None

    def __add__(self, elements: Sequence[Any]) -> list[Any]:
        return [*self, *elements]

    def clear(self) -> None:
        self._check()
        self._fill([])

    def reverse(self) -> None:
        self._check()
        self._fill(self[::-1])

    def sort(self, *, key: Callable[[Any], Any] | None = None, reverse: bool = False) -> None:
        self._check()
        self._fill(sorted(self, key=key, reverse=reverse))

    def _at(self, index: Any) -> int:
        """The index of an element that is there, counted from the front."""
        at = operator.index(index)
        count = len(self)
        if not -count <= at < count:
            raise IndexError(f"no element {at} in an array of {count}")
        return at % count

    def _put(self, at: int, data: Any) -> None:
        if not _may_change(data):
            self._set(at, data)
        elif at not in self._children or self._children[at][0] is not data:
            self._write(self._made())
            self._children[at] = data, None

    def _take_out(self, at: int) -> None:
        self._write(self._made().remove(at))
        self._children.pop(at, None)
        self._shift(at, -1)

    def _shift(self, start: int, by: int) -> None:
        """Moves what stands beside the elements from start on."""
        if self._children:
            self._children = {
                at + by if at >= start else at: place for at, place in self._children.items()
            }

    def _replace(self, places: range, items: list[Any]) -> None:
        """Puts items in place of a slice, as a list does."""
        if places.step != 1:
            if len(items) != len(places):
                raise ValueError(
                    f"attempt to assign sequence of size {len(items)} to extended slice of size "
                    f"{len(places)}"
                )
            for at, item in zip(places, items):
                self._put(at, item)
        elif len(places) == len(self):
            self._fill(items)
        else:
            for at in reversed(places):
                self._take_out(at)
            for at, item in enumerate(items, places.start):
                self.insert(at, item)

    def _fill(self, items: list[Any]) -> None:
        """Puts items in place of all elements, in O(n) and not O(n log n)."""
        children = {at: (item, None) for at, item in enumerate(items) if _may_change(item)}
        self._last = None
        self._write(value([None if at in children else item for at, item in enumerate(items)]))
        self._children = dict(children)


# What Python raises where drafts in drafts exceed its recursion limit: the latter in a call of the
# library.
_TOO_DEEP = (RecursionError, ArgumentError)


def _too_deep() -> LimitError:
    return LimitError(
        f"the drafts nest too deep for Python, whose recursion limit is {sys.getrecursionlimit()}; "
        "change a part so deep with Value.set"
    )


def _draft(before: Value, scope: _Scope) -> Draft:
    kind = ObjectDraft if isinstance(before, ObjectValue) else ArrayDraft
    return kind(before, scope)


def _is_sure(data: Any) -> bool:
    """Whether there is no doubt that an object can have a key, or a value this data."""
    kind = type(data)
    if kind is str:
        return data.isascii() and "\0" not in data
    return data is None or kind is bool or (kind is int and -(2**63) <= data < 2**63)


def _may_change(data: Any) -> bool:
    """Whether data may be another after it was put into a draft."""
    if data is None or isinstance(data, (str, int, float, Value)):
        return False
    return isinstance(data, Mapping) or is_array(data)
