"""Strategies of Hypothesis for the data that a JSON Schema describes."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from hypothesis import strategies as st

from .._values import quoted
from ..errors import InvalidArgumentError

Strategy = st.SearchStrategy[Any]

_MIN_INTEGER, _MAX_INTEGER = -(2**63), 2**63 - 1

# So few that two actions often have the same one, as the ids of records must.
_COMMON_TEXTS = ("a", "b", "c")

_CHARACTERS = st.characters(codec="utf-8", exclude_characters="\0")
_TEXT = st.text(_CHARACTERS, max_size=20)
_FLOATS: dict[str, Any] = {"allow_nan": False, "allow_infinity": False}
_SCALARS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(_MIN_INTEGER, _MAX_INTEGER),
    st.floats(**_FLOATS),
    _TEXT,
)
_BOOLEANS = st.booleans()
_NOTHING: Strategy = st.nothing()
_ANYTHING = st.recursive(
    _SCALARS,
    lambda parts: st.one_of(st.lists(parts, max_size=3), st.dictionaries(_TEXT, parts, max_size=3)),
    max_leaves=6,
)

# The keywords from which the type follows if the schema has none.
_KEYWORDS = {
    "object": ("properties", "required", "additionalProperties", "minProperties", "maxProperties"),
    "array": ("items", "prefixItems", "minItems", "maxItems", "uniqueItems"),
    "string": ("minLength", "maxLength", "pattern"),
    "number": ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"),
}


class SchemaStrategies:
    """Strategies for schemas that refer to each other.

    Most of what they make fits its schema. The rest, such as an instance of two branches of a
    oneOf, must be filtered out.

    definitions: the member $defs of the option schema.
    """

    def __init__(self, definitions: Mapping[str, Any]) -> None:
        self._definitions = definitions
        self._referred: dict[tuple[int, str], Strategy] = {}

    def make(self, schema: Any, root: Any = None) -> Strategy:
        """The strategy for a schema.

        root: the schema into which its references lead; itself if left out.

        Raises InvalidArgumentError: a pattern that Hypothesis cannot read.
        """
        root = schema if root is None else root
        if not isinstance(schema, Mapping):
            return _NOTHING if schema is False else _ANYTHING
        if "const" in schema:
            return st.just(schema["const"])
        if "enum" in schema:
            return st.sampled_from(list(schema["enum"]))
        if "$ref" in schema:
            return self._refer(schema["$ref"], root)
        for keyword in ("anyOf", "oneOf"):
            if keyword in schema:
                rest = {name: part for name, part in schema.items() if name != keyword}
                branches = [_merged(rest, branch) for branch in schema[keyword]]
                return st.one_of([self.make(branch, root) for branch in branches])
        if "allOf" in schema:
            whole: Any = {name: part for name, part in schema.items() if name != "allOf"}
            for part in schema["allOf"]:
                whole = _merged(whole, self._resolved(part, root))
            return self.make(whole, root)
        return self._of_type(schema, root)

    def _of_type(self, schema: Mapping[str, Any], root: Any) -> Strategy:
        given = schema.get("type") or next(
            (type for type, words in _KEYWORDS.items() if any(word in schema for word in words)),
            None,
        )
        if given is None:
            return _ANYTHING
        types = [given] if isinstance(given, str) else given
        return st.one_of([self._of_one_type(type, schema, root) for type in types])

    def _of_one_type(self, type: str, schema: Mapping[str, Any], root: Any) -> Strategy:
        if type == "object":
            return self._objects(schema, root)
        if type == "array":
            return self._arrays(schema, root)
        if type == "string":
            return _strings(schema)
        if type == "integer":
            return _integers(schema)
        if type == "number":
            return _numbers(schema)
        return st.booleans() if type == "boolean" else st.none()

    def _objects(self, schema: Mapping[str, Any], root: Any) -> Strategy:
        members = schema.get("properties", {})
        required = list(schema.get("required", ()))
        others = schema.get("additionalProperties", True)
        named = _records(
            {name: self.make(members.get(name, others), root) for name in required},
            {
                name: self.make(part, root)
                for name, part in members.items()
                if name not in required and part is not False
            },
        )
        # The reducer does not know members that no schema names.
        if others is False or (others is True and members):
            return named
        least = max(0, schema.get("minProperties", 0) - len(required))
        most = schema.get("maxProperties", least + 4) - len(required)
        names = st.sampled_from(_COMMON_TEXTS) | _TEXT
        more = st.dictionaries(
            names, self.make(others, root), min_size=least, max_size=max(least, most)
        )
        return st.builds(lambda named, more: {**more, **named}, named, more)

    def _arrays(self, schema: Mapping[str, Any], root: Any) -> Strategy:
        first = [self.make(part, root) for part in schema.get("prefixItems", ())]
        least = max(0, schema.get("minItems", 0) - len(first))
        most = max(least, schema.get("maxItems", len(first) + least + 4) - len(first))
        items = schema.get("items", not first)
        if items is False:
            return st.tuples(*first).map(list)
        rest = st.lists(self.make(items, root), min_size=least, max_size=most)
        return st.builds(lambda first, rest: [*first, *rest], st.tuples(*first), rest)

    def _refer(self, pointer: str, root: Any) -> Strategy:
        key = id(root), pointer
        if key not in self._referred:
            target, other = self._target(pointer, root)
            # Deferred: a schema may contain itself.
            self._referred[key] = st.deferred(lambda: self.make(target, other))
        return self._referred[key]

    def _resolved(self, schema: Any, root: Any) -> Any:
        while isinstance(schema, Mapping) and "$ref" in schema:
            schema, root = self._target(schema["$ref"], root)
        return schema

    def _target(self, pointer: str, root: Any) -> tuple[Any, Any]:
        """The schema at a pointer, and the one into which its references lead."""
        steps = [
            step.replace("~1", "/").replace("~0", "~")
            for step in pointer.lstrip("#").split("/")[1:]
        ]
        for start in root, {"$defs": self._definitions}:
            target: Any = start
            try:
                for step in steps:
                    target = target[int(step) if isinstance(target, list) else step]
            except (LookupError, TypeError, ValueError):
                continue
            return target, start
        raise InvalidArgumentError(f"the reference {quoted(pointer)} leads to no schema")


def _merged(one: Any, other: Any) -> Any:
    """A schema for what fits two of them, as far as their keywords can be merged."""
    if not isinstance(one, Mapping) or not isinstance(other, Mapping):
        return False if one is False or other is False else one if one is not True else other
    both = {**one, **other}
    for keyword in ("properties", "$defs"):
        if keyword in one and keyword in other:
            both[keyword] = {**one[keyword], **other[keyword]}
    if "required" in one and "required" in other:
        both["required"] = sorted({*one["required"], *other["required"]})
    for keyword, narrower in (("minimum", max), ("maximum", min)):
        if keyword in one and keyword in other:
            both[keyword] = narrower(one[keyword], other[keyword])
    return both


def _records(required: Mapping[str, Strategy], optional: Mapping[str, Strategy]) -> Strategy:
    """Objects with members.

    fixed_dictionaries also varies the order of the members, for which it makes many more choices.
    """
    if _NOTHING in required.values():
        return _NOTHING

    @st.composite
    def record(draw: st.DrawFn) -> dict[str, Any]:
        made = {name: draw(part) for name, part in required.items()}
        for name, part in optional.items():
            if draw(_BOOLEANS):
                made[name] = draw(part)
        return made

    return record()


def _strings(schema: Mapping[str, Any]) -> Strategy:
    least, most = schema.get("minLength", 0), schema.get("maxLength")
    if "pattern" in schema:
        return st.from_regex(_compiled(schema["pattern"])).filter(
            lambda text: least <= len(text) and (most is None or len(text) <= most)
        )
    most = least + 20 if most is None else most
    text = st.text(_CHARACTERS, min_size=least, max_size=most)
    return st.sampled_from(_COMMON_TEXTS) | text if least <= 1 <= most else text


def _compiled(pattern: str) -> re.Pattern[str]:
    """A pattern of ECMAScript, whose classes are those of ASCII."""
    try:
        return re.compile(pattern, re.ASCII)
    except re.error as error:
        raise InvalidArgumentError(
            f"Hypothesis cannot make texts for the pattern {quoted(pattern)}: {error}; give the "
            "machine a strategy for the payload: payloads = {type: strategy}"
        ) from None


def _bounds(schema: Mapping[str, Any], step: Fraction) -> tuple[int, int]:
    """The first and last multiple of a step."""
    lows = [_exact(schema[name]) for name in ("minimum", "exclusiveMinimum") if name in schema]
    highs = [_exact(schema[name]) for name in ("maximum", "exclusiveMaximum") if name in schema]
    low, high = max([Fraction(_MIN_INTEGER), *lows]), min([Fraction(_MAX_INTEGER), *highs])
    first, last = math.ceil(low / step), math.floor(high / step)
    if "exclusiveMinimum" in schema and first * step <= _exact(schema["exclusiveMinimum"]):
        first += 1
    if "exclusiveMaximum" in schema and last * step >= _exact(schema["exclusiveMaximum"]):
        last -= 1
    return first, last


def _exact(number: float) -> Fraction:
    """A number as it is written: 0.1 is a tenth."""
    return Fraction(repr(number))


def _integers(schema: Mapping[str, Any]) -> Strategy:
    # The least integer that is a multiple: 3 for 1.5.
    step = Fraction(_exact(schema.get("multipleOf", 1)).numerator)
    first, last = _bounds(schema, step)
    if first > last:
        return st.nothing()
    return st.integers(first, last).map(lambda count: int(count * step))


def _numbers(schema: Mapping[str, Any]) -> Strategy:
    if "multipleOf" in schema:
        step = _exact(schema["multipleOf"])
        first, last = _bounds(schema, step)
        if first > last:
            return st.nothing()
        return st.integers(first, last).map(lambda count: float(count * step))
    low, high = (
        max(
            (schema[name] for name in names if name in schema),
            key=lambda number: number * sign,
            default=None,
        )
        for names, sign in (
            (("minimum", "exclusiveMinimum"), 1),
            (("maximum", "exclusiveMaximum"), -1),
        )
    )
    reals = st.floats(
        low,
        high,
        exclude_min=low is not None and low == schema.get("exclusiveMinimum"),
        exclude_max=high is not None and high == schema.get("exclusiveMaximum"),
        **_FLOATS,
    )
    return _integers(schema) | reals
