"""Changed copies of values, patches and differences."""

import pytest
from json_data import SAMPLE, plain, same_json

import immutabledata as imd


@pytest.mark.parametrize(
    ("change", "after"),
    [
        (lambda v: v.set("/n", 1), {"n": 1, "o": {"a": [1, 2]}}),
        (lambda v: v.set("/o", [v]), {"n": 0, "o": [{"n": 0, "o": {"a": [1, 2]}}]}),
        (lambda v: v.set(("o", "a", 0), "x"), {"n": 0, "o": {"a": ["x", 2]}}),
        (lambda v: v.set(["o", "a", 2], 3), {"n": 0, "o": {"a": [1, 2, 3]}}),
        (lambda v: v.set(("o", "a", "-"), 3), {"n": 0, "o": {"a": [1, 2, 3]}}),
        (lambda v: v.set(("o", "b/c~"), None), {"n": 0, "o": {"a": [1, 2], "b/c~": None}}),
        (lambda v: v.set(("",), 5), {"": 5, "n": 0, "o": {"a": [1, 2]}}),
        (lambda v: v.set("/", 5), {"": 5, "n": 0, "o": {"a": [1, 2]}}),
        (lambda v: v.set((), {"all": 1}), {"all": 1}),
        (lambda v: v.set((), 5), 5),
        (lambda v: v.set("", 5), 5),
        (lambda v: v.insert(("o", "a", 0), 0), {"n": 0, "o": {"a": [0, 1, 2]}}),
        (lambda v: v.insert(("o", "a", 2), 3), {"n": 0, "o": {"a": [1, 2, 3]}}),
        (lambda v: v.insert("/m", 1), {"m": 1, "n": 0, "o": {"a": [1, 2]}}),
        (lambda v: v.remove("/n"), {"o": {"a": [1, 2]}}),
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


def test_setting_an_equal_scalar_returns_the_same_instance():
    before = imd.value({"a": [1, 2.5, "\xe9", None, True, -0.0]})
    for index, data in enumerate(before["a"]):
        assert before.set(("a", index), data).is_identical(before)
    assert not before.set(("a", 0), 1.0).is_identical(before)
    assert not before.set(("a", 5), 0.0).is_identical(before)


@pytest.mark.parametrize(
    ("change", "kind"),
    [
        (lambda v: v.set(("x", "y"), 1), imd.NotFoundError),
        (lambda v: v.set(("a", 5), 1), imd.NotFoundError),
        (lambda v: v.insert(("a", 3), 1), imd.NotFoundError),
        (lambda v: v.remove("/x"), imd.NotFoundError),
        (lambda v: v.remove(("a", 2)), imd.NotFoundError),
        (lambda v: v.remove(("a", "-")), imd.NotFoundError),
        (lambda v: v.remove(()), imd.InvalidArgumentError),
        (lambda v: v.at("/x"), imd.NotFoundError),
        (lambda v: v.at("/a/2"), imd.NotFoundError),
        (lambda v: v.at("a"), imd.InvalidArgumentError),
        (lambda v: v.at("/~2"), imd.InvalidArgumentError),
        (lambda v: v.at("/a\0"), imd.InvalidArgumentError),
        (lambda v: v.at(0), imd.NotFoundError),
        (lambda v: v.at(None), TypeError),
        (lambda v: v.at(b"/a"), TypeError),
        (lambda v: v.set("/\0", 1), imd.InvalidArgumentError),
        (lambda v: v.set(("\ud800",), 1), imd.InvalidArgumentError),
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
def test_impossible_changes(change, kind):
    before = imd.value({"a": [1, 2]})
    with pytest.raises(kind) as caught:
        change(before)
    assert type(caught.value) is kind
    assert str(caught.value)
    assert before == {"a": [1, 2]}


@pytest.mark.parametrize(
    "use", [lambda v: v.at("/a/0/b"), lambda v: v.set(("a", 0, "b"), 1), lambda v: v.at("/a/b")]
)
def test_a_step_of_the_wrong_kind(use):
    with pytest.raises(imd.InvalidArgumentError) as caught:
        use(imd.value({"a": [1, 2]}))
    assert type(caught.value) is imd.InvalidArgumentError


def test_at():
    made = imd.value(SAMPLE)
    assert made.at("") == SAMPLE
    assert made.at("/a~1b/1/m~0n") == 1
    assert made.at("/") == "empty"
    assert made.at("/list/4") == "é\0𝄞"


def test_unchanged_parts_are_the_same_instance():
    before = imd.value({"a": {"x": 1}, "b": {"y": [1]}})
    after = before.set(("a", "x"), 2)
    assert after["b"].is_identical(before["b"])
    assert not after["a"].is_identical(before["a"])
    assert not after.is_identical(before)
    assert before.is_identical(before)
    assert not before.is_identical({"a": {"x": 1}, "b": {"y": [1]}})


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


@pytest.mark.parametrize("change", [lambda v: v.__setitem__("a", 1), lambda v: v.__delitem__("a")])
@pytest.mark.parametrize("data", [{"a": 0}, [0]])
def test_assignment(change, data):
    with pytest.raises(TypeError) as caught:
        change(imd.value(data))
    assert str(caught.value) == (
        "a Value never changes in place: set and remove return a new Value; or write the reducer "
        "with @immutabledata.drafting"
    )
