"""Random schemas and values, compared with the Python package jsonschema."""

import os
import random

import jsonschema

import immutabledata as imd

VALUES = 20
SCHEMAS = int(os.environ.get("IMD_TEST_EXAMPLES", "0")) or 200

NAMES = ["a", "b", "é", "e\u0301", "a/b", "~"]
SCALARS = [
    None, True, False, 0, 1, 2, 3, -1, 1.0, 0.5, -0.0, 2.5, 1e300, 2**53, 2**53 + 1, float(2**53),
    "", "a", "b", "ab", "ba", "aab", "é", "e\u0301", "😀",
]  # fmt: skip
KINDS = ["null", "boolean", "integer", "number", "string", "array", "object"]
# Python's patterns mean the same for texts without line breaks.
PATTERNS = ["a", "^a", "b$", "^a*$", "^(a|b)+$", "^[^a]", "^.$", "a{2}", "^(?:ab|ba)?$", r"^\S\D"]


def random_value(random, depth):
    kind = random.randrange(8) if depth else 0
    if kind == 6:
        return [random_value(random, depth - 1) for _ in range(random.randrange(4))]
    if kind == 7:
        names = random.sample(NAMES, random.randrange(4))
        return {name: random_value(random, depth - 1) for name in names}
    return random.choice(SCALARS)


def random_rules(random, depth):
    """A few keywords with their values."""

    def schema():
        return random_schema(random, depth - 1)

    def schemas():
        return [schema() for _ in range(random.randint(1, 3))]

    def number():
        return random.choice([-1, 0, 1, 1.0, 1.5, 2, 2**53, 1e300])

    def count():
        return random.randrange(4)

    scalar = {
        "type": lambda: random.choice(
            [random.choice(KINDS), random.sample(KINDS, random.randint(1, 3))]
        ),
        "enum": lambda: [random_value(random, 1) for _ in range(random.randint(1, 4))],
        "const": lambda: random_value(random, 2),
        "minimum": number,
        "maximum": number,
        "exclusiveMinimum": number,
        "exclusiveMaximum": number,
        # With other divisors, jsonschema rounds.
        "multipleOf": lambda: random.choice([1, 2, 0.5, 0.25]),
        "minLength": count,
        "maxLength": count,
        "pattern": lambda: random.choice(PATTERNS),
        "minItems": count,
        "maxItems": count,
        "uniqueItems": lambda: random.random() < 0.7,
        "required": lambda: random.sample(NAMES, random.randrange(3)),
        "minProperties": count,
        "maxProperties": count,
    }
    nested = {
        "items": schema,
        "prefixItems": schemas,
        "properties": lambda: {name: schema() for name in random.sample(NAMES, 3)},
        "additionalProperties": schema,
        "anyOf": schemas,
        "allOf": schemas,
        "oneOf": schemas,
        "not": schema,
        "$ref": lambda: f"#/$defs/{random.choice('xy')}",
    }
    rules = scalar | nested if depth else scalar
    return {name: rules[name]() for name in random.sample(list(rules), random.randint(1, 3))}


def random_schema(random, depth):
    return random.random() < 0.8 if random.random() < 0.1 else random_rules(random, depth)


def random_document(random):
    """A schema whose references lead to two others, which have none to themselves."""
    schema = random_rules(random, 3)
    # Parts may refer to the schema x again: a schema that consumes a step may contain itself.
    schema["$defs"] = {
        "x": {"properties": {"a": {"$ref": "#/$defs/x"}, "b": random_rules(random, 0)}},
        "y": random_rules(random, 0),
    }
    return schema


def is_accepted(store, value):
    try:
        store.dispatch({"type": "a", "payload": value})
    except imd.InvalidActionError:
        return False
    return True


def test_accepts_what_jsonschema_accepts():
    accepted = refused = 0
    for seed in range(SCHEMAS):
        source = random.Random(seed)
        schema = random_document(source)
        validator = jsonschema.Draft202012Validator(schema)
        with imd.Store(lambda state, _: state, state=0, schema={"actions": {"a": schema}}) as store:
            for _ in range(VALUES):
                value = random_value(source, 3)
                expected = validator.is_valid(value)
                assert is_accepted(store, value) == expected, (seed, schema, value)
                accepted += expected
                refused += not expected
    assert accepted > SCHEMAS
    assert refused > SCHEMAS
