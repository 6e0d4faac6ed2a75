"""Making values of data and text, and getting the data back."""

import copy
import json
import pickle
import subprocess
import sys
from collections import UserDict, deque
from collections.abc import Mapping, Sequence

import pytest
from hypothesis import given
from json_data import SAMPLE, containers, json_values, plain, same_json

import immutabledata as imd

# ---- Examples ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "data",
    [
        {},
        [],
        SAMPLE,
        (1, (2,)),
        deque([UserDict(a=1)]),
        {"é": 1, "e\u0301": 2},
        [-0.0, 0.0, 0, 1, 1.0, 1e308, 5e-324, 2**63 - 1, -(2**63), "\0", "a\0b"],
        [[[[]]], {"": {"": {}}}],
    ],
)
def test_values_keep_the_data(data):
    made = imd.value(data)
    plain = json.loads(
        json.dumps(data, default=lambda part: getattr(part, "data", None) or [*part])
    )
    assert same_json(made.to_python(), plain)
    assert made == plain
    assert len(made) == len(plain)


@pytest.mark.parametrize("scalar", [None, True, False, 0, -1, 2**63 - 1, 0.5, -0.0, "", "é\0"])
def test_a_scalar_is_not_a_value(scalar):
    for got in (
        imd.value(scalar),
        imd.value([scalar])[0],
        imd.value({"a": scalar})["a"],
        imd.value({"a": scalar}).at("/a"),
        imd.value([]).append(scalar)[-1],
        imd.from_json(json.dumps(scalar)),
        next(iter(imd.value([scalar]))),
    ):
        assert same_json(got, scalar)


def test_a_value_is_a_mapping_or_a_sequence():
    found = imd.value({"a": [1]})
    assert type(found) is imd.ObjectValue
    assert type(found["a"]) is imd.ArrayValue
    assert isinstance(found, Mapping)
    assert not isinstance(found, Sequence)
    assert isinstance(found["a"], Sequence)
    assert not isinstance(found["a"], Mapping)
    assert isinstance(found["a"], imd.Value)


def test_a_value_of_a_value_is_the_same_object():
    made = imd.value(SAMPLE)
    assert imd.value(made) is made


@pytest.mark.parametrize("kind", [imd.Value, imd.ObjectValue, imd.ArrayValue])
def test_there_is_no_constructor(kind):
    with pytest.raises(TypeError, match=r"use immutabledata.value\(data\)"):
        kind()


def test_values_inside_data_are_shared():
    part = imd.value({"big": [1, 2, 3]})
    made = imd.value({"a/b~": [0, part], 5: part, "c": {"d": part["big"]}, None: 1})
    assert made == {
        "a/b~": [0, {"big": [1, 2, 3]}],
        "5": {"big": [1, 2, 3]},
        "c": {"d": [1, 2, 3]},
        "null": 1,
    }
    assert made["a/b~"][1].is_identical(part)
    assert made["5"].is_identical(part)
    assert made["c"]["d"].is_identical(part["big"])


CIRCULAR = [imd.value([])]


CIRCULAR.append(CIRCULAR)


@pytest.mark.parametrize(
    ("data", "kind", "part"),
    [
        ([2**63], imd.LimitError, ""),
        (2**63, imd.LimitError, ""),
        (-(2**63) - 1, imd.LimitError, ""),
        ([10**5000], imd.LimitError, ""),
        (float("nan"), imd.InvalidArgumentError, "the data cannot be written"),
        ([0, {"a": float("inf")}], imd.InvalidArgumentError, "the data at /1/a"),
        ({"a": {1, 2}}, imd.InvalidArgumentError, "no set"),
        (b"bytes", imd.InvalidArgumentError, "no bytes"),
        (object(), imd.InvalidArgumentError, "no object"),
        ("\ud800", imd.InvalidArgumentError, "surrogates"),
        ({"\0": 1}, imd.InvalidJSONError, ""),
        ([imd.value([]), object()], imd.InvalidArgumentError, "the data at /1"),
        ({"\0": imd.value([])}, imd.InvalidJSONError, ""),
        (CIRCULAR, imd.InvalidArgumentError, "Circular"),
    ],
)
def test_value_refuses(data, kind, part):
    with pytest.raises(kind) as caught:
        imd.value(data)
    assert type(caught.value) is kind
    assert part in str(caught.value)
    for put in (imd.value([1]).append, lambda data: imd.value([1]).set(0, [data])):
        with pytest.raises(imd.Error):
            put(data)


def test_nesting_has_a_limit():
    deep = imd.from_json("[" * 2048 + "]" * 2048)
    with pytest.raises(imd.LimitError):
        imd.value([deep])
    with pytest.raises(imd.LimitError):
        imd.value([]).append(deep)
    assert deep.to_json() == "[" * 2048 + "]" * 2048
    assert deep == imd.from_json(deep.to_json())
    assert deep == copy.deepcopy(deep) == pickle.loads(pickle.dumps(deep))
    assert repr(deep) == f"<immutabledata.Value {'[' * 80}… 1 element>"


@pytest.mark.parametrize(
    ("text", "kind", "place"),
    [
        ("{", imd.InvalidJSONError, (1, 1, 1)),
        (b'[1,\n "\xff"]', imd.InvalidJSONError, None),
        ("[1,\n tru]", imd.InvalidJSONError, None),
        ("", imd.InvalidJSONError, None),
        ("\ud800", imd.InvalidJSONError, None),
        ("[1] 2", imd.InvalidJSONError, None),
        ("1e999", imd.LimitError, None),
        ("9223372036854775808", imd.LimitError, None),
        ("[" * 2049 + "]" * 2049, imd.LimitError, None),
    ],
)
def test_from_json_refuses(text, kind, place):
    with pytest.raises(kind) as caught:
        imd.from_json(text)
    assert type(caught.value) is kind
    if place is not None:
        assert (caught.value.line, caught.value.column, caught.value.offset) == place


def test_from_json_takes_text():
    assert imd.from_json('{"a":1,"a":[2]}') == {"a": [2]}
    assert imd.from_json(b"[1.0]").to_json() == "[1.0]"
    with pytest.raises(TypeError, match="not list"):
        imd.from_json([])


def test_text_is_canonical():
    assert imd.value({"b": 1e2, "é": "/\n", "a": 0.1, "𝄞": -0.0, "Z": 1}).to_json() == (
        '{"Z":1,"a":0.1,"b":100.0,"é":"/\\n","𝄞":-0.0}'
    )


# ---- Random data ---------------------------------------------------------------------------------


@given(data=json_values)
def test_random_data(data):
    made = imd.value(data)
    assert same_json(plain(made), data)
    assert made == data
    if isinstance(made, imd.Value):
        assert same_json(imd.from_json(made.to_json()).to_python(), data)


@given(before=containers, after=containers)
def test_random_differences(before, after):
    old, new = imd.value(before), imd.value(after)
    assert same_json(plain(old.patch(old.diff(new))), after)
    assert (old == new) is (imd.value([old]) == [after])


@pytest.mark.parametrize("limit", [1_000, 100_000])
def test_data_that_contains_itself(limit):
    # In a process of its own: without a check, the stack overflows.
    program = f"""
import sys, immutabledata as imd
sys.setrecursionlimit({limit})
data = {{"a": []}}
data["a"].append(data)
store = imd.Store(lambda state, action: state, state=0)
for use in (imd.value, lambda data: store.dispatch("any", payload=data)):
    try:
        use(data)
    except ValueError as error:
        print(error)
"""
    done = subprocess.run([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True)
    assert done.stdout.splitlines() == [
        "the data at /a/0 cannot be written as JSON: Circular reference detected",
        "the action at /payload/a/0 cannot be written as JSON: Circular reference detected",
    ]
    assert done.returncode == 0
