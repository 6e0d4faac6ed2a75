"""A schema that is being derived from a type."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from .codec import Codec


class Document:
    """A schema and its "$defs", the schemas of classes.

    names: what annotations may refer to in addition to the names of their modules.
    is_plain: whether the program reads the data as JSON, so that instances of classes are refused.
    """

    def __init__(self, names: Mapping[str, Any], is_plain: bool = False) -> None:
        self.names = names
        self.is_plain = is_plain
        self.codecs: dict[type, Codec] = {}
        self._definitions: dict[str, Any] = {}
        self._references: Counter[str] = Counter()

    def reference(self, cls: type) -> Codec:
        """A reference to the schema of a class that was added."""
        codec = self.codecs[cls]
        self._references[codec.schema["$ref"]] += 1
        return codec

    def add(self, cls: type, codec: Codec) -> Codec:
        """Adds a class, whose schema follows. Two classes may have the same name."""
        name, number = cls.__name__, 1
        while name in self._definitions:
            number += 1
            name = f"{cls.__name__}{number}"
        self._definitions[name] = {}
        self.codecs[cls] = codec._replace(schema={"$ref": f"#/$defs/{name}"})
        return self.reference(cls)

    def define(self, cls: type, schema: dict[str, Any]) -> None:
        """Sets the schema of a class that was added."""
        self._definitions[self._name(self.codecs[cls].schema)] = schema

    def schema(self, codec: Codec) -> dict[str, Any]:
        """The whole schema of a type."""
        schema = codec.schema
        if self._references[schema.get("$ref", "")] == 1:
            name = self._name(schema)
            # That of a model may refer to its own definitions, at their place.
            if "$defs" not in self._definitions[name]:
                schema = self._definitions.pop(name)
        return self.whole(schema)

    def whole(self, schema: dict[str, Any]) -> dict[str, Any]:
        """A schema with the "$defs" to which it refers."""
        return {**schema, "$defs": self._definitions} if self._definitions else schema

    def path(self, cls: type) -> str:
        """The JSON Pointer of the schema of a class, as a reference has it."""
        reference: str = self.codecs[cls].schema["$ref"]
        return reference

    def _name(self, schema: dict[str, Any]) -> str:
        reference: str = schema["$ref"]
        return reference.rpartition("/")[2]
