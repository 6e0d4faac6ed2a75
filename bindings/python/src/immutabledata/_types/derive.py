"""Schemas of types."""

from __future__ import annotations

import collections.abc
import enum
from typing import Any, Literal, get_args, get_origin

from .._values import ArrayValue, ObjectValue, Value, to_python
from .annotations import alternatives, shown, simplified
from .codec import Codec
from .constants import enumeration, literal
from .constraints import constrained
from .document import Document
from .members import is_record, members_of
from .record import Record
from .union import union

_MAX_DEPTH = 64

_SCALARS = {
    str: "string",
    int: "integer",
    float: "number",
    bool: "boolean",
    type(None): "null",
}

_ARRAYS = (list, collections.abc.Sequence, collections.abc.MutableSequence)
_OBJECTS = (dict, collections.abc.Mapping, collections.abc.MutableMapping)


def derive(hint: Any, where: str, document: Document, depth: int = 0) -> Codec:
    """The meaning of a type.

    where: the class and member that has the type, for messages.

    Raises TypeError: JSON cannot represent the type, or the package cannot rebuild it.
    """
    if depth > _MAX_DEPTH:
        raise TypeError(f"{where}: a type that refers to itself must be a class; use a TypedDict")
    annotations: list[Any] = []
    hint = simplified(hint, annotations)
    parts = alternatives(hint)
    if len(parts) > 1:
        codec = union([derive(each, where, document, depth + 1) for each in parts], where)
    else:
        codec = _single(hint, where, document, depth)
    return constrained(codec, annotations) if annotations else codec


def _single(hint: Any, where: str, document: Document, depth: int) -> Codec:
    """The meaning of a type that is no union."""
    origin, arguments = get_origin(hint), get_args(hint)
    if hint is Any or hint is object or hint is Value:
        return Codec({})
    if origin is Literal:
        return literal(arguments, where, document)
    kind: Any = hint if origin is None else origin
    if kind in _ARRAYS or kind is ArrayValue:
        return _array(kind, arguments, where, document, depth)
    if kind is tuple:
        return _tuple(arguments, where, document, depth)
    if kind in _OBJECTS or kind is ObjectValue:
        return _object(kind, arguments, where, document, depth)
    if origin is None and isinstance(hint, type):
        found = _class(hint, where, document)
        if found is not None:
            return found
    raise TypeError(
        f"{where}: {shown(hint)} cannot be in a schema; use str, int, float, bool, None, Literal, "
        "an Enum, list, tuple, dict, Any, or a class with annotated members"
    )


def _class(cls: type, where: str, document: Document) -> Codec | None:
    if cls in _SCALARS:
        kind = _SCALARS[cls]
        return Codec({"type": kind}, frozenset({"number" if kind == "integer" else kind}))
    if issubclass(cls, enum.Enum):
        return enumeration(cls, where, document)
    if cls in document.codecs:
        return document.reference(cls)
    if not is_record(cls):
        return None
    return _record(cls, where, document)


def _record(cls: type, where: str, document: Document) -> Codec:
    record = Record(cls.__name__, cls, members_of(cls, document.names))
    if document.is_plain and not record.is_dict:
        raise TypeError(
            f"{where}: {cls.__name__} must be a TypedDict here: the program reads plain data"
        )
    codec = document.add(cls, Codec({}, frozenset({"object"}), record.read, record))
    if record.is_model:
        document.define(cls, record.model_schema(document.path(cls)))
        return codec
    document.define(cls, object_schema(record, document))
    if record.is_plain:
        codec = document.codecs[cls] = codec._replace(read=to_python)
    return codec


def object_schema(record: Record, document: Document) -> dict[str, Any]:
    """The schema of the members of a class, or of the parameters of a function."""
    return record.complete(
        {
            each.name: derive(each.hint, f"{record.name}.{each.name}", document)
            for each in record.members
        }
    )


def _array(
    kind: Any, arguments: tuple[Any, ...], where: str, document: Document, depth: int
) -> Codec:
    schema: dict[str, Any] = {"type": "array"}
    read = None if kind is ArrayValue else to_python
    if arguments:
        element = derive(arguments[0], where, document, depth + 1)
        if element.schema:
            schema["items"] = element.schema
        convert = element.read
        if convert is not None and convert is not to_python:
            read = lambda data: [convert(each) for each in data]  # noqa: E731
    return Codec(schema, frozenset({"array"}), read)


def _tuple(arguments: tuple[Any, ...], where: str, document: Document, depth: int) -> Codec:
    kinds = frozenset({"array"})
    if not arguments:
        return Codec({"type": "array"}, kinds, lambda data: tuple(to_python(data)))
    codecs = [
        derive(each, where, document, depth + 1)
        for each in arguments
        if each is not Ellipsis and each != ()
    ]
    reads = [each.read or _same for each in codecs]
    if arguments[-1] is Ellipsis:
        all_alike = {"type": "array", "items": codecs[0].schema}
        return Codec(all_alike, kinds, lambda data: tuple([reads[0](each) for each in data]))
    schema: dict[str, Any] = {
        "type": "array",
        "prefixItems": [each.schema for each in codecs],
        "minItems": len(codecs),
        "maxItems": len(codecs),
    }
    if not codecs:
        del schema["prefixItems"]
    return Codec(schema, kinds, lambda data: tuple([read(each) for read, each in zip(reads, data)]))


def _object(
    kind: Any, arguments: tuple[Any, ...], where: str, document: Document, depth: int
) -> Codec:
    schema: dict[str, Any] = {"type": "object"}
    read = None if kind is ObjectValue else to_python
    if arguments:
        key, member = arguments
        if not all(simplified(each) is str for each in alternatives(key)):
            raise TypeError(f"{where}: the keys of an object are text; use dict[str, …]")
        inner = derive(member, where, document, depth + 1)
        if inner.schema:
            schema["additionalProperties"] = inner.schema
        convert = inner.read
        if convert is not None and convert is not to_python:
            read = lambda data: {key: convert(each) for key, each in data.items()}  # noqa: E731
    return Codec(schema, frozenset({"object"}), read)


def _same(data: Any) -> Any:
    return data
