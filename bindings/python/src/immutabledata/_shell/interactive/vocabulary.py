"""What can be typed at a store: its actions and selectors, and what they take."""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

_OPEN: Mapping[str, Any] = {}


@dataclass(frozen=True)
class Shape:
    """An action or a selector, and the JSON Schema of its payload or arguments."""

    name: str
    summary: str = ""
    schema: Mapping[str, Any] | None = None
    """None: it takes nothing, or it is not known what it takes."""
    is_seen: bool = False
    """Whether nobody describes it, but it was dispatched."""

    @property
    def members(self) -> dict[str, Mapping[str, Any]]:
        """The schema of each member that can be given by name, the required ones first."""
        schema = self.schema or _OPEN
        properties: Mapping[str, Any] = schema.get("properties", _OPEN)
        required = [name for name in schema.get("required", ()) if name in properties]
        return {name: properties[name] for name in [*required, *properties]}

    @property
    def required(self) -> list[str]:
        return [name for name in self.members if name in (self.schema or _OPEN).get("required", ())]

    def unnamed(self, count: int, named: Container[str]) -> list[str]:
        """The members for some values without names, in their order: those that are required or,
        if these are fewer, all. Empty if nobody describes them.
        """
        if self.is_seen:
            return []
        required = [name for name in self.required if name not in named]
        if count <= len(required):
            return required
        properties = (self.schema or _OPEN).get("properties", _OPEN)
        return [name for name in properties if name not in named]

    @property
    def is_closed(self) -> bool:
        """Whether it takes no other members."""
        return self.schema is not None and self.schema.get("additionalProperties") is False

    @property
    def usage(self) -> str:
        """Its name and what follows it, as .help and .schema show it."""
        words = [self.name]
        for name in self.members:
            word = f"{name}={kind_of(self.members[name])}"
            words.append(word if name in self.required else f"[{word}]")
        if not self.members and self.schema is not None and not self.is_closed:
            words.append(kind_of(self.schema))
        return " ".join(words)


@dataclass
class Vocabulary:
    """The actions and selectors of a store, by their names."""

    actions: dict[str, Shape] = field(default_factory=dict)
    selectors: dict[str, Shape] = field(default_factory=dict)

    @classmethod
    def of(cls, description: Mapping[str, Any]) -> Vocabulary:
        """Reads what Store.describe returns."""
        vocabulary = cls()
        for action in description.get("actions", ()):
            shape = Shape(action["type"], action.get("summary", ""), action.get("payload"))
            vocabulary.actions[shape.name] = shape
        for selector in description.get("selectors", ()):
            summary = selector.get("summary") or selector.get("expression") or ""
            shape = Shape(selector["name"], summary, selector.get("arguments"))
            vocabulary.selectors[shape.name] = shape
        return vocabulary

    def learn(self, actions: Iterable[Any]) -> None:
        """Adds the types of actions that were dispatched, and the members of their payloads.

        A reducer of a program does not describe its actions.
        """
        for action in actions:
            kind, payload = action["type"], action.get("payload")
            if kind.startswith("@@"):
                continue
            known = self.actions.get(kind)
            if known is None or (known.schema is None and "payload" in action):
                summary = "" if known is None else known.summary
                self.actions[kind] = Shape(kind, summary, _seen(payload), is_seen=True)


def kind_of(schema: Mapping[str, Any]) -> str:
    """What a schema allows, in one word."""
    if "enum" in schema:
        return "|".join(str(each) for each in schema["enum"])
    kind = schema.get("type", "value")
    if isinstance(kind, str):
        return "text" if kind == "string" else kind
    return "|".join(kind)


def is_text(schema: Mapping[str, Any]) -> bool:
    """Whether a schema allows nothing but text, which then needs no quotes: id=1 is "1"."""
    if "enum" in schema:
        return all(isinstance(each, str) for each in schema["enum"])
    return bool(schema.get("type") == "string")


def _seen(payload: Any) -> Mapping[str, Any] | None:
    if payload is None:
        return None
    if isinstance(payload, Mapping):
        return {"type": "object", "properties": dict.fromkeys(list(payload)[:50], _OPEN)}
    return _OPEN
