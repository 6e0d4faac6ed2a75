"""Instances of classes with members, as they are written and rebuilt."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Callable, Literal, get_args, get_origin

from .._values import quoted, to_python
from ..errors import InvalidActionError
from .annotations import simplified
from .members import Member
from .plain import plain


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
        """Makes an instance from an object, which may lack members with defaults."""
        if self.is_model:
            return self.cls.model_validate(to_python(data))
        try:
            found = {name: data[name] for name in self.names}
        except KeyError:
            found = self._present(data)
        for name, read in self._reads.items():
            if name in found:
                found[name] = read(found[name])
        return found if self.is_dict else self.cls(**found)

    def _present(self, data: Any) -> dict[str, Any]:
        """The members that an object has."""
        for each in self.members:
            if each.is_required and each.name not in data:
                raise InvalidActionError(f"{self.name}: the member {quoted(each.name)} is missing")
        return {name: data[name] for name in self.names if name in data}

    def payload_reader(self) -> Callable[[Any], Any]:
        """A function that makes an instance from the payload of an action."""
        cls, names, read = self.cls, self.names, self.read
        is_filled = not self._reads and _is_filled(cls, names)

        def read_payload(action: Any) -> Any:
            try:
                payload = action["payload"]
                if is_filled:
                    instance = object.__new__(cls)
                    members = instance.__dict__
                    for name in names:
                        members[name] = payload[name]
                    return instance
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
            return (type,) if payload == {} else (type, payload)

        return write_action

    def write(self, instance: Any) -> Any:
        """The plain data of an instance."""
        if self.is_model:
            return plain(instance)
        written = {name: getattr(instance, name) for name in self.names}
        for name in self._converted:
            written[name] = plain(written[name])
        return written


def _is_filled(cls: Any, names: list[str]) -> bool:
    """Whether the construction of an instance only sets members of its __dict__.

    That takes half of the time if it is done directly.
    """
    parameters = vars(cls).get("__dataclass_params__")
    if parameters is None:
        return False
    import dataclasses

    return bool(
        parameters.frozen
        and parameters.init
        and not hasattr(cls, "__post_init__")
        and cls.__new__ is object.__new__
        and len(dataclasses.fields(cls)) == len(names)
        and not any("__slots__" in vars(base) for base in cls.__mro__[:-1])
        and not any(hasattr(getattr(cls, name, None), "__set__") for name in names)
    )
