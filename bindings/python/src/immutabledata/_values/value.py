"""Value: immutable JSON that the library holds, as a mapping or a sequence."""

from __future__ import annotations

import operator
import re
import sys
from collections.abc import (
    ItemsView,
    Iterable,
    Iterator,
    Mapping,
    Sequence,
    ValuesView,
)
from ctypes import c_void_p, string_at
from math import isfinite
from typing import TYPE_CHECKING, Any, Callable, overload

from .. import _ffi
from ..errors import Error, InvalidArgumentError, LimitError, add_note, wrong_type
from .conversion import limit_error, parse, to_reference
from .default import Default, checked_default, using
from .equality import equal
from .functions import require_function
from .json_text import JSON, decode, encode, encode_text, is_array, native_text
from .path import Path, encode_path, encode_pointer, pointer_step
from .preview import preview
from .reference import Cursor, Native, Reference, adopt, is_foreign

if TYPE_CHECKING:
    from typing_extensions import Self

# A part that does not exist.
MISSING: Any = object()

# For a class with __getattr__, earlier versions look up each attribute the slow way.
FINDS_ATTRIBUTES_FAST = sys.version_info >= (3, 12)

def value(data: Any, /, *, default: Default | None = None) -> Any:
    """Converts plain data to a Value: a Mapping to an ObjectValue, a Sequence to an ArrayValue.

    None, a bool, an int, a float, a str and a Value are returned as they are. For a draft, returns
    its current content as a Value. Values inside the data are referenced, not copied. Keys that are
    numbers, booleans or None become text, as in Python's json; two keys must not become the same. A
    member of an enum that is also a str or an int counts as its value, here and in names and paths.

    default: a function that is called with each object that cannot be JSON, such as a date. It
        returns the data to use instead, or raises TypeError. It must be pure.

    Raises InvalidArgumentError: a part that cannot be JSON, such as {7: 1, "7": 2}; the message says
    where.
    Raises InvalidJSONError: a key that contains U+0000.
    Raises LimitError: a value that exceeds immutabledata.limits, an integer beyond 64 bits.

    Complexity: O(n), where n is the length of the data as JSON.
    """
    if default is not None:
        with using(checked_default(default)):
            return _make_value(data)
    return _make_value(data) if _ffi.FUNCTIONS is None else _ffi.FUNCTIONS.value(data)


def _make_value(data: Any) -> Any:
    if isinstance(data, Value):
        return data
    reference = to_reference(data, "the data")  # Keeps the handle valid during read.
    return read_part(reference._handle, None)


_ffi.call_back("value", _make_value)


def to_python(data: Any, /) -> Any:
    """Converts a Value to a dict or a list; the inverse of value. O(n).

        imd.to_python(store.select("open"))

    Data that is not an object or array is returned as it is. Values inside plain data and drafts
    are converted too.

    Raises what value does; LimitError if the data nests too deep for Python's json.
    """
    result = value(data)
    return result.to_python() if isinstance(result, Value) else result


def from_json(text: str | bytes, /) -> Any:
    """Parses JSON text into a Value, or into None, a bool, an int, a float or a str.

    Raises InvalidJSONError: the text is not JSON; line, column and offset say where.
    Raises LimitError: a value or text that exceeds immutabledata.limits, a number out of range.

    Complexity: O(n), where n is the length of the text.
    """
    return take(c_void_p(parse(encode_text(text))))


class Value(Reference):
    """An immutable JSON object or array, made by value and from_json, and by stores.

    Updates use structural sharing: a changed copy costs O(log n), not O(n). Parts are read on
    demand. Objects and arrays are Values; other parts are None, bool, int, float or str.

    A path is a JSON Pointer (RFC 6901), or a sequence of keys and indices, or an index:
    "/records/k1/a", ("records", "k1", "a"), 0. A str is always a JSON Pointer, so give keys that
    you do not know as a sequence: value.set((key,), data).

    A Value equals data that is the same JSON: 1 equals 1.0, True does not equal 1. Comparing with ==
    takes O(n) up to the first difference, where has_same_json takes time for the changes. Equal Values
    have the same hash; other data that a Value equals, such as a tuple, has another one. Any thread may
    use it. It can outlive its store. It can be pickled, and a copy of it is the Value itself.

    For type checkers, a change of an ObjectValue is an ObjectValue, and of an ArrayValue an
    ArrayValue. At run time, a change that replaces the whole value can return any data: set("", 5)
    returns 5.
    """

    __slots__ = ()

    def __init__(self) -> None:
        raise TypeError(
            f"{type(self).__name__} has no constructor; use immutabledata.value(data)"
        )

    # ---- Reading ---------------------------------------------------------------------------------

    def at(self, path: Path, /) -> Any:
        """The part at a path: value.at("/records/k1/a"). O(log n).

        Raises NotFoundError: the path leads to nothing; the message says which step fails.
        Raises InvalidArgumentError: the text is not a JSON Pointer; or the path leads into a
        scalar, or into an array without an index.
        """
        pointer = encode_path(path)
        part = read_part(self._handle, pointer)
        if part is MISSING:
            # Raises the error.
            _ffi.imd_value_read(self._handle, pointer, _ffi.imd_content(), _ffi.imd_error())
        return part

    def to_python(self) -> Any:
        """Copies the value to a dict or a list. O(n).

        Raises LimitError: the value nests too deep for Python's json; use to_json.
        """
        return decode(self.to_json(), "to_json")

    def to_json(self) -> str:
        """Writes the value as canonical JSON: the same value is the same text. O(n)."""
        return str(native_text(self), "utf-8")

    def __len__(self) -> int:
        count: int = _ffi.imd_value_count(self._handle)
        return count

    # ---- Changing --------------------------------------------------------------------------------

    def set(self, path: Path, data: Any, /) -> Self:
        """Returns the value with the part at a path set to data. O(log n).

        Adds a missing member, and the element at the index after the last. All other steps of the
        path must exist. Setting a scalar that is equal to the one there returns the same instance
        (is_identical).

        Raises NotFoundError: a step does not exist; the message says which one.
        Raises InvalidArgumentError: as for at.
        Raises what immutabledata.value does for data.
        """
        result: Self = changed(self, encode_path(path), data)
        return result

    def change(self, path: Path, function: Callable[[Any], Any], /) -> Self:
        """Returns the value with the part at a path replaced by function(part). O(log n).

            state.change("/count", lambda count: count + 1)

        Raises NotFoundError: the path leads to nothing.
        Raises what set does, and the exceptions of the function.
        """
        expected = "a function that takes the part"
        require_function(function, "the function for change", expected, 1)
        before = self.at(path)
        after = function(before)
        return self if identical(before, after) else self.set(path, after)

    def insert(self, path: Path, data: Any, /) -> Self:
        """Returns the value with data inserted before the element at a path. O(log n).

        "/todos/-" is the position after the last element of "todos".

        Raises what set does.
        """
        part = to_reference(data, "the data")
        pointer = encode_path(path)
        out = c_void_p()
        _ffi.imd_value_insert(self._handle, pointer, part._handle, out, _ffi.imd_error())
        result: Self = self._changed(out.value) if pointer else take(out)
        return result

    def remove(self, path: Path, /) -> Self:
        """Returns the value without the part at a path. O(log n).

        Raises what at does; InvalidArgumentError also for the path of the whole value.
        """
        out = c_void_p()
        _ffi.imd_value_remove(self._handle, encode_path(path), out, _ffi.imd_error())
        result: Self = self._changed(out.value)
        return result

    def merge(self, patch: JSON, /) -> Self:
        """Returns the value with a JSON Merge Patch (RFC 7396) applied.

        Members of the patch replace those of the value; None removes them.

        Raises what immutabledata.value does for the patch; LimitError also if the result exceeds
        immutabledata.limits, or merging takes more than limits.work.
        """
        part = to_reference(patch, "the patch")
        out = c_void_p()
        _ffi.imd_value_merge(self._handle, part._handle, out, _ffi.imd_error())
        result: Self = take(out)
        return result

    def patch(self, operations: JSON, /) -> Self:
        """Returns the value with a JSON Patch (RFC 6902) applied: all operations or none.

        Raises InvalidArgumentError: not a patch, or a "test" that fails.
        Raises NotFoundError: the path of an operation leads to nothing; the message says which.
        Raises LimitError: the result exceeds immutabledata.limits, or all operations together take
        more than limits.work.
        """
        result: Self = patched(self, operations)
        return result

    def _changed(self, handle: Any) -> Any:
        """Makes a Value of the same class, which takes ownership of the handle."""
        raise NotImplementedError

    if not TYPE_CHECKING:

        def __setitem__(self, key: Any, data: Any) -> None:
            raise _immutable()

        def __delitem__(self, key: Any) -> None:
            raise _immutable()

    # ---- Comparing -------------------------------------------------------------------------------

    def diff(self, other: JSON, /) -> list[dict[str, Any]]:
        """The JSON Patch (RFC 6902) that turns this value into the other.

        Skips shared parts: the cost is proportional to the changes.

        Raises LimitError: comparing takes more than limits.work, or the patch exceeds
        immutabledata.limits.
        Raises what immutabledata.value does for the other.
        """
        part = to_reference(other, "the other value")
        out = c_void_p()
        _ffi.imd_value_diff(self._handle, part._handle, out, _ffi.imd_error())
        operations: list[dict[str, Any]] = take(out).to_python()
        return operations

    def is_identical(self, other: object, /) -> bool:
        """Whether the other is the same instance, without comparing. O(1)."""
        if not isinstance(other, Value):
            return False
        return bool(_ffi.imd_value_identical(self._handle, other._handle))

    def has_same_json(self, other: Value, /) -> bool:
        """Whether both are the same text as canonical JSON, where 1 and 1.0 differ.

        Skips shared parts: the cost is proportional to the changes. For a Value of another library
        it is O(n).
        """
        if not isinstance(other, Value):
            if is_foreign(other):
                return self.to_json() == other._reference().to_json()
            raise wrong_type("the other value", "a Value", other)
        return bool(_ffi.imd_value_equal(self._handle, other._handle))

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Native):
            other = other._reference()
        if isinstance(other, Value) and self.has_same_json(other):
            return True
        if isinstance(other, Mapping) or is_array(other):
            return equal(self, other)
        return NotImplemented

    def __hash__(self) -> int:
        """The hash of the canonical JSON, in which equal numbers are the same text. O(n) once."""
        try:
            return self._hash
        except AttributeError:
            text = _NUMBER_OR_STRING.sub(_normalized, self.to_json())
            self._hash = result = hash(text)
            return result

    # ---- Representation and copies --------------------------------------------------------------

    def __repr__(self) -> str:
        return f"<immutabledata.Value {preview(self)}>"

    def __copy__(self) -> Value:
        return self

    def __deepcopy__(self, memo: object) -> Value:
        return self

    def __reduce__(self) -> tuple[Callable[[str], Any], tuple[str]]:
        return from_json, (self.to_json(),)


_NUMBER_OR_STRING = re.compile(r'"(?:[^"\\]|\\.)*"|-?\d+[.eE][\d.eE+-]*')


def _normalized(part: re.Match[str]) -> str:
    """A string as it is, and a real number as an integer if it equals one."""
    text = part[0]
    if text.startswith('"'):
        return text
    number = float(text)
    return str(int(number)) if number.is_integer() else text


class ObjectValue(Value, Mapping[str, Any]):
    """A JSON object: a Mapping, in ascending order of its keys."""

    __slots__ = ()

    def __getitem__(self, key: str) -> Any:
        member = self._member(key)
        if member is MISSING:
            raise no_member(key)
        return member

    if not TYPE_CHECKING and FINDS_ATTRIBUTES_FAST:

        def __getattr__(self, name: str) -> Any:
            # Python looks for names with an underscore, also before the object is complete.
            raise no_attribute(name, "Value", not name.startswith("_") and name in self)

    def __contains__(self, key: object) -> bool:
        return self._member(key) is not MISSING

    def _member(self, key: object) -> Any:
        """Reads the member with a key; MISSING if there is none."""
        if not isinstance(key, str):
            hash(key)  # Raises TypeError for what cannot be a key, as a dict does.
            return MISSING
        try:
            pointer = encode_pointer(pointer_step(key))
        except InvalidArgumentError:
            return MISSING  # No object can have such a key.
        return read_part(self._handle, pointer)

    def _changed(self, handle: Any) -> ObjectValue:
        return adopt(ObjectValue, handle)

    def __iter__(self) -> Iterator[str]:
        return _keys(self)

    def __reversed__(self) -> Iterator[str]:
        return reversed(list(self))

    def copy(self) -> dict[str, Any]:
        """Returns the members as a dict, which can be changed; its objects and arrays are Values."""
        return dict(self.items())

    def __or__(self, members: Mapping[str, Any]) -> ObjectValue:
        """Returns the value with the members of a Mapping set, as update does."""
        return self.update(members) if isinstance(members, Mapping) else NotImplemented

    def __ror__(self, members: Mapping[str, Any]) -> ObjectValue:
        if not isinstance(members, Mapping):
            return NotImplemented
        result: ObjectValue = value(members).update(self)
        return result

    def items(self) -> ItemsView[str, Any]:
        return _Items(self)

    def values(self) -> ValuesView[Any]:
        return _Values(self)

    def update(self, members: Mapping[str, Any] = {}, /, **keywords: Any) -> ObjectValue:
        """Returns the value with several members set. O(log n) each."""
        result = self
        merged = {**members, **keywords}
        if not all(type(key) is str for key in merged):
            encode(dict.fromkeys(merged), "the update")  # Refuses keys that become the same.
        for key, data in merged.items():
            result = result.set((key,), data)
        return result


class ArrayValue(Value, Sequence[Any]):
    """A JSON array: a Sequence. A slice with step 1 shares its elements: array[-100:] is O(log n)."""

    __slots__ = ()

    @overload
    def __getitem__(self, index: int) -> Any: ...

    @overload
    def __getitem__(self, index: slice) -> ArrayValue: ...

    def __getitem__(self, index: int | slice) -> Any:
        if isinstance(index, slice):
            indices = range(*index.indices(len(self)))
            if indices.step != 1:
                return value([self[at] for at in indices])
            out = c_void_p()
            _ffi.imd_value_slice(
                self._handle, indices.start, indices.stop, out, _ffi.imd_error()
            )
            return self._changed(out.value)
        at = operator.index(index)
        if at < 0:
            at += len(self)
        if at >= 0:
            element = read_part(self._handle, b"/%d" % at)
            if element is not MISSING:
                return element
        raise IndexError(f"no element {index} in an array of {len(self)}")

    def __iter__(self) -> Iterator[Any]:
        return _values(self)

    def _changed(self, handle: Any) -> ArrayValue:
        return adopt(ArrayValue, handle)

    def copy(self) -> list[Any]:
        """Returns the elements as a list, which can be changed; its objects and arrays are Values."""
        return list(self)

    def __add__(self, elements: Sequence[Any]) -> ArrayValue:
        """Returns the value with several elements added at the end, as extend does."""
        return self.extend(elements) if is_array(elements) else NotImplemented

    def __radd__(self, elements: Sequence[Any]) -> ArrayValue:
        if not is_array(elements):
            return NotImplemented
        result: ArrayValue = value(elements).extend(self)
        return result

    def append(self, data: Any, /) -> ArrayValue:
        """Returns the value with data added at the end. O(log n)."""
        result: ArrayValue = self.insert("/-", data)
        return result

    def extend(self, elements: Iterable[Any], /) -> ArrayValue:
        """Returns the value with several elements added at the end. O(log n) each."""
        result = self
        for element in elements:
            result = result.insert("/-", element)
        return result


if _ffi.FUNCTIONS is not None:
    _ffi.FUNCTIONS.set_classes(ObjectValue, ArrayValue)
_ffi.replace(
    Value, "__len__", "at", "has_same_json", "insert", "is_identical", "remove", "set", "to_json"
)
_ffi.replace(ObjectValue, "__contains__", "__getitem__", "get")
_ffi.replace(ArrayValue, "__getitem__")


# ---- From the library ----------------------------------------------------------------------------


def take(out: c_void_p) -> Any:
    """Converts an owned handle for Python, and releases it."""
    if _ffi.FUNCTIONS is not None:
        return _ffi.FUNCTIONS.take(out.value)
    try:
        return read_part(out, None)
    finally:
        _ffi.imd_value_release(out)


def read(handle: int | None) -> Any:
    """Converts a handle for Python: to a scalar, or to a Value with a reference of its own."""
    return read_part(handle, None)


if _ffi.FUNCTIONS is not None:
    read = _ffi.FUNCTIONS.read


def read_part(handle: Any, pointer: bytes | None) -> Any:
    """Reads a part of a value for Python; MISSING if there is none."""
    content = _ffi.imd_content()
    try:
        _ffi.imd_value_read(handle, pointer, content, None)
    except Error:
        return MISSING
    kind = content.kind
    if kind == _ffi.IMD_OBJECT:
        return adopt(ObjectValue, content.value)
    if kind == _ffi.IMD_ARRAY:
        return adopt(ArrayValue, content.value)
    if kind == _ffi.IMD_STRING:
        return _string(content)
    if kind == _ffi.IMD_INTEGER:
        return content.integer
    if kind == _ffi.IMD_REAL:
        return content.real
    return bool(content.boolean) if kind == _ffi.IMD_BOOL else None


def _string(content: _ffi.imd_content) -> str:
    try:
        text = content.string
        if len(text) < content.count:  # ctypes stopped at a NUL.
            text = string_at(content.value, content.count)
        return str(text, "utf-8")
    finally:
        _ffi.imd_free(content.value)


def changed(value: Value, pointer: bytes, data: Any) -> Any:
    """The value with the part at a pointer set to data; see Value.set."""
    kind = type(data)
    handle, out, error = value._handle, c_void_p(), _ffi.imd_error()
    # Scalars need no value of their own; to_reference reports invalid ones.
    if kind is bool:
        _ffi.imd_value_set_bool(handle, pointer, data, out, error)
    elif kind is int and -(2**63) <= data < 2**63:
        _ffi.imd_value_set_integer(handle, pointer, data, out, error)
    elif kind is float and isfinite(data):
        _ffi.imd_value_set_real(handle, pointer, data, out, error)
    elif kind is str and data.isascii():
        text = data.encode()
        try:
            _ffi.imd_value_set_string(handle, pointer, text, len(text), out, error)
        except LimitError as failure:
            raise limit_error(text, "the data", failure) from None
    else:
        part = to_reference(data, "the data")
        _ffi.imd_value_set(handle, pointer, part._handle, out, error)
    return value._changed(out.value) if pointer else take(out)


def patched(data: Any, patch: Any) -> Any:
    """Applies a JSON Patch to data, also to a scalar; see Value.patch."""
    target, operations = to_reference(data, "the data"), to_reference(patch, "the patch")
    out = c_void_p()
    _ffi.imd_value_patch(target._handle, operations._handle, out, _ffi.imd_error())
    return take(out)


def _immutable() -> TypeError:
    return TypeError(
        "a Value never changes in place: set and remove return a new Value; or write the reducer "
        "with @immutabledata.drafting"
    )


def no_member(key: object) -> KeyError:
    error = KeyError(key)
    if isinstance(key, tuple) or (isinstance(key, str) and key.startswith("/")):
        hint = f"[] takes one key; for a path, write value.at({key!r}), or [] for each key"
        add_note(error, hint)
    return error


def no_attribute(name: str, kind: str = "Value", is_member: bool = True) -> AttributeError:
    """Makes the error for an attribute that an ObjectValue or ObjectDraft does not have."""
    if not is_member:
        return AttributeError(f"'Object{kind}' object has no attribute {name!r}")
    return AttributeError(
        f"an Object{kind} has no attribute {name!r}; for a member, write {kind.lower()}[{name!r}]"
    )


_UNKNOWN_ATTRIBUTE = re.compile(r"'Object(Value|Draft)' object has no attribute '([^_]\w*)'")


def explain_attribute(error: AttributeError) -> None:
    """Adds a note on members to the error for an attribute of an object, as Python raises it.

    That is the error for setting an attribute, and in earlier versions also for reading one.
    """
    match = _UNKNOWN_ATTRIBUTE.match(str(error))
    if match:
        kind, name = match.groups()
        add_note(error, f"for a member, write {kind.lower()}[{name!r}]")


def identical(left: object, right: object) -> bool:
    """Whether two states are the same instance, of Python or of the library. O(1)."""
    return left is right or (isinstance(left, Value) and left.is_identical(right))


# ---- Views of an object --------------------------------------------------------------------------


class _Items(ItemsView[str, Any]):
    __slots__ = ("_object",)

    def __init__(self, object: ObjectValue) -> None:
        super().__init__(object)
        self._object = object

    def __iter__(self) -> Iterator[tuple[str, Any]]:
        return _items(self._object)


class _Values(ValuesView[Any]):
    __slots__ = ("_object",)

    def __init__(self, object: ObjectValue) -> None:
        super().__init__(object)
        self._object = object

    def __iter__(self) -> Iterator[Any]:
        return _values(self._object)


def _keys(container: ObjectValue) -> Iterator[str]:
    cursor = Cursor(container)
    while cursor.next():
        yield cursor.key()


def _values(container: Value) -> Iterator[Any]:
    cursor = Cursor(container)
    while cursor.next():
        yield read_part(cursor.value, None)


def _items(container: ObjectValue) -> Iterator[tuple[str, Any]]:
    cursor = Cursor(container)
    while cursor.next():
        yield cursor.key(), read_part(cursor.value, None)


if _ffi.FUNCTIONS is not None:
    _keys, _values, _items = (
        _ffi.FUNCTIONS.keys,
        _ffi.FUNCTIONS.values,
        _ffi.FUNCTIONS.items,
    )
