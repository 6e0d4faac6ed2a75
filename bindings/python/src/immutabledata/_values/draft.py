"""Drafts: values that a reducer changes like dicts and lists."""

from __future__ import annotations

import operator
import sys
from collections.abc import Iterable, Iterator, Mapping, MutableMapping, MutableSequence, Sequence
from ctypes import ArgumentError
from typing import TYPE_CHECKING, Any, Callable, overload

from .. import _ffi
from ..errors import ClosedError, InvalidArgumentError, LimitError, wrong_type
from .json_text import is_array
from .names import plain
from .numbering import Numbering
from .path import encode_path
from .preview import preview
from .reference import Native, foreign_error, is_foreign
from .value import (
    FINDS_ATTRIBUTES_FAST,
    ArrayValue,
    Value,
    changed,
    no_attribute,
    value,
)

Scope = list[None]
"""The lifetime of the drafts of one call: empty when it has ended."""

_Change = tuple[tuple[Any, ...], Any]
"""A path in a Value, and the data to set there."""


if TYPE_CHECKING or _ffi.EXTENSION is None:

    class _Fields:
        """What a draft consists of."""

        __slots__ = (
            "_children",
            "_current",
            "_is_changed",
            "_is_visited",
            "_numbering",
            "_original",
            "_pending",
            "_scope",
        )

        _original: Any
        _current: Any
        _pending: tuple[Any, Any] | None
        _children: dict[Any, tuple[Any, Value | None]]
        _numbering: Numbering | None
        _scope: Scope
        _is_changed: bool
        _is_visited: bool
else:
    _Fields = _ffi.EXTENSION.Draft


class Draft(Native, _Fields):
    """A Value that is being changed.

    _current is the Value with the changes written so far. Two kinds of changes are not in it yet:

    - _pending, the first scalar that was set. If it remains the only change, it is set from the
      root of the state, which updates all levels in one call.
    - _children, the parts that may still change (drafts, dicts and lists), each with the Value that
      was last written for it. They are written when the content is needed.

    The keys of _children are those of an object, and the indices in an array; or the numbers that
    _numbering gives to the elements, once the indices of children have shifted.
    """

    __slots__ = ()

    def _reference(self) -> Value:
        """The current content; the original Value if it is equal."""
        self._begin_visit()
        try:
            self._flush()
            for number, step in self._steps():
                child, written = self._children[number]
                if isinstance(child, Draft):
                    part = child._reference()
                    if part is not written:
                        self._current = self._current.set((step,), part)
                        self._children[number] = child, part
                        # The child was changed and read, and then changed back.
                        self._is_changed |= part is child._original
                else:
                    self._current = self._current.set((step,), child)
        except _TOO_DEEP:
            raise _too_deep() from None
        finally:
            self._is_visited = False
        return self._unless_equal()

    def _finish(self) -> Any:
        """The final content; the original Value if it is equal."""
        try:
            change = self._change(self._original)
        except _TOO_DEEP:
            raise _too_deep() from None
        if change is not None:
            self._current = changed(self._original, encode_path(change[0]), change[1])
        return self._current

    def _change(self, written: Value | None) -> _Change | None:
        """The change that turns the Value last written for this draft into its content."""
        self._begin_visit()
        try:
            changes = [] if self._pending is None else [((self._pending[0],), self._pending[1])]
            for number, step in self._steps():
                child, part = self._children[number]
                change = child._change(part) if isinstance(child, Draft) else ((), child)
                if change is not None:
                    path, data = change
                    changes.append(((step, *path), data))
                    self._is_changed |= isinstance(child, Draft) and data is child._original
        finally:
            self._is_visited = False
        if self._current is written and not self._is_changed and len(changes) < 2:
            return changes[0] if changes else None
        for change in changes:
            self._current = self._current.set(*change)
        content = self._unless_equal()
        return None if content is written else ((), content)

    def _begin_visit(self) -> None:
        self._require_open()
        if self._is_visited:
            raise InvalidArgumentError("a draft must not contain itself")
        self._is_visited = True

    def _unless_equal(self) -> Value:
        """The current Value, or the original one if both are equal."""
        # No comparison if only children were written: they differ, so this draft differs too.
        if self._is_changed and self._original.has_same_json(self._current):
            self._current = self._original
        content: Value = self._current
        return content

    def _write(self, content: Value) -> None:
        self._current = content
        self._is_changed = True

    def _set(self, step: str | int, data: Any) -> None:
        """Sets a part to immutable data."""
        pending = self._pending
        if pending is not None and pending[0] != step:
            self._flush()
        if self._is_changed or not (_is_simple(data) and _is_simple(step)):
            self._write(self._current.set((step,), data))
            self._pending = None
        else:
            try:
                part = self._current[step]
            except KeyError:
                part = self
            is_same = type(part) is type(data) and part == data
            self._pending = None if is_same else (step, data)
        if self._children:
            self._children.pop(self._number(step), None)

    def _number(self, step: Any) -> Any:
        """The key in _children of the part at a key or index."""
        return step if self._numbering is None else self._numbering.number(step)

    def _steps(self) -> Iterable[tuple[Any, Any]]:
        """The keys in _children, each with the key or index of the part."""
        if self._numbering is None:
            return zip(self._children, self._children)
        return self._numbering.indices(self._children)

    def _flush(self) -> Any:
        """Writes the pending change; returns the current Value.

        A change that exceeds a limit stays pending, so that the dispatch cannot succeed without it.
        """
        if self._pending is not None:
            step, data = self._pending
            self._write(self._current.set((step,), data))
            self._pending = None
        return self._current

    def _require_open(self) -> None:
        if not self._scope:
            raise ClosedError(
                "the draft was used after its reducer returned; to keep its content, call "
                "immutabledata.value(draft)"
            )

    def _child(self, step: str | int) -> Any:
        """The part at a key or index, as a draft if it is an object or array."""
        number = self._number(step)
        entry = self._children.get(number)
        if entry is not None:
            return entry[0]
        if self._pending is not None:
            self._flush()
        part = self._current[step]
        if not isinstance(part, Value):
            return part
        child = make_draft(part, self._scope)
        self._children[number] = child, part
        return child

    def _peek(self, step: str | int) -> Any:
        """The part at a key or index, without making a draft of it."""
        step = _plain(step)
        entry = self._children.get(self._number(step))
        return self._flush()[step] if entry is None else entry[0]

    def __len__(self) -> int:
        self._require_open()
        return len(self._flush())

    def __eq__(self, other: object) -> bool:
        return self is other or self._reference() == other

    def __repr__(self) -> str:
        if not self._scope:
            return "<immutabledata.Draft closed>"
        return f"<immutabledata.Draft {preview(self._reference())}>"

    def __copy__(self) -> Value:
        return self._reference()

    def __deepcopy__(self, memo: object) -> Value:
        return self._reference()

    def __reduce__(self) -> str:
        raise TypeError("a draft cannot be pickled; pickle immutabledata.value(draft)")


class ObjectDraft(Draft, MutableMapping[str, Any]):
    """A JSON object that is being changed."""

    __slots__ = ()

    def __getitem__(self, key: str) -> Any:
        self._require_open()
        return self._child(_plain(key))

    def __setitem__(self, key: str, data: Any) -> None:
        self._require_open()
        if not isinstance(key, str):
            raise wrong_type("a key of an object", "a str", key)
        key = _plain(key)
        if not _is_mutable(data):
            self._set(key, data)
        elif key not in self._children or self._children[key][0] is not data:
            current = self._flush()
            self._write(current if key in current else current.set((key,), None))
            self._children[key] = data, None

    def __delitem__(self, key: str) -> None:
        self._require_open()
        key = _plain(key)
        current = self._flush()
        if key not in current:
            raise KeyError(key)
        self._write(current.remove((key,)))
        self._children.pop(key, None)

    if not TYPE_CHECKING and FINDS_ATTRIBUTES_FAST:

        def __getattr__(self, name: str) -> Any:
            is_member = not name.startswith("_") and bool(self._scope) and name in self
            raise no_attribute(name, "Draft", is_member)

    def __iter__(self) -> Iterator[str]:
        self._require_open()
        return iter(self._flush())

    def __contains__(self, key: object) -> bool:
        self._require_open()
        return _plain(key) in self._flush()

    def __reversed__(self) -> Iterator[str]:
        return reversed(list(self))

    def copy(self) -> dict[str, Any]:
        """Returns the members as a dict; as in a copy of a dict, its objects and arrays are shared."""
        return dict(self.items())

    def __or__(self, members: Mapping[str, Any]) -> dict[str, Any]:
        return {**self, **members} if isinstance(members, Mapping) else NotImplemented

    def __ror__(self, members: Mapping[str, Any]) -> dict[str, Any]:
        return {**members, **self} if isinstance(members, Mapping) else NotImplemented

    def update(self, members: Any = (), /, **keywords: Any) -> None:
        """Sets several members: all of them, or none if it raises."""
        merged = dict(members, **keywords)
        before = self._current, self._pending, self._is_changed
        children = {key: self._children.get(key) for key in merged}
        try:
            for key, data in merged.items():
                self[key] = data
        except BaseException:
            self._current, self._pending, self._is_changed = before
            for key, child in children.items():
                if child is None:
                    self._children.pop(key, None)
                else:
                    self._children[key] = child
            raise

    def __ior__(self, members: Any) -> ObjectDraft:  # type: ignore[misc]
        self.update(members)
        return self

    def clear(self) -> None:
        self._require_open()
        self._write(value({}))
        self._pending = None
        self._children = {}


class ArrayDraft(Draft, MutableSequence[Any]):
    """A JSON array that is being changed."""

    __slots__ = ()

    @overload
    def __getitem__(self, index: int) -> Any: ...

    @overload
    def __getitem__(self, index: slice) -> list[Any]: ...

    def __getitem__(self, index: int | slice) -> Any:
        self._require_open()
        if isinstance(index, slice):
            return [self._child(at) for at in range(*index.indices(len(self)))]
        return self._child(self._index(index))

    @overload
    def __setitem__(self, index: int, data: Any) -> None: ...

    @overload
    def __setitem__(self, index: slice, data: Iterable[Any]) -> None: ...

    def __setitem__(self, index: int | slice, data: Any) -> None:
        self._require_open()
        if isinstance(index, slice):
            items = list(data)
            self._assign_slice(range(*index.indices(len(self))), items)
        else:
            self._set_at(self._index(index), data)

    def __delitem__(self, index: int | slice) -> None:
        self._require_open()
        if not isinstance(index, slice):
            self._replace(self._index(index), 1, [])
            return
        indices = range(*index.indices(len(self)))
        if indices.step == 1:
            self._replace(indices.start, len(indices), [])
        else:
            for at in sorted(indices, reverse=True):
                self._replace(at, 1, [])

    def insert(self, index: int, data: Any) -> None:
        self._require_open()
        at, count = operator.index(index), len(self)
        self._replace(min(max(at + count if at < 0 else at, 0), count), 0, [data])

    def extend(self, elements: Iterable[Any]) -> None:
        """Adds several elements at the end: all of them, or none if it raises."""
        self._require_open()
        added = list(elements)
        if len(added) == 1:
            self.append(added[0])  # which the extension does faster
        else:
            self._replace(len(self), 0, added)

    def pop(self, index: int = -1) -> Any:
        """Removes an element and returns it; an object or array as a draft."""
        self._require_open()
        at = self._index(index)
        entry = self._children.get(self._number(at))
        part = self._flush()[at] if entry is None else entry[0]
        self._replace(at, 1, [])
        # No child: it is not in the array any more.
        return make_draft(part, self._scope) if isinstance(part, Value) else part

    def copy(self) -> list[Any]:
        """Returns the elements as a list; as in a copy of a list, its objects and arrays are shared."""
        return list(self)

    def __add__(self, elements: Sequence[Any]) -> list[Any]:
        return [*self, *elements] if is_array(elements) else NotImplemented

    def __radd__(self, elements: Sequence[Any]) -> list[Any]:
        return [*elements, *self] if is_array(elements) else NotImplemented

    def clear(self) -> None:
        self._require_open()
        self._assign_all([])

    def reverse(self) -> None:
        self._require_open()
        self._assign_all(self[::-1])

    def sort(self, *, key: Callable[[Any], Any] | None = None, reverse: bool = False) -> None:
        self._require_open()
        items = list(self)
        ordered = sorted(items, key=key, reverse=reverse)
        if key is not None and not _are_same(items, list(self)):
            raise ValueError("list modified during sort")
        self._assign_all(ordered)

    def __reversed__(self) -> Iterator[Any]:
        self._require_open()
        at = len(self) - 1
        while 0 <= at < len(self):
            yield self[at]
            at -= 1

    def _index(self, index: Any) -> int:
        """The index of an existing element, from 0."""
        at = operator.index(index)
        count = len(self)
        if not -count <= at < count:
            raise IndexError(f"no element {at} in an array of {count}")
        return at % count

    def _set_at(self, at: int, data: Any) -> None:
        if _is_mutable(data):
            self._set_each(range(at, at + 1), [data])
        else:
            self._set(at, data)

    def _assign_slice(self, indices: range, items: list[Any]) -> None:
        """Replaces a slice with items, as a list does: with all of them, or none if it raises."""
        if len(indices) == len(self) and indices.step == 1:
            self._assign_all(items)
        elif len(indices) == len(items):
            self._set_each(indices, items)
        elif indices.step == 1:
            self._replace(indices.start, len(indices), items)
        else:
            raise ValueError(
                f"attempt to assign sequence of size {len(items)} to extended slice of size "
                f"{len(indices)}"
            )

    def _set_each(self, indices: range, items: list[Any]) -> None:
        """Replaces the elements at indices: all of them, or none if it raises."""
        content = self._flush()
        is_mutable = [_is_mutable(item) for item in items]
        for at, item, is_child in zip(indices, items, is_mutable):
            if not is_child:
                content = content.set((at,), item)
        self._write(content)
        for at, item, is_child in zip(indices, items, is_mutable):
            number = self._number(at)
            entry = self._children.get(number)
            if not is_child:
                self._children.pop(number, None)
            elif entry is None or entry[0] is not item:
                self._children[number] = item, None

    def _replace(self, at: int, removed: int, items: list[Any]) -> None:
        """Replaces elements from an index on: all of them, or none if it raises."""
        content: ArrayValue = self._flush()
        is_at_end = at + removed == len(content)
        is_mutable = [_is_mutable(item) for item in items]
        content = _without(content, at, removed)
        for index, (item, is_child) in enumerate(zip(items, is_mutable), at):
            content = content.insert((index,), None if is_child else item)
        self._write(content)
        first = self._renumber(at, removed, len(items), is_at_end)
        for number, (item, is_child) in enumerate(zip(items, is_mutable), first):
            if is_child:
                self._children[number] = item, None

    def _renumber(self, at: int, removed: int, added: int, is_at_end: bool) -> int:
        """Lets the children stay at their elements; returns the number of the first new element."""
        children = self._children
        if not children:
            self._numbering = None
        elif self._numbering is None and not is_at_end:
            self._numbering = Numbering()
        if self._numbering is None:
            runs, first = [range(at, at + removed)], at
        else:
            runs = self._numbering.remove(at, removed)
            is_inserted = added and not is_at_end
            first = self._numbering.insert(at, added) if is_inserted else self._numbering.number(at)
        for run in runs:
            is_short = len(run) <= len(children)
            for number in run if is_short else [number for number in children if number in run]:
                children.pop(number, None)
        return first

    def _assign_all(self, items: list[Any]) -> None:
        """Replaces all elements with items. O(n), not O(n log n)."""
        children: dict[Any, tuple[Any, Value | None]] = {
            at: (item, None) for at, item in enumerate(items) if _is_mutable(item)
        }
        self._write(value([None if at in children else item for at, item in enumerate(items)]))
        self._pending = None
        self._numbering = None
        self._children = children


if _ffi.FUNCTIONS is not None:
    _ffi.FUNCTIONS.set_classes(ObjectDraft, ArrayDraft)
_ffi.replace(ObjectDraft, "__delitem__", "__getitem__", "__setitem__")
_ffi.replace(ArrayDraft, "__delitem__", "__getitem__", "__setitem__", "append")
_ffi.call_back("finish", Draft._finish)


# The exceptions that Python raises if nested drafts exceed its recursion limit: an ArgumentError
# inside a call of the library.
_TOO_DEEP = (RecursionError, ArgumentError)


def _too_deep() -> LimitError:
    return LimitError(
        f"the drafts nest too deep for Python, whose recursion limit is {sys.getrecursionlimit()}; "
        "use Value.set to change such a deep part"
    )


def make_draft(original: Value, scope: Scope) -> Draft:
    draft: Draft = ArrayDraft() if type(original) is ArrayValue else ObjectDraft()
    draft._original = draft._current = original
    draft._pending = None
    draft._children = {}
    draft._numbering = None
    draft._scope = scope
    draft._is_changed = draft._is_visited = False
    return draft


class restoring:
    """Makes a with statement that raises leave a draft, and the drafts and dicts in it, as they were.

    Anything but a draft is left alone. O(k) for k parts that were read or changed.
    """

    __slots__ = ("_dicts", "_drafts", "_root")

    def __init__(self, root: Any) -> None:
        self._root = root

    def __enter__(self) -> None:
        self._drafts: list[tuple[Draft, Any]] = []
        self._dicts: list[tuple[dict[Any, Any], dict[Any, Any]]] = []
        pending = [self._root] if isinstance(self._root, Draft) else []
        while pending:
            part = pending.pop()
            if isinstance(part, Draft):
                children = dict(part._children)
                numbering = part._numbering and part._numbering.copy()
                fields = part._current, part._pending, part._is_changed, children, numbering
                self._drafts.append((part, fields))
                pending += [child for child, _ in children.values()]
            elif type(part) is dict:
                self._dicts.append((part, dict(part)))

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if kind is None:
            return
        for draft, fields in self._drafts:
            draft._current, draft._pending, draft._is_changed = fields[:3]
            draft._children, draft._numbering = fields[3:]
        for part, members in self._dicts:
            part.clear()
            part.update(members)


def _without(array: ArrayValue, at: int, count: int) -> ArrayValue:
    """The array without some elements. O(log n) at its start and end, otherwise for each."""
    if count > 1 and at + count == len(array):
        return array[:at]
    if count > 1 and at == 0:
        return array[count:]
    for _ in range(count):
        array = array.remove((at,))
    return array


def _plain(key: Any) -> Any:
    """A str for a key of a subclass of str; others as is."""
    return plain(key) if isinstance(key, str) else key


def _is_simple(data: Any) -> bool:
    """Whether data is certainly valid as a key or scalar of a value."""
    kind = type(data)
    if kind is int:
        return bool(-(2**63) <= data < 2**63)
    if kind is str:
        return data.isascii() and "\0" not in data
    return data is None or kind is bool


_IMMUTABLE = frozenset((type(None), bool, int, float, str))


def _is_mutable(data: Any) -> bool:
    """Whether data may still change after it was put into a draft."""
    if type(data) in _IMMUTABLE or isinstance(data, (str, int, float, Value)):
        return False
    if is_foreign(data):
        raise foreign_error(data, "the data")
    return isinstance(data, Mapping) or is_array(data)


def _are_same(left: list[Any], right: list[Any]) -> bool:
    """Whether two lists have the same objects and arrays, and equal other elements."""
    return len(left) == len(right) and all(
        a is b or (not isinstance(a, (ObjectDraft, ArrayDraft)) and a == b)
        for a, b in zip(left, right)
    )
