import copy
import gc
import json
import pickle
from collections import UserDict, deque
from collections.abc import Mapping, Sequence

import immutabledata as imd
import pytest
from hypothesis import given, settings
from json_data import containers, json_values, same_json

SAMPLE = {
    "a/b": [0, {"m~n": 1}],
    "": "empty",
    "list": [1, 2.5, None, True, "é\0𝄞"],
    "object": {"x": {"y": {}}},
}


# ---- Made and read -------------------------------------------------------------------------------


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
def test_value_holds_data(data):
    made = imd.value(data)
    plain = json.loads(
        json.dumps(data, default=lambda part: getattr(part, "data", None) or [*part])
    )
    assert same_json(made.to_python(), plain)
    assert made == plain
    assert len(made) == len(plain)


@pytest.mark.parametrize("scalar", [None, True, False, 0, -1, 2**63 - 1, 0.5, -0.0, "", "é\0"])
def test_a_scalar_is_no_value(scalar):
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


def test_a_value_of_a_value_is_that():
    made = imd.value(SAMPLE)
    assert imd.value(made) is made


@pytest.mark.parametrize("kind", [imd.Value, imd.ObjectValue, imd.ArrayValue])
def test_there_is_no_constructor(kind):
    with pytest.raises(TypeError, match=r"use immutabledata.value\(data\)"):
        kind()


def test_values_within_data_are_shared():
    part = imd.value({"big": [1, 2, 3]})
    made = imd.value({"a/b~": [0, part], 5: part, "c": {"d": part["big"]}, None: 1})
    assert made == {
        "a/b~": [0, {"big": [1, 2, 3]}],
        "5": {"big": [1, 2, 3]},
        "c": {"d": [1, 2, 3]},
        "null": 1,
    }
    assert made["a/b~"][1].is_same(part)
    assert made["5"].is_same(part)
    assert made["c"]["d"].is_same(part["big"])


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


# ---- An object reads as a dict -------------------------------------------------------------------


def test_object():
    made = imd.value(SAMPLE)
    assert list(made) == list(made.keys()) == sorted(SAMPLE)
    assert [*made.values()] == [SAMPLE[key] for key in sorted(SAMPLE)]
    assert list(made.items()) == sorted(SAMPLE.items())
    assert dict(made) == SAMPLE
    assert {**made} == SAMPLE
    assert "list" in made
    assert made.get("list") == SAMPLE["list"]
    assert made.get("none") is None
    assert made.get("none", 5) == 5
    assert ("list", SAMPLE["list"]) in made.items()
    assert "empty" in made.values()
    assert made.keys() == SAMPLE.keys()


@pytest.mark.parametrize(
    "key", ["absent", "a", "a/b/0", "\0", "\ud800", "list\0", 0, None, (), "0"]
)
def test_a_key_that_is_not_there(key):
    made = imd.value(SAMPLE)
    assert key not in made
    assert made.get(key) is None
    with pytest.raises(KeyError) as caught:
        made[key]
    assert caught.value.args == (key,)


def test_an_unhashable_key_is_refused():
    with pytest.raises(TypeError):
        imd.value({})[[]]


def test_keys_that_unicode_would_make_one():
    made = imd.value({"é": 1}).set("e\u0301", 2)
    assert len(made) == 2
    assert (made["é"], made["e\u0301"]) == (1, 2)
    assert list(made) == ["e\u0301", "é"]
    assert made.remove("é") == {"e\u0301": 2}


def test_many_members():
    data = {str(number): number for number in range(5_000)}
    made = imd.value(data)
    assert list(made) == sorted(data)
    assert all(made[key] == data[key] for key in data)
    assert all(key in made for key in data)
    with pytest.raises(KeyError):
        made["5000"]


# ---- An array reads as a list --------------------------------------------------------------------

LIST = SAMPLE["list"]


@pytest.mark.parametrize("index", [*range(-5, 5)])
def test_index(index):
    assert same_json(imd.value(LIST)[index], LIST[index])


@pytest.mark.parametrize("index", [5, -6, 2**70, -(2**70)])
def test_an_index_that_is_not_there(index):
    with pytest.raises(IndexError, match=f"no element {index} in an array of 5"):
        imd.value(LIST)[index]


@pytest.mark.parametrize("index", ["0", 0.0, None])
def test_no_index(index):
    with pytest.raises(TypeError):
        imd.value(LIST)[index]


@pytest.mark.parametrize(
    "part",
    [slice(None), slice(1, 3), slice(None, None, -1), slice(-2, None), slice(3, 1), slice(0, 9, 2)],
)
def test_slice(part):
    data = [*LIST, [1], {"a": [2]}]
    made = imd.value(data)[part]
    assert type(made) is imd.ArrayValue
    assert same_json(made.to_python(), data[part])


def test_array():
    made = imd.value(LIST)
    assert list(made) == LIST
    assert list(reversed(made)) == LIST[::-1]
    assert made.index(None) == 2
    assert made.count(2.5) == 1
    assert 2.5 in made
    assert 7 not in made
    first, *_ = made
    assert first == 1
    assert [1] in imd.value([[1]])


# ---- Changes -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("change", "after"),
    [
        (lambda v: v.set("n", 1), {"n": 1, "o": {"a": [1, 2]}}),
        (lambda v: v.set("o", [v]), {"n": 0, "o": [{"n": 0, "o": {"a": [1, 2]}}]}),
        (lambda v: v.set(("o", "a", 0), "x"), {"n": 0, "o": {"a": ["x", 2]}}),
        (lambda v: v.set(["o", "a", 2], 3), {"n": 0, "o": {"a": [1, 2, 3]}}),
        (lambda v: v.set(("o", "a", "-"), 3), {"n": 0, "o": {"a": [1, 2, 3]}}),
        (lambda v: v.set(("o", "b/c~"), None), {"n": 0, "o": {"a": [1, 2], "b/c~": None}}),
        (lambda v: v.set("", 5), {"": 5, "n": 0, "o": {"a": [1, 2]}}),
        (lambda v: v.set((), {"all": 1}), {"all": 1}),
        (lambda v: v.set((), 5), 5),
        (lambda v: v.insert(("o", "a", 0), 0), {"n": 0, "o": {"a": [0, 1, 2]}}),
        (lambda v: v.insert(("o", "a", 2), 3), {"n": 0, "o": {"a": [1, 2, 3]}}),
        (lambda v: v.insert("m", 1), {"m": 1, "n": 0, "o": {"a": [1, 2]}}),
        (lambda v: v.remove("n"), {"o": {"a": [1, 2]}}),
        (lambda v: v.remove(("o", "a", 0)), {"n": 0, "o": {"a": [2]}}),
        (lambda v: v.update({"n": 1}, m=2), {"m": 2, "n": 1, "o": {"a": [1, 2]}}),
        (lambda v: v.update(), {"n": 0, "o": {"a": [1, 2]}}),
        (lambda v: v.merge({"n": None, "o": {"b": 1}}), {"o": {"a": [1, 2], "b": 1}}),
        (lambda v: v.merge(5), 5),
        (lambda v: v.patch([{"op": "add", "path": "/o/a/1", "value": v["o"]}]),
         {"n": 0, "o": {"a": [1, {"a": [1, 2]}, 2]}}),
        (lambda v: v["o"]["a"].append({"x": 1}), [1, 2, {"x": 1}]),
        (lambda v: v["o"]["a"].extend(iter([3, [4]])), [1, 2, 3, [4]]),
        (lambda v: v["o"]["a"].insert(1, "x"), [1, "x", 2]),
        (lambda v: v["o"]["a"].remove(1), [1]),
    ],
)  # fmt: skip
def test_change(change, after):
    before = imd.value({"n": 0, "o": {"a": [1, 2]}})
    assert same_json(plain(change(before)), after)
    assert before == {"n": 0, "o": {"a": [1, 2]}}


def plain(data):
    return data.to_python() if isinstance(data, imd.Value) else data


@pytest.mark.parametrize(
    ("change", "kind"),
    [
        (lambda v: v.set(("x", "y"), 1), imd.NotFoundError),
        (lambda v: v.set(("a", 5), 1), imd.NotFoundError),
        (lambda v: v.insert(("a", 3), 1), imd.NotFoundError),
        (lambda v: v.remove("x"), imd.NotFoundError),
        (lambda v: v.remove(("a", 2)), imd.NotFoundError),
        (lambda v: v.remove(("a", "-")), imd.NotFoundError),
        (lambda v: v.remove(()), imd.InvalidArgumentError),
        (lambda v: v.at("/x"), imd.NotFoundError),
        (lambda v: v.at("/a/2"), imd.NotFoundError),
        (lambda v: v.at("a"), imd.InvalidArgumentError),
        (lambda v: v.at("/~2"), imd.InvalidArgumentError),
        (lambda v: v.at("/a\0"), imd.InvalidArgumentError),
        (lambda v: v.at(0), TypeError),
        (lambda v: v.set("\0", 1), imd.InvalidArgumentError),
        (lambda v: v.set("\ud800", 1), imd.InvalidArgumentError),
        (lambda v: v.set(("a", -1), 1), imd.InvalidArgumentError),
        (lambda v: v.set(None, 1), TypeError),
        (lambda v: v.set(("a", None), 1), TypeError),
        (lambda v: v.set(("a", True), 1), TypeError),
        (lambda v: v.patch({"op": "add"}), imd.InvalidArgumentError),
        (lambda v: v.patch([{"op": "put", "path": "/a"}]), imd.InvalidArgumentError),
        (lambda v: v.patch([{"op": "test", "path": "/a/0", "value": 2}]), imd.InvalidArgumentError),
        (
            lambda v: v.patch([{"op": "remove", "path": "/a/0"}, {"op": "remove", "path": "/b"}]),
            imd.NotFoundError,
        ),
    ],
)
def test_a_change_that_cannot_be(change, kind):
    before = imd.value({"a": [1, 2]})
    with pytest.raises(kind) as caught:
        change(before)
    assert type(caught.value) is kind
    assert str(caught.value)
    assert before == {"a": [1, 2]}


@pytest.mark.parametrize(
    "use", [lambda v: v.at("/a/0/b"), lambda v: v.set(("a", 0, "b"), 1), lambda v: v.at("/a/b")]
)
def test_a_step_into_what_has_no_such_parts(use):
    with pytest.raises(imd.InvalidArgumentError) as caught:
        use(imd.value({"a": [1, 2]}))
    assert type(caught.value) is imd.InvalidArgumentError


def test_at():
    made = imd.value(SAMPLE)
    assert made.at("") == SAMPLE
    assert made.at("/a~1b/1/m~0n") == 1
    assert made.at("/") == "empty"
    assert made.at("/list/4") == "é\0𝄞"


def test_what_was_not_changed_is_the_same():
    before = imd.value({"a": {"x": 1}, "b": {"y": [1]}})
    after = before.set(("a", "x"), 2)
    assert after["b"].is_same(before["b"])
    assert not after["a"].is_same(before["a"])
    assert not after.is_same(before)
    assert before.is_same(before)
    assert not before.is_same({"a": {"x": 1}, "b": {"y": [1]}})


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ({}, {}),
        ({"a": 1}, {"a": 1.0}),
        ({"a": [1, 2, 3]}, {"a": [2, 3, 4], "b": None}),
        ([{"a": 1}] * 3, [{"a": 1}]),
        ({"a/b": {"~": 1}}, {"a/b": {"~": 2}}),
        ([], {}),
    ],
)
def test_diff(before, after):
    operations = imd.value(before).diff(after)
    assert type(operations) is list
    assert (operations == []) is same_json(before, after)
    assert same_json(imd.value(before).patch(operations).to_python(), after)


# ---- Equality ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("left", "right", "equal"),
    [
        ([1], [1.0], True),
        ([0.0], [-0.0], True),
        ({"a": [{"b": 1}]}, {"a": [{"b": 1.0}]}, True),
        ([True], [1], False),
        ([0], [False], False),
        ([False], [False], True),
        ([None], [0], False),
        (["1"], [1], False),
        ([[]], [{}], False),
        ({}, [], False),
        ([1], [1, 2], False),
        ({"a": 1}, {"b": 1}, False),
        ({"a": 1}, {"a": 1, "b": 2}, False),
        ({"é": 1}, {"e\u0301": 1}, False),
        ([2**53], [float(2**53)], True),
        ([2**53 + 1], [float(2**53)], False),
        ([["a"]], ["a"], False),
        (["a"], "a", False),
        ([[1, 2], 3], [[1, 2], 4], False),
        ([0], b"\0", False),
    ],
)
def test_equality(left, right, equal):
    assert (imd.value(left) == right) is equal
    assert (right == imd.value(left)) is equal
    assert (imd.value(left) != right) is not equal
    if not isinstance(right, (str, bytes)):
        assert (imd.value(left) == imd.value(right)) is equal
        assert (imd.value(right) == imd.value(left)) is equal


def test_equality_with_anything():
    assert imd.value([]) == ()
    assert imd.value({}) != 5
    assert imd.value([]) != None  # noqa: E711
    assert imd.value({}) == UserDict()


def test_text_equality():
    assert imd.value([1]).writes_the_same_as(imd.value([1]))
    assert not imd.value([1]).writes_the_same_as(imd.value([1.0]))


def test_a_value_has_no_hash():
    for made in (imd.value([]), imd.value({})):
        with pytest.raises(TypeError, match="unhashable"):
            hash(made)


# ---- As any object -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("data", "text"),
    [
        ({}, "{}"),
        ({"b": 1, "a": [None, True, 0.5, "é\n"]}, '{"a":[null,true,0.5,"é\\n"],"b":1}'),
        (["x" * 78], '["' + "x" * 78 + "… 1 element"),
        (["x" * 10**6], '["' + "x" * 78 + "… 1 element"),
        ([[0] * 100] * 1234, "[[" + "0," * 39 + "… 1,234 elements"),
        ({"k" * 100: 1}, '{"' + "k" * 78 + "… 1 member"),
    ],
)
def test_repr(data, text):
    assert repr(imd.value(data)) == f"<immutabledata.Value {text}>"


@pytest.mark.parametrize("data", [{}, SAMPLE, [1, 1.0, -0.0, "\0"]])
def test_copies(data):
    made = imd.value(data)
    assert copy.copy(made) is made
    assert copy.deepcopy(made) is made
    assert copy.deepcopy([made])[0] is made
    again = pickle.loads(pickle.dumps(made))
    assert type(again) is type(made)
    assert again.writes_the_same_as(made)


def test_truth():
    assert not imd.value({})
    assert not imd.value([])
    assert imd.value([0])


def test_a_value_cannot_be_assigned_to():
    made = imd.value({"a": 1})
    with pytest.raises(TypeError):
        made["a"] = 2
    with pytest.raises(TypeError):
        del made["a"]
    with pytest.raises(AttributeError):
        made.a = 2


def test_a_part_outlives_the_whole():
    part, items = imd.value({"a": {"b": [1, 2]}})["a"], iter(imd.value([[1], [2]]))
    gc.collect()
    assert part == {"b": [1, 2]}
    assert [next(items), *items] == [[1], [2]]


def test_iterators_are_independent():
    made = imd.value([1, 2, 3])
    assert [(a, b) for a in made for b in made] == [(a, b) for a in (1, 2, 3) for b in (1, 2, 3)]
    abandoned = iter(made)
    next(abandoned)
    del abandoned
    assert list(made) == [1, 2, 3]


# ---- Any data ------------------------------------------------------------------------------------


@settings(deadline=None)
@given(data=json_values)
def test_any_data(data):
    made = imd.value(data)
    assert same_json(plain(made), data)
    assert made == data
    if isinstance(made, imd.Value):
        assert same_json(imd.from_json(made.to_json()).to_python(), data)


@settings(deadline=None)
@given(before=containers, after=containers)
def test_any_difference(before, after):
    old, new = imd.value(before), imd.value(after)
    assert same_json(plain(old.patch(old.diff(new))), after)
    assert (old == new) is (imd.value([old]) == [after])
