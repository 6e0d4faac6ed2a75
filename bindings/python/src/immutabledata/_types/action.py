"""Classes whose instances are actions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal, get_args, get_origin

from .._values import Value, plain, quoted
from .annotations import Annotations, alternatives, hints_of, shown, simplified
from .derive import derive
from .document import Document
from .members import is_record
from .record import Record


class ActionClass:
    """A class whose instances are the actions of a type."""

    def __init__(self, cls: type, names: Mapping[str, Any]) -> None:
        document = Document(names)
        codec = derive(cls, cls.__name__, document)
        assert codec.record is not None
        self.cls = cls
        self.types = [_type_of(cls, codec.record)]
        self.schema = document.schema(codec)
        self.read = codec.record.payload_reader()
        """Makes the instance that an action was, or could have been."""
        self.write = codec.record.action_writer(self.types[0])
        """Returns the type and, if the class has members, the payload of an instance."""


class ActionDict:
    """A TypedDict that describes whole actions: {"type": …, "payload": …, "meta": …}."""

    def __init__(self, cls: type, names: Mapping[str, Any]) -> None:
        hints = hints_of(cls, names)
        for name in hints.keys() - {"type", "payload", "meta"}:
            raise TypeError(
                f"{cls.__name__}.{name}: an action has the members type, payload and meta; put "
                f"{quoted(name)} into its payload"
            )
        self.cls = cls
        self.types: list[str] = list(get_args(simplified(hints["type"])))
        document = Document(names, is_plain=True)
        if "payload" in hints:
            codec = derive(hints["payload"], f"{cls.__name__}.payload", document)
            self.schema = document.schema(codec)
        else:
            self.schema = {"type": "object", "additionalProperties": False}

    def read(self, action: Any) -> Any:
        """The action itself, which reads like a dict."""
        return action


def action_classes(annotations: Annotations, name: str) -> list[Any]:
    """The classes of the actions that a parameter takes; none if its type is another one.

    Raises TypeError: one of the types is no class of actions, and others are, or all are of data
    that is no action; two classes have the same type, or one cannot be derived.
    """
    parts = alternatives(annotations.read(name))
    found = [_make(each, annotations.names) for each in parts]
    if not any(found) and not all(map(is_no_action, parts)):
        return []
    where = f"the parameter {name} of {annotations.name}"
    classes: dict[str, Any] = {}
    for part, each in zip(parts, found):
        if each is None:
            raise TypeError(
                f"{where}: {shown(part)} is no class of actions; use a dataclass, a NamedTuple, a "
                "model of pydantic, or a TypedDict with a Literal as its type"
            )
        for type in each.types:
            other = classes.setdefault(type, each)
            if other is not each:
                raise TypeError(
                    f"{where}: {other.cls.__name__} and {each.cls.__name__} both have the type "
                    f"{quoted(type)}"
                )
    return found


def is_no_action(hint: Any) -> bool:
    """Whether nothing that a type describes can be read as an action is, by keys: such as str."""
    hint = simplified(hint)
    kind = get_origin(hint) or hint
    if not isinstance(kind, type):
        return kind is Literal
    if issubclass(kind, Sequence):
        return True
    is_open = kind in (Any, object, Value) or getattr(kind, "_is_protocol", False)
    return not is_open and not hasattr(kind, "__getitem__")


def _make(hint: Any, names: Mapping[str, Any]) -> Any:
    hint = simplified(hint)
    if get_origin(hint) is not None or not isinstance(hint, type) or not is_record(hint):
        return None
    if not issubclass(hint, dict):
        return ActionClass(hint, names)
    raw = hint.__annotations__.get("type")
    try:
        kind = hints_of(hint, names).get("type")
    except TypeError:
        # A loose dict may have names for type checkers only.
        if "Literal" in str(raw):
            raise
        return None
    return ActionDict(hint, names) if get_origin(simplified(kind)) is Literal else None


def _type_of(cls: Any, record: Record) -> str:
    """The type of the actions of a class: its attribute type, or its name."""
    fields = cls.model_fields if record.is_model else record.names
    if "type" in fields:
        raise TypeError(
            f"{cls.__name__}.type is a member of the payload; write type: ClassVar[str] = … for "
            "the type of the action, or rename the member"
        )
    type = getattr(cls, "type", None)
    return plain(type) if isinstance(type, str) else plain(cls.__name__)
