"""Equality, hash, repr, copies, pickles and lifetime of values."""

import copy
import functools
import gc
import pickle
import sys
from collections import UserDict

import pytest
from json_data import SAMPLE

import immutabledata as imd

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


class Unread(UserDict):
    def __len__(self):
        raise AssertionError("it was read")


def test_equality_ends_at_the_first_difference():
    value = imd.value({"a": [{"n": 1}, {"n": 2}], "b": {"n": 3}})
    assert value != {"a": [{"n": 5}, Unread()], "b": Unread()}
    assert value != {"a": [{"n": 1}, {"n": 5}], "b": Unread()}
    with pytest.raises(AssertionError, match="it was read"):
        value == {"a": [{"n": 1}, {"n": 2}], "b": Unread()}  # noqa: B015


def test_text_equality():
    assert imd.value([1]).has_same_json(imd.value([1]))
    assert not imd.value([1]).has_same_json(imd.value([1.0]))
    with pytest.raises(TypeError, match="the other value must be a Value, not list"):
        imd.value([1]).has_same_json([1])


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ({}, {}),
        ({"b": [1, "é"], "a": None}, {"a": None, "b": [1, "é"]}),
        ([1, -1, 0, 10**15], [1.0, -1.0, -0.0, 1e15]),
        ([9007199254740992, 5e-324, 1e300], [2.0**53, 5e-324, 1e300]),
        (["1.0", '"1.0', "\\", 1], ["1.0", '"1.0', "\\", 1.0]),
    ],
)
def test_equal_values_have_one_hash(left, right):
    left, right = imd.value(left), imd.value(right)
    assert left == right
    assert hash(left) == hash(right) == hash(left)
    assert len({left, right, left.at("")}) == 1


def test_other_values_have_other_hashes():
    values = [[], {}, [1], [True], ["1"], ["1.0"], [1.5], [[1]], {"1": 1}, {"1": 1.5}]
    assert len({hash(imd.value(data)) for data in values}) == len(values)


def test_a_value_can_be_a_key_of_a_cache():
    calls = []
    cached = functools.lru_cache(calls.append)
    for data in ([1, {"a": 2}], [1.0, {"a": 2}], [2]):
        cached(imd.value(data))
    assert calls == [[1, {"a": 2}], [2]]


# ---- As dicts and lists --------------------------------------------------------------------------


def test_operators_of_dicts():
    made, other = imd.value({"b": 1, "a": {"x": [1]}}), {"c": 3, "b": 2}
    joined = made | other
    assert joined == {"a": {"x": [1]}, "b": 2, "c": 3}
    assert joined["a"].is_identical(made["a"])
    assert made | imd.value(other) == joined
    assert other | made == {"a": {"x": [1]}, "b": 1, "c": 3}
    assert list(reversed(made)) == ["b", "a"]
    copied = made.copy()
    assert type(copied) is dict
    assert copied == made
    assert copied["a"].is_identical(made["a"])
    for wrong in ([], 5, "a"):
        with pytest.raises(TypeError, match="unsupported operand"):
            made | wrong
        with pytest.raises(TypeError, match="unsupported operand"):
            wrong | made


def test_operators_of_lists():
    made = imd.value([1, [2]])
    assert made + [3] == made + (3,) == made + imd.value([3]) == [1, [2], 3]
    assert [0] + made == (0,) + made == [0, 1, [2]]
    assert ([0] + made)[2].is_identical(made[1])
    assert list(reversed(made)) == [[2], 1]
    copied = made.copy()
    assert type(copied) is list
    assert copied == made
    assert copied[1].is_identical(made[1])
    for wrong in ({}, 5, "a"):
        with pytest.raises(TypeError):
            made + wrong
        with pytest.raises(TypeError):
            wrong + made


# ---- Representation and copies -------------------------------------------------------------------


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
    assert again.has_same_json(made)


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


@pytest.mark.skipif(sys.version_info < (3, 12), reason="reading attributes would be slower")
def test_a_missing_attribute_of_an_object_names_the_member():
    def check(container, kind):
        with pytest.raises(AttributeError) as caught:
            container.todos  # noqa: B018
        assert str(caught.value) == (
            f"an Object{kind} has no attribute 'todos'; for a member, write "
            f"{kind.lower()}['todos']"
        )
        assert (caught.value.name, caught.value.obj) == ("todos", container)
        for name in ("other", "_hidden", "__array_interface__"):
            with pytest.raises(AttributeError) as caught:
                getattr(container, name)
            assert str(caught.value) == f"'Object{kind}' object has no attribute {name!r}"
        assert not hasattr(container, "todos")

    def reduce(draft, action):
        check(draft, "Draft")
        drafts.append(draft)

    drafts = []
    state = imd.value({"todos": [], "_hidden": 1, "__array_interface__": {}})
    check(state, "Value")
    imd.drafting(reduce)(state, "go")
    assert not hasattr(drafts[0], "todos")  # It is closed.
    for incomplete in (object.__new__(type(state)), object.__new__(type(drafts[0]))):
        assert not hasattr(incomplete, "todos")


def test_an_attribute_in_a_reducer_gets_a_note():
    def read(state, action):
        state.todos  # noqa: B018

    @imd.drafting
    def read_draft(draft, action):
        draft.todos.append(1)

    @imd.drafting
    def write(draft, action):
        draft.new = 5

    @imd.drafting
    def read_private(draft, action):
        draft._todos  # noqa: B018

    def other(state, action):
        object().todos  # noqa: B018

    def told(reducer):
        with imd.Store(reducer, state={"todos": [], "_todos": []}) as store:
            with pytest.raises(AttributeError) as caught:
                store.dispatch("go")
        return "; ".join([str(caught.value), *getattr(caught.value, "__notes__", ())])

    assert told(read).endswith("for a member, write value['todos']")
    assert told(read_draft).endswith("for a member, write draft['todos']")
    assert told(write).endswith("for a member, write draft['new']")
    assert told(read_private) == "'ObjectDraft' object has no attribute '_todos'"
    assert told(other) == "'object' object has no attribute 'todos'"


def test_addition():
    value = imd.value([1])
    assert value + [2, {"a": 3}] == [1, 2, {"a": 3}]
    assert type(value + (2,)) is imd.ArrayValue
    assert value + value == [1, 1]
    assert value == [1]
    for other in (5, "text", {"a": 1}, {1}):
        with pytest.raises(TypeError, match="unsupported operand"):
            _ = value + other
