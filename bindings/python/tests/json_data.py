"""Random JSON data, and models of its equality, order and text."""

import json
import math

from hypothesis import strategies as st

import immutabledata as imd

keys = st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]))

scalars = (
    st.none()
    | st.booleans()
    | st.integers(-(2**63), 2**63 - 1)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text()
)


def nested(scalars, keys, max_leaves, max_size=None):
    """Scalars, and arrays and objects of them."""

    def containers(parts):
        return st.lists(parts, max_size=max_size) | st.dictionaries(keys, parts, max_size=max_size)

    return st.recursive(scalars, containers, max_leaves=max_leaves)


json_values = nested(scalars, keys, max_leaves=20)

containers = st.lists(json_values, max_size=6) | st.dictionaries(keys, json_values, max_size=6)

# Enough members for a tree with several levels, whose nodes split and merge.
many = st.sampled_from([1, 2, 15, 16, 17, 40, 300])
large_containers = st.one_of(
    containers,
    st.tuples(many, json_values).map(lambda made: [*range(made[0]), made[1]]),
    st.tuples(many, keys, json_values).map(
        lambda made: {**{f"k{number}": number for number in range(made[0])}, made[1]: made[2]}
    ),
)


SAMPLE = {
    "a/b": [0, {"m~n": 1}],
    "": "empty",
    "list": [1, 2.5, None, True, "é\0𝄞"],
    "object": {"x": {"y": {}}},
}


def plain(data):
    """Converts a Value to plain data."""
    return data.to_python() if isinstance(data, imd.Value) else data


def merged(target, patch):
    """The function MergePatch of RFC 7396, section 2."""
    if not isinstance(patch, dict):
        return patch
    made = dict(target) if isinstance(target, dict) else {}
    for name, value in patch.items():
        if value is None:
            made.pop(name, None)
        else:
            made[name] = merged(made.get(name), value)
    return made


def same_json(left, right):
    """Whether plain data is the same text as JSON: 1 and 1.0 differ, as do 0.0 and -0.0."""
    if isinstance(left, dict):
        return (
            isinstance(right, dict)
            and left.keys() == right.keys()
            and all(same_json(left[key], right[key]) for key in left)
        )
    if isinstance(left, (list, tuple)):
        return (
            isinstance(right, (list, tuple))
            and len(left) == len(right)
            and all(map(same_json, left, right))
        )
    if isinstance(left, float):
        return (
            isinstance(right, float)
            and left == right
            and math.copysign(1, left) == math.copysign(1, right)
        )
    return type(left) is type(right) and left == right


def equal_json(left, right):
    """Whether plain data is equal as JSON: 1 equals 1.0, and True does not equal 1."""
    if isinstance(left, dict) and isinstance(right, dict):
        return left.keys() == right.keys() and all(
            equal_json(left[key], right[key]) for key in left
        )
    if isinstance(left, list) and isinstance(right, list):
        return len(left) == len(right) and all(map(equal_json, left, right))
    if isinstance(left, bool) or isinstance(right, bool):
        return left is right
    return left == right


def ordered(members):
    """The members of a dict in the order of the library: by the UTF-8 bytes of their keys."""
    return {key: members[key] for key in sorted(members, key=str.encode)}


def canonical(data):
    """The canonical text of plain data."""
    if isinstance(data, dict):
        members = ordered(data).items()
        return "{" + ",".join(f"{canonical(key)}:{canonical(part)}" for key, part in members) + "}"
    if isinstance(data, (list, tuple)):
        return "[" + ",".join(map(canonical, data)) + "]"
    if isinstance(data, float) and 2**53 < abs(data) < 1e16:
        # The library writes an exponent above 2^53, Python from 1e16 on; the digits are the same.
        sign, digits = "-" if data < 0 else "", repr(abs(data))[:-2].rstrip("0")
        return f"{sign}{digits[0]}.{digits[1:]}e+15"
    return json.dumps(data, ensure_ascii=False)
