"""Classes with members: TypedDicts, dataclasses, NamedTuples and models of pydantic."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Callable, Literal, NamedTuple, get_args, get_origin

from .._values import quoted, to_python
from ..errors import InvalidActionError
from .annotations import is_class_variable, members, simplified, special
from .plain import plain


class Member(NamedTuple):
    """A member of a class."""

    name: str
    hint: Any
    is_required: bool
    is_by_keyword: bool = False


class Record:
    """A class with members, as the package writes and rebuilds its instances.

    Without a class, the keyword parameters of a function.
    """

    def __init__(self, name: str, cls: Any, members: list[Member]) -> None:
        self.name = name
        self.cls = cls
        self.is_dict = cls is None or issubclass(cls, dict)
        self.is_model = hasattr(cls, "model_json_schema")
        # Whether it is a dict of plain data; False while its schema is being derived.
        self.is_plain = False
        self.members = members
        self.names = [each.name for each in self.members]
        self.tags = {
            each.name: get_args(hint)[0]
            for each in self.members
            if get_origin(hint := simplified(each.hint)) is Literal and len(get_args(hint)) == 1
        }
        self._has_keywords = any(each.is_by_keyword for each in self.members)
        self._reads: dict[str, Any] = {}
        # The members that are not plain data.
        self._converted: list[str] = []

    def complete(self, codecs: Mapping[str, Any]) -> dict[str, Any]:
        """Sets how the members are rebuilt, from their Codecs; returns the schema."""
        reads = {name: each.read for name, each in codecs.items() if each.read is not None}
        self._reads = reads
        self._converted = [name for name, read in reads.items() if read is not to_python]
        self.is_plain = self.is_dict and not self._converted
        required = [
            each.name for each in self.members if each.is_required or each.name in self.tags
        ]
        schema: dict[str, Any] = {
            "type": "object",
            "properties": {name: each.schema for name, each in codecs.items()},
            "additionalProperties": False,
        }
        return {**schema, "required": required} if required else schema

    def model_schema(self, path: str) -> dict[str, Any]:
        """The schema of a model, which will be at a path."""
        schema: dict[str, Any] = self.cls.model_json_schema(ref_template=f"{path}/$defs/{{model}}")
        return schema

    def read(self, data: Any) -> Any:
        """Makes an instance from an object."""
        if self.is_model:
            return self.cls.model_validate(to_python(data))
        if self.is_dict or self._has_keywords:
            return self._read_present(data)
        try:
            found = [data[name] for name in self.names]
        except KeyError:
            return self._read_present(data)
        for name, read in self._reads.items():
            index = self.names.index(name)
            found[index] = read(found[index])
        return self.cls(*found)

    def payload_reader(self) -> Callable[[Any], Any]:
        """A function that makes an instance from the payload of an action."""
        cls, names, read = self.cls, self.names, self.read
        is_simple = not (self._reads or self._has_keywords or self.is_model)

        def read_payload(action: Any) -> Any:
            try:
                payload = action["payload"]
                if is_simple:
                    return cls(*[payload[name] for name in names])
            except KeyError:
                payload = action.get("payload", {})
            return read(payload)

        return read_payload

    def action_writer(self, type: str) -> Callable[[Any], tuple[Any, ...]]:
        """A function that returns the type and, if the class has members, the payload of an
        instance.
        """
        names, write = self.names, self.write
        is_simple = names and not (self._converted or self.is_model)
        count = len(names)

        def write_action(instance: Any) -> tuple[Any, ...]:
            if is_simple:
                # The members of most instances are a dict already.
                found = getattr(instance, "__dict__", ())
                if len(found) == count:
                    return type, found
            payload = write(instance)
            return (type, payload) if payload else (type,)

        return write_action

    def _read_present(self, data: Any) -> Any:
        """Makes an instance from an object that may lack members with defaults."""
        present = {name: data[name] for name in self.names if name in data}
        for each in self.members:
            if each.is_required and each.name not in present:
                raise InvalidActionError(f"{self.name}: the member {quoted(each.name)} is missing")
        for name, read in self._reads.items():
            if name in present:
                present[name] = read(present[name])
        return present if self.is_dict else self.cls(**present)

    def write(self, instance: Any) -> Any:
        """The plain data of an instance."""
        if self.is_model:
            return plain(instance)
        written = {name: getattr(instance, name) for name in self.names}
        for name in self._converted:
            written[name] = plain(written[name])
        return written


def is_record(kind: type) -> bool:
    """Whether a class is one whose members are known."""
    return (
        hasattr(kind, "__dataclass_fields__")
        or (issubclass(kind, dict) and hasattr(kind, "__total__"))
        or (issubclass(kind, tuple) and hasattr(kind, "_fields"))
        or (hasattr(kind, "model_json_schema") and hasattr(kind, "model_validate"))
    )


def members_of(cls: Any, names: Mapping[str, Any]) -> list[Member]:
    """The members of a class; none of a model, which has its own schema."""
    if hasattr(cls, "model_json_schema"):
        return []
    hints = members(cls, names)
    if issubclass(cls, dict):
        return [Member(name, hint, _is_required(cls, name, hint)) for name, hint in hints.items()]
    if hasattr(cls, "__dataclass_fields__"):
        return _fields_of(cls, hints)
    for name in cls._fields:
        if name not in hints:
            raise TypeError(f"{cls.__name__}.{name} has no annotation")
    return [Member(name, hints[name], name not in cls._field_defaults) for name in cls._fields]


def _fields_of(cls: Any, hints: Mapping[str, Any]) -> list[Member]:
    """The members of a dataclass."""
    import dataclasses

    fields = dataclasses.fields(cls)
    for name in cls.__dataclass_fields__.keys() - {each.name for each in fields}:
        if not is_class_variable(hints.get(name)):
            raise TypeError(
                f"{cls.__name__}.{name}: an InitVar is lost after the construction; make it a field"
            )
    return [
        Member(
            each.name,
            hints[each.name],
            each.default is dataclasses.MISSING and each.default_factory is dataclasses.MISSING,
            getattr(each, "kw_only", False),
        )
        for each in fields
        if each.init
    ]


def _is_required(cls: Any, name: str, hint: Any) -> bool:
    # Before Python 3.11, __required_keys__ does not know annotations that are text.
    for _ in range(4):
        if special(hint) in ("Required", "NotRequired"):
            return special(hint) == "Required"
        hint = (get_args(hint) or (None,))[0]
    return name in cls.__required_keys__
