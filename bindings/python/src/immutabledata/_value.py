"""Values: immutable JSON that the library holds, seen as mappings and sequences."""

from __future__ import annotations

import operator
from collections.abc import (
    ItemsView,
    Iterable,
    Iterator,
    Mapping,
    Sequence,
    ValuesView,
)
from ctypes import c_size_t, c_void_p, string_at
from math import isfinite
from typing import Any, Callable, overload

from . import _path, _raw
from ._compare import equal
from ._held import Held
from ._json import JSON, decode, encode_text, is_array, value_text
from ._path import Path
from ._preview import preview
from ._share import Share, adopt, parse, refused, share
from .errors import InvalidArgumentError, LimitError

_new = object.__new__

# How many members of an object are kept when they were looked at.
KEPT = 16


def value(data: Any, /) -> Any:
    """Makes a Value of plain data: an ObjectValue of a Mapping, an ArrayValue of a Sequence.

    None, a bool, an int, a float and a str need none, and come back as they are. Values within the
    data are shared, not copied; a Value comes back as it is, and of a draft the Value that it
    would become now.

    Raises InvalidArgumentError: a part that JSON has nothing for; the message says where.
    Raises InvalidJSONError: a key with U+0000 in it.
    Raises LimitError: a value beyond immutabledata.limits, an integer beyond 64 bits.

    Complexity: O(n), n the length of the data as JSON.
    """
    if isinstance(data, Value):
        return data
    made = share(data, "the data")
    return read(made._handle)


def from_json(text: str | bytes, /) -> Any:
    """Reads JSON text: as a Value, or as what value makes of a scalar.

    Raises InvalidJSONError: line, column and offset say where.
    Raises LimitError: a value or text beyond immutabledata.limits, a number beyond what is held.

    Complexity: O(n), n the length of the text.
    """
    return take(parse(encode_text(text)))


class Value(Share):
    """An immutable JSON object or array; made by value and from_json, and by stores.

    What is made from a Value shares with it all that did not change: a changed copy costs
    O(log n), not O(n). Parts are read when they are asked for; those that are neither objects nor
    arrays come out as None, bool, int, float or str.

    A path is a key, an index, or a sequence of them: "records", 0, ("records", "k1", "a").

    A Value equals data that is the same JSON: 1 equals 1.0, True does not equal 1. Like a dict it
    has no hash. Any thread may use it, and it outlives the store that it comes from.
    """

    __slots__ = ()

    def __new__(cls) -> Value:
        raise TypeError(f"{cls.__name__} has no constructor; use immutabledata.value(data)")

    # ---- Reading ---------------------------------------------------------------------------------

    def at(self, pointer: str, /) -> Any:
        """The part at a JSON Pointer (RFC 6901): value.at("/records/k1/a"). O(log n).

        Raises NotFoundError: nothing is there; the message says up to where there is something.
        Raises InvalidArgumentError: text that is not a JSON Pointer.
        """
        part = _raw.imd_content()
        _raw.imd_value_read(self._handle, _path.text(pointer), part, _raw.imd_error())
        return content(part)

    def to_python(self) -> Any:
        """Copies the value into a dict or a list. O(n).

        Raises LimitError: it nests too deep for Python's json; to_json has no limit.
        """
        return decode(self.to_json(), "to_json")

    def to_json(self) -> str:
        """Writes the value as canonical JSON, so that equal values are equal text. O(n)."""
        return str(value_text(self._handle), "utf-8")

    def __len__(self) -> int:
        count: int = _raw.imd_value_count(self._handle)
        return count

    # ---- Changing --------------------------------------------------------------------------------

    def set(self, path: Path, data: Any, /) -> Any:
        """This value with data at a path, in place of what is there. O(log n).

        A member that is not there is added, as is an element just behind the last. All before the
        last step has to be there.

        Raises NotFoundError: it is not; the message says up to where there is something.
        Raises what immutabledata.value does for data.
        """
        pointer = _path.pointer(path)
        out = c_void_p()
        kind = type(data)
        # What share would refuse is left to it.
        if kind is int and -(2**63) <= data < 2**63:
            _raw.imd_value_set_integer(self._handle, pointer, data, out, _raw.imd_error())
        elif kind is str and data.isascii():
            text = data.encode()
            error = _raw.imd_error()
            try:
                _raw.imd_value_set_string(self._handle, pointer, text, len(text), out, error)
            except LimitError as limit:
                raise refused(text, "the data", limit) from None
        elif kind is bool:
            _raw.imd_value_set_bool(self._handle, pointer, data, out, _raw.imd_error())
        elif kind is float and isfinite(data):
            _raw.imd_value_set_real(self._handle, pointer, data, out, _raw.imd_error())
        else:
            part = share(data, "the data")
            _raw.imd_value_set(self._handle, pointer, part._handle, out, _raw.imd_error())
        return self._changed(out.value) if pointer else take(out.value)

    def insert(self, path: Path, data: Any, /) -> Any:
        """This value with data at a path, before the element that is there. O(log n).

        Raises what set does.
        """
        part = share(data, "the data")
        pointer = _path.pointer(path)
        out = c_void_p()
        _raw.imd_value_insert(self._handle, pointer, part._handle, out, _raw.imd_error())
        return self._changed(out.value) if pointer else take(out.value)

    def remove(self, path: Path, /) -> Any:
        """This value without what is at a path. O(log n).

        Raises NotFoundError: nothing is there.
        """
        out = c_void_p()
        _raw.imd_value_remove(self._handle, _path.pointer(path), out, _raw.imd_error())
        return self._changed(out.value)

    def merge(self, patch: JSON, /) -> Any:
        """This value with a JSON Merge Patch (RFC 7396) applied.

        Members of the patch replace those of the value, None removes.
        """
        part = share(patch, "the patch")
        out = c_void_p()
        _raw.imd_value_merge(self._handle, part._handle, out, _raw.imd_error())
        return take(out.value)

    def patch(self, operations: JSON, /) -> Any:
        """This value with a JSON Patch (RFC 6902) applied: all of its operations, or none.

        Raises InvalidArgumentError: no patch, or a "test" that does not hold.
        Raises NotFoundError: an operation that leads nowhere. The message says which one.
        """
        part = share(operations, "the patch")
        out = c_void_p()
        _raw.imd_value_patch(self._handle, part._handle, out, _raw.imd_error())
        return take(out.value)

    def _changed(self, handle: Any) -> Value:
        """A Value of the same kind, whose share it takes over."""
        raise NotImplementedError

    # ---- Comparing -------------------------------------------------------------------------------

    def diff(self, other: JSON, /) -> list[dict[str, Any]]:
        """What makes the other of this value: the operations of a JSON Patch (RFC 6902).

        Shared parts are not looked at, so the cost is that of what changed.
        """
        part = share(other, "the other value")
        out = c_void_p()
        _raw.imd_value_diff(self._handle, part._handle, out, _raw.imd_error())
        operations: list[dict[str, Any]] = take(out.value).to_python()
        return operations

    def is_same(self, other: object, /) -> bool:
        """Whether the other is known without a look to be equal, as nothing was changed. O(1)."""
        if not isinstance(other, Value):
            return False
        return bool(_raw.imd_value_identical(self._handle, other._handle))

    def writes_the_same_as(self, other: Value, /) -> bool:
        """Whether both are the same JSON text, in which 1 is not 1.0.

        Shared parts are not looked at, so the cost is that of what changed.
        """
        return bool(_raw.imd_value_equal(self._handle, other._handle))

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Held):
            other = other._share()
        if isinstance(other, Value) and self.writes_the_same_as(other):
            return True
        if isinstance(other, Mapping) or is_array(other):
            return equal(self, other)
        return NotImplemented

    # ---- As any object ---------------------------------------------------------------------------

    def __repr__(self) -> str:
        return f"<immutabledata.Value {preview(self)}>"

    def __copy__(self) -> Value:
        return self

    def __deepcopy__(self, memo: object) -> Value:
        return self

    def __reduce__(self) -> tuple[Callable[[str], Any], tuple[str]]:
        return from_json, (self.to_json(),)


class ObjectValue(Value, Mapping[str, Any]):
    """A Value that is a JSON object: a Mapping, in ascending order of its keys."""

    __slots__ = ("_seen",)

    # The first members that were looked at: a reducer looks at the type of its action, and at the
    # members of its state, again and again.
    _seen: dict[str, Any]

    def __getitem__(self, key: str) -> Any:
        seen = self._seen
        if key in seen:
            return seen[key]
        part = _raw.imd_content()
        if not self._look(key, part):
            raise KeyError(key)
        found = content(part)
        if len(seen) < KEPT:
            seen[key] = found
        return found

    def __contains__(self, key: object) -> bool:
        if key in self._seen:
            return True
        part = _raw.imd_content()
        if not self._look(key, part):
            return False
        content(part)  # Which gives back what the part owns.
        return True

    def _look(self, key: object, part: _raw.imd_content) -> bool:
        """Reads the member that has a key; whether there is one."""
        if not isinstance(key, str):
            return False
        try:
            pointer = _path.text(_path.step(key))
        except InvalidArgumentError:
            return False  # No object can have such a key.
        found: bool = _raw.look(self._handle, pointer, part, None) == 0
        return found

    def _changed(self, handle: Any) -> ObjectValue:
        return object_value(handle, {})

    def __iter__(self) -> Iterator[str]:
        cursor = _Cursor(self)
        while cursor.next():
            yield cursor.key()

    def items(self) -> ItemsView[str, Any]:
        return _Items(self)

    def values(self) -> ValuesView[Any]:
        return _Values(self)

    def update(self, members: Mapping[str, Any] = {}, /, **more: Any) -> ObjectValue:
        """This value with several members set. O(log n) each."""
        made = self
        for key, data in {**members, **more}.items():
            made = made.set(key, data)
        return made


class ArrayValue(Value, Sequence[Any]):
    """A Value that is a JSON array: a Sequence."""

    __slots__ = ()

    @overload
    def __getitem__(self, index: int) -> Any: ...

    @overload
    def __getitem__(self, index: slice) -> ArrayValue: ...

    def __getitem__(self, index: int | slice) -> Any:
        if isinstance(index, slice):
            return value([self[at] for at in range(*index.indices(len(self)))])
        at = operator.index(index)
        if at < 0:
            at += len(self)
        if at >= 0:
            part = _raw.imd_content()
            if _raw.look(self._handle, b"/%d" % at, part, None) == 0:
                return content(part)
        raise IndexError(f"no element {index} in an array of {len(self)}")

    def __iter__(self) -> Iterator[Any]:
        cursor = _Cursor(self)
        while cursor.next():
            yield cursor.value()

    def _changed(self, handle: Any) -> ArrayValue:
        return adopt(ArrayValue, handle)

    def append(self, data: Any, /) -> ArrayValue:
        """This value with data behind the last element. O(log n)."""
        made: ArrayValue = self.insert("-", data)
        return made

    def extend(self, elements: Iterable[Any], /) -> ArrayValue:
        """This value with several elements behind the last. O(log n) each."""
        made = self
        for element in elements:
            made = made.append(element)
        return made


# ---- From the library ----------------------------------------------------------------------------


def take(handle: Any) -> Any:
    """What Python sees of a value, whose share it takes over."""
    try:
        return read(handle)
    finally:
        _raw.imd_value_release(handle)


def read(handle: Any) -> Any:
    """What Python sees of a value, owned or borrowed; a Value gets a reference of its own."""
    kind = _raw.imd_value_kind(handle)
    if kind == _raw.IMD_OBJECT:
        return object_value(_raw.imd_value_retain(handle), {})
    if kind == _raw.IMD_ARRAY:
        return adopt(ArrayValue, _raw.imd_value_retain(handle))
    part = _raw.imd_content()
    _raw.look(handle, None, part, None)
    return content(part)


def object_value(handle: Any, seen: dict[str, Any]) -> ObjectValue:
    """The Value of an object, whose share it takes over and of which some members are known."""
    made = _new(ObjectValue)
    made._handle = handle
    made._seen = seen
    return made


def content(part: _raw.imd_content) -> Any:
    """What Python sees of a part, which is read but once: what it owns is taken over."""
    kind = part.kind
    if kind == _raw.IMD_OBJECT:
        return object_value(part.value, {})
    if kind == _raw.IMD_ARRAY:
        return adopt(ArrayValue, part.value)
    if kind == _raw.IMD_STRING:
        return _string(part)
    if kind == _raw.IMD_INTEGER:
        return part.integer
    if kind == _raw.IMD_REAL:
        return part.real
    return bool(part.boolean) if kind == _raw.IMD_BOOL else None


def _string(part: _raw.imd_content) -> str:
    try:
        text = part.string
        if len(text) < part.count:  # It goes on behind a NUL.
            text = string_at(part.value, part.count)
        return str(text, "utf-8")
    finally:
        _raw.imd_free(part.value)


def same(left: object, right: object) -> bool:
    """Whether what a reducer was given and what it returned are one and the same."""
    return left is right or (isinstance(left, Value) and left.is_same(right))


class _Cursor:
    """An imd_cursor; what it stands on is read before it goes on."""

    __slots__ = ("_handle", "_key", "_length", "_of", "_value")

    def __init__(self, of: Value) -> None:
        self._handle = c_void_p()
        self._key, self._length, self._value = _raw.text_p(), c_size_t(), c_void_p()
        self._of = of
        _raw.imd_cursor_open(of._handle, None, self._handle, _raw.imd_error())

    def next(self) -> bool:
        return bool(_raw.imd_cursor_next(self._handle, self._key, self._length, self._value))

    def key(self) -> str:
        text: Any = self._key[: self._length.value]
        return str(text, "utf-8")

    def value(self) -> Any:
        part = _raw.imd_content()
        _raw.look(self._value, None, part, None)
        return content(part)

    # Without a handle, construction was interrupted.
    def __del__(self, _close: Any = _raw.imd_cursor_close) -> None:
        _close(getattr(self, "_handle", None))


class _Items(ItemsView[str, Any]):
    __slots__ = ("_of",)

    def __init__(self, of: ObjectValue) -> None:
        super().__init__(of)
        self._of = of

    def __iter__(self) -> Iterator[tuple[str, Any]]:
        cursor = _Cursor(self._of)
        while cursor.next():
            yield cursor.key(), cursor.value()


class _Values(ValuesView[Any]):
    __slots__ = ("_of",)

    def __init__(self, of: ObjectValue) -> None:
        super().__init__(of)
        self._of = of

    def __iter__(self) -> Iterator[Any]:
        cursor = _Cursor(self._of)
        while cursor.next():
            yield cursor.value()
