"""Strategies of Hypothesis for the data that a JSON Schema describes."""

from __future__ import annotations

import math
from collections.abc import Mapping
from fractions import Fraction
from typing import Any, Callable

from hypothesis import strategies as st

import immutabledata as imd

from .._values import quoted
from ..errors import InvalidArgumentError
from .fitting import Fits, Strategy, drawn_until, standing_alone
from .text_strategies import COMMON_TEXTS, TEXT, texts

_MIN_INTEGER, _MAX_INTEGER = -(2**63), 2**63 - 1

# How many items of an array differ if it must have more: a run can have 50 such arrays, and what
# Hypothesis draws for a run is limited.
_DIFFERENT_ITEMS = 4

# How often a schema may contain itself before there is only what it demands: trees have an end.
_DEEP = 2

# Items of so few kinds are listed, so that arrays of different ones can be made of the list.
_LISTED = 64

_FLOATS: dict[str, Any] = {"allow_nan": False, "allow_infinity": False}
_SCALARS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(_MIN_INTEGER, _MAX_INTEGER),
    st.floats(**_FLOATS),
    TEXT,
)
_BOOLEANS = st.booleans()
_NOTHING: Strategy = st.nothing()
_ANYTHING = st.recursive(
    _SCALARS,
    lambda parts: st.one_of(st.lists(parts, max_size=3), st.dictionaries(TEXT, parts, max_size=3)),
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

    Most of what they make fits its schema at once. The rest, such as an instance of two branches of
    a oneOf, is drawn again until it does.

    definitions: the member $defs of the option schema.
    """

    def __init__(self, definitions: Mapping[str, Any]) -> None:
        self._definitions = {"$defs": definitions}
        self._referred: dict[tuple[int, str], Strategy] = {}
        # The references that have led to what is being drawn.
        self._path: list[tuple[int, str]] = []

    def make(self, schema: Any, root: Any = None) -> Strategy:
        """The strategy for a schema.

        root: the schema into which its references lead; if left out, itself, and all that is made
            fits it.

        Raises InvalidArgumentError: a pattern that Hypothesis cannot read.
        """
        if root is None:
            strategy = self.make(schema, schema)
            return drawn_until(self._fits(schema, schema), strategy)
        if not isinstance(schema, Mapping):
            return _NOTHING if schema is False else _ANYTHING
        if "const" in schema or "enum" in schema:
            listed = self._listed(schema, root)
            return st.sampled_from(listed) if listed else _NOTHING
        if "$ref" in schema:
            return self._refer(schema["$ref"], root)
        for keyword in ("anyOf", "oneOf"):
            if keyword in schema:
                return self._branches(keyword, schema, root)
        if "allOf" in schema:
            whole: Any = {name: part for name, part in schema.items() if name != "allOf"}
            for part in schema["allOf"]:
                whole = _merged(whole, self._resolved(part, root)[0])
            return self.make(whole, root)
        strategy = self._of_type(schema, root)
        return drawn_until(self._fits(schema, root), strategy) if "not" in schema else strategy

    def _branches(self, keyword: str, schema: Mapping[str, Any], root: Any) -> Strategy:
        rest = {name: part for name, part in schema.items() if name != keyword}
        branches = schema[keyword]
        if keyword == "oneOf":
            # What fits a branch that is a part of another fits both.
            branches = [
                branch
                for branch in branches
                if not any(_takes_all(other, branch) for other in branches if other is not branch)
            ]
        made = [self.make(_merged(rest, branch), root) for branch in branches]
        if keyword == "anyOf":
            plain = [part for part, branch in zip(made, branches) if not _refers(branch)]
            whole = st.one_of(made)
            return self._unless_deep(whole, st.one_of(plain)) if made != plain != [] else whole
        return drawn_until(self._fits(schema, root), *made)

    def _listed(self, schema: Any, root: Any) -> list[Any] | None:
        """All that fits a schema, each once; None if that is too much, or not known."""
        schema, root = self._resolved(schema, root)
        if not isinstance(schema, Mapping):
            return None
        if "const" in schema:
            listed = [schema["const"]]
        elif "enum" in schema:
            listed = list(schema["enum"])
        elif schema.get("type") == "boolean":
            listed = [False, True]
        elif schema.get("type") == "integer":
            factors, step = _multiples(schema)
            listed = [factor * step for factor in factors[: _LISTED + 1]]
            if len(listed) > _LISTED:
                return None
        else:
            return None
        if len(schema) > 1:
            listed = list(filter(self._fits(schema, root), listed))
        return list({_identity(data): data for data in reversed(listed)}.values())[::-1]

    def _fits(self, schema: Any, root: Any) -> Fits:
        if schema is not root and root is not self._definitions:
            schema = standing_alone(
                schema, root, lambda pointer: self._target(pointer, root)[1] is root
            )
        return Fits(schema, self._definitions["$defs"])

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
            return texts(schema)
        if type == "integer":
            return _integers(schema)
        if type == "number":
            return _numbers(schema)
        return st.booleans() if type == "boolean" else st.none()

    def _objects(self, schema: Mapping[str, Any], root: Any) -> Strategy:
        members = schema.get("properties", {})
        required = list(schema.get("required", ()))
        others = schema.get("additionalProperties", True)
        needed = {name: self.make(members.get(name, others), root) for name in required}
        optional = {
            name: self.make(part, root)
            for name, part in members.items()
            if name not in required and part is not False
        }
        plain = {name: part for name, part in optional.items() if not _refers(members[name])}
        named = _records(needed, optional)
        if plain != optional:
            named = self._unless_deep(named, _records(needed, plain))
        # The reducer does not know members that no schema names.
        if others is False or (others is True and members):
            return named
        least = max(0, schema.get("minProperties", 0) - len(required))
        most = schema.get("maxProperties", least + 4) - len(required)
        names = st.sampled_from(COMMON_TEXTS) | TEXT
        part = self.make(others, root)
        more = st.dictionaries(names, part, min_size=least, max_size=max(least, most))
        if _refers(others):
            fewest = st.dictionaries(names, part, min_size=least, max_size=least)
            more = self._unless_deep(more, fewest)
        return st.builds(lambda named, more: {**more, **named}, named, more)

    def _arrays(self, schema: Mapping[str, Any], root: Any) -> Strategy:
        first = [self.make(part, root) for part in schema.get("prefixItems", ())]
        least = max(0, schema.get("minItems", 0) - len(first))
        most = max(least, schema.get("maxItems", len(first) + least + 4) - len(first))
        items = schema.get("items", not first)
        if items is False:
            return st.tuples(*first).map(list)
        item = self.make(items, root)
        is_unique = schema.get("uniqueItems", False)
        if is_unique:
            listed = self._listed(items, root)
            if listed is not None:
                item, most = st.sampled_from(listed) if listed else item, min(most, len(listed))
                if least > most:
                    return _NOTHING
            rest = st.lists(item, min_size=least, max_size=most, unique_by=_identity)
        elif least > _DIFFERENT_ITEMS:
            rest = st.builds(
                lambda items, count: [items[at % len(items)] for at in range(count)],
                st.lists(item, min_size=1, max_size=_DIFFERENT_ITEMS),
                st.integers(least, most),
            )
        else:
            rest = st.lists(item, min_size=least, max_size=most)
            if _refers(items):
                rest = self._unless_deep(rest, st.lists(item, min_size=least, max_size=least))
        both = st.builds(lambda first, rest: [*first, *rest], st.tuples(*first), rest)
        return drawn_until(Fits({"uniqueItems": True}), both) if is_unique and first else both

    def _refer(self, pointer: str, root: Any) -> Strategy:
        key = id(root), pointer
        if key not in self._referred:
            target, other = self._target(pointer, root)
            # Deferred: a schema may contain itself.
            self._referred[key] = self._following(
                key, st.deferred(lambda: self.make(target, other))
            )
        return self._referred[key]

    def _following(self, key: tuple[int, str], strategy: Strategy) -> Strategy:
        @st.composite
        def follow(draw: Callable[[Strategy], Any]) -> Any:
            self._path.append(key)
            try:
                return draw(strategy)
            finally:
                self._path.pop()

        return follow()

    def _unless_deep(self, strategy: Strategy, least: Strategy) -> Strategy:
        """A strategy; deep inside a tree, one for what has as few references as possible."""

        @st.composite
        def draw_one(draw: Callable[[Strategy], Any]) -> Any:
            path = self._path
            return draw(least if path and path.count(path[-1]) >= _DEEP else strategy)

        return draw_one()

    def _resolved(self, schema: Any, root: Any) -> tuple[Any, Any]:
        """What a schema refers to, and the schema into which the references of that lead."""
        while isinstance(schema, Mapping) and "$ref" in schema:
            schema, root = self._target(schema["$ref"], root)
        return schema, root

    def _target(self, pointer: str, root: Any) -> tuple[Any, Any]:
        """The schema at a pointer, and the one into which its references lead."""
        steps = [
            step.replace("~1", "/").replace("~0", "~")
            for step in pointer.lstrip("#").split("/")[1:]
        ]
        for start in root, self._definitions:
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


def _refers(schema: Any) -> bool:
    """Whether a schema has references."""
    if isinstance(schema, Mapping):
        return "$ref" in schema or any(map(_refers, schema.values()))
    return isinstance(schema, list) and any(map(_refers, schema))


def _takes_all(one: Any, other: Any) -> bool:
    """Whether a schema of nothing but types takes what fits another one, because of its type."""
    if not isinstance(one, Mapping) or not isinstance(other, Mapping) or one.keys() != {"type"}:
        return False
    types = _types(one)
    if "number" in types:
        types.add("integer")
    return bool(_types(other)) and _types(other) <= types


def _types(schema: Mapping[str, Any]) -> set[str]:
    types = schema.get("type", ())
    return {types} if isinstance(types, str) else set(types)


def _identity(data: Any) -> object:
    """What two data have in common if they are equal as JSON."""
    return imd.value([data])  # True and 1 are values of their own inside an array.


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


def _multiples(schema: Mapping[str, Any]) -> tuple[range, int]:
    """The integers of a schema: the factors, and the step that they are multiplied by."""
    # The least integer that is a multiple: 3 for 1.5.
    step = _exact(schema.get("multipleOf", 1)).numerator
    first, last = _bounds(schema, Fraction(step))
    return range(first, last + 1), step


def _integers(schema: Mapping[str, Any]) -> Strategy:
    factors, step = _multiples(schema)
    if not factors:
        return _NOTHING
    return st.integers(factors[0], factors[-1]).map(lambda factor: factor * step)


def _numbers(schema: Mapping[str, Any]) -> Strategy:
    if "multipleOf" in schema:
        step = _exact(schema["multipleOf"])
        first, last = _bounds(schema, step)
        if first > last:
            return _NOTHING
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
