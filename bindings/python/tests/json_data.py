"""Data that JSON can hold, and what tells such data apart."""

import math

from hypothesis import strategies as st

keys = st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]))

scalars = (
    st.none()
    | st.booleans()
    | st.integers(-(2**63), 2**63 - 1)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text()
)

json_values = st.recursive(
    scalars, lambda parts: st.lists(parts) | st.dictionaries(keys, parts), max_leaves=20
)

containers = st.lists(json_values, max_size=6) | st.dictionaries(keys, json_values, max_size=6)


def same_json(left, right):
    """Whether two pieces of plain data are the same text: 1 is not 1.0, and 0.0 is not -0.0."""
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
