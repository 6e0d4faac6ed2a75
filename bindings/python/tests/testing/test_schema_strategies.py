"""Every keyword of schemas has payloads: Hypothesis makes some that the library takes."""

import pytest
from hypothesis import HealthCheck, find, given, settings
from hypothesis import strategies as st

import immutabledata as imd
from immutabledata.testing.strategies import SchemaStrategies

DEFINITIONS = {"name": {"type": "string", "minLength": 1}}

TREE = {
    "type": "object",
    "properties": {"children": {"type": "array", "items": {"$ref": "#"}, "maxItems": 2}},
    "required": ["children"],
    "additionalProperties": False,
}

# Trees of other forms: as many children as there are, two branches or none, members that are left
# out, and records.
TREES = [
    {"type": "object", "properties": {"parts": {"type": "array", "items": {"$ref": "#"}}}},
    {
        "type": "object",
        "properties": {
            name: {"anyOf": [{"$ref": "#"}, {"type": "null"}]} for name in ("left", "right")
        },
        "required": ["left", "right"],
    },
    {"type": "object", "properties": {name: {"$ref": "#"} for name in ("a", "b", "c")}},
    {"type": "object", "additionalProperties": {"$ref": "#"}},
]

# Five schemas in each other, which are no tree.
CHAIN = {
    "$ref": "#/$defs/0",
    "$defs": {
        str(at): {
            "type": "object",
            "properties": {name: {"$ref": f"#/$defs/{at + 1}"}},
            "required": [name] if name < "e" else [],
        }
        for at, name in enumerate("abcde")
    }
    | {"5": {"type": "null"}},
}

SCHEMAS = [
    {},
    True,
    {"type": ["integer", "null"]},
    {"type": "boolean"},
    {"enum": [1, "a", None, [2]]},
    {"const": {"a": 1}},
    {"type": "integer", "minimum": 3, "maximum": 5},
    {"type": "integer", "exclusiveMinimum": 3, "exclusiveMaximum": 5},
    {"type": "integer", "multipleOf": 7, "minimum": 1, "maximum": 20},
    {"type": "integer", "multipleOf": 1.5, "minimum": -7.5},
    {"type": "number", "minimum": 0.5, "exclusiveMaximum": 0.75},
    {"type": "number", "exclusiveMinimum": 0, "exclusiveMaximum": 1},
    {"type": "number", "multipleOf": 0.1, "minimum": 0, "maximum": 1},
    {"minimum": 3},
    {"type": "string", "minLength": 2, "maxLength": 3},
    {"type": "string", "minLength": 30},
    {"type": "string", "enum": [1, 2, 3, 4, 5, 6, 7, "a"]},
    {"type": "string", "pattern": "^[a-z0-9]+$", "maxLength": 4},
    {"type": "string", "pattern": "^[a-z]+$", "minLength": 2},
    {"type": "string", "pattern": "^[a-z]{3,5}$", "minLength": 4},
    {"type": "string", "pattern": "^[a-z]{2}-?[0-9]*$", "minLength": 8, "maxLength": 9},
    {"type": "string", "pattern": "^[a-f0-9]{64}$"},
    {"type": "string", "pattern": r"^[^@\s]+@\w+\.\p{Ll}{2,}$", "maxLength": 12},
    {"type": "string", "pattern": "[a-z]", "minLength": 5},
    {"type": "string", "pattern": "^(a|bc)+$", "minLength": 3},
    {"type": "array", "items": {"type": "integer"}, "minItems": 1, "maxItems": 2},
    {"type": "array", "items": {"type": "integer"}, "uniqueItems": True, "minItems": 2},
    {"type": "array", "items": {"type": "boolean"}, "uniqueItems": True, "minItems": 2},
    {"type": "array", "items": {"enum": ["a", "b", "c"]}, "uniqueItems": True, "minItems": 3},
    {"type": "array", "items": {"enum": [1, True, 1.0]}, "uniqueItems": True, "minItems": 2},
    {
        "type": "array",
        "items": {"type": "integer", "minimum": 1, "maximum": 4},
        "uniqueItems": True,
        "minItems": 4,
    },
    {
        "type": "array",
        "prefixItems": [{"type": "boolean"}],
        "items": {"type": "boolean"},
        "uniqueItems": True,
        "minItems": 2,
    },
    {"type": "array", "minItems": 40},
    {"type": "array", "prefixItems": [{"type": "string"}, {"const": 1}], "minItems": 2},
    {"type": "array", "prefixItems": [{"type": "string"}], "items": False},
    {"prefixItems": [{"type": "string"}], "items": {"type": "null"}, "minItems": 3},
    {
        "type": "object",
        "properties": {"a": {"type": "integer"}, "b": {"type": "string"}},
        "required": ["a"],
        "additionalProperties": False,
    },
    {"type": "object", "additionalProperties": {"type": "integer"}, "minProperties": 2},
    {"type": "object", "required": ["x"], "maxProperties": 1},
    {"type": "object", "properties": {"a": {"type": "null"}}, "maxProperties": 1},
    {"anyOf": [{"type": "string"}, {"type": "integer"}]},
    {
        "type": "object",
        "required": ["kind"],
        "oneOf": [{"properties": {"kind": {"const": kind}}} for kind in ("a", "b")],
    },
    {"oneOf": [{"type": "integer"}, {"type": "number"}]},
    {"oneOf": [{"$ref": "#/$defs/own"}, {"maxLength": 2}], "$defs": {"own": {"minLength": 1}}},
    {"allOf": [{"type": "integer", "minimum": 3}, {"minimum": 1, "maximum": 4}]},
    {"allOf": [{"$ref": "#/$defs/name"}, {"maxLength": 2}]},
    {"type": "integer", "not": {"const": 0}},
    {"type": "object", "properties": {"name": {"$ref": "#/$defs/name"}}, "required": ["name"]},
    {"$ref": "#/$defs/own", "$defs": {"own": {"type": "array", "items": {"$ref": "#/$defs/name"}}}},
    TREE,
    *TREES,
]


@pytest.mark.parametrize("schema", SCHEMAS, ids=str)
def test_payloads_fit(schema):
    """Also 20 in a row: a single one that cannot be made ends the run of a machine."""
    strategy = SchemaStrategies(DEFINITIONS).make(schema)
    schemas = {"actions": {"x": schema}, "$defs": DEFINITIONS}
    with imd.Store(lambda state, action: state, None, schema=schemas) as store:

        @settings(max_examples=20, deadline=None, suppress_health_check=[HealthCheck.too_slow])
        @given(st.data())
        def all_fit(data):
            for _ in range(20):
                store.dispatch("x", data.draw(strategy))

        all_fit()


@pytest.mark.parametrize(
    ("schema", "predicate"),
    [
        ({"type": "number"}, lambda payload: payload != int(payload)),
        ({"type": "integer"}, lambda payload: payload > 2**62),
        ({"type": "string"}, lambda payload: payload == "b"),
        ({"type": "string"}, lambda payload: len(payload) > 5),
        ({"type": "object"}, lambda payload: len(payload) > 1),
        ({"type": "array"}, lambda payload: len(payload) > 2),
        ({"type": "object", "properties": {"a": True}}, lambda payload: payload == {}),
        ({"type": "object", "properties": {"a": True}}, lambda payload: "a" in payload),
        (CHAIN, lambda payload: "e" in payload["a"]["b"]["c"]["d"]),
        (TREE, lambda payload: payload["children"] and payload["children"][0]["children"]),
    ],
)
def test_payloads_vary(schema, predicate):
    find(SchemaStrategies({}).make(schema), predicate, settings=settings(max_examples=5_000))


def test_texts_are_often_the_same():
    """So that an action refers to what another has added."""
    ids = st.lists(SchemaStrategies({}).make({"type": "string"}), min_size=2, max_size=2)
    same = []

    @settings(max_examples=100)
    @given(ids)
    def compare(pair):
        same.append(pair[0] == pair[1])

    compare()
    assert sum(same) > 10


@pytest.mark.parametrize(
    ("schema", "message"),
    [
        ({"type": "string", "pattern": r"^(\p{L})$"}, "cannot make texts for the pattern"),
        ({"$ref": "#/$defs/other"}, 'the reference "#/\\$defs/other" leads to no schema'),
    ],
)
def test_what_has_no_strategy(schema, message):
    with pytest.raises(imd.InvalidArgumentError, match=message):
        SchemaStrategies({}).make(schema)
