"""Structural sharing between a state and the state made from its draft."""

import pytest
from drafts import STATE, put, run
from json_data import same_json

import immutabledata as imd


def test_unchanged_parts_are_shared():
    before, after = run(lambda d: put(d["a"]["y"], "z", 1))
    assert not after["a"].is_identical(before["a"])
    assert after["b"].is_identical(before["b"])
    assert after["ids"].is_identical(before["ids"])


@pytest.mark.parametrize(
    "change",
    [
        lambda d: None,
        lambda d: d["a"]["y"]["z"],
        lambda d: put(d["a"], "x", 1),
        lambda d: (put(d["a"], "x", 2), d == 0, put(d["a"], "x", 1)),
        lambda d: (put(d["a"]["y"]["z"], 0, 2), d == 0, put(d["a"]["y"]["z"], 0, 1)),
        lambda d: (put(d["a"]["y"]["z"], 0, 2), d["a"] == 0, put(d["a"]["y"]["z"], 0, 1)),
        lambda d: (put(d["a"], "x", 2), put(d["a"], "x", 1)),
        lambda d: (put(d["a"], "x", 2), d["a"]["y"], put(d["a"], "x", 1)),
        lambda d: (put(d["a"], "x", 2), put(d["a"], "w", 2), d["a"].pop("w"), put(d["a"], "x", 1)),
        lambda d: (put(d["ids"], 0, 5), put(d["b"][0], "n", 1), put(d, "c", "text")),
        lambda d: put(d, "a", {"x": 1, "y": {"z": [1, 2]}}),
        lambda d: put(d, "a", d["a"]),
        lambda d: d["b"].append(d["b"].pop()),
        lambda d: (put(d["a"], "x", 2), d["a"] == 0, put(d["a"], "x", 1)),
        lambda d: put(d, "n", 1) or d.pop("n"),
        lambda d: [part for part in d["b"]],  # noqa: C416
    ],
)
def test_without_a_change_the_result_is_the_state_itself(change):
    before, after = run(change)
    assert after is before


def test_reverted_parts_are_shared():
    def change(d):
        d["a"]["x"] = 1
        d["b"][0]["n"] = 2
        d["b"][0]["n"] = 1
        d["ids"][0] = 6

    before, after = run(change)
    assert after["a"].is_identical(before["a"])
    assert after["b"].is_identical(before["b"])
    assert not after["ids"].is_identical(before["ids"])


@pytest.mark.parametrize("data", [float("nan"), 2**63, {1}, "\ud800"])
def test_invalid_data_is_rejected_immediately(data):
    @imd.drafting
    def reduce(draft, action):
        with pytest.raises(imd.Error):
            draft["a"]["x"] = data
        with pytest.raises(imd.InvalidArgumentError):
            draft["\ud800"] = 1
        draft["b"][1] = 5

    assert reduce(imd.value(STATE), None) == {**STATE, "b": [{"n": 1}, 5, 3]}


@pytest.mark.parametrize(("data", "other"), [(True, 1), (1, 1.0), (0, False), (None, 0)])
def test_another_type_is_a_change(data, other):
    after = imd.drafting(lambda d, a: put(d["in"], "n", other))(imd.value({"in": {"n": data}}), 0)
    assert same_json(after.to_python(), {"in": {"n": other}})


def test_another_text_is_a_change():
    _, after = run(lambda d: put(d["a"], "x", 1.0))
    assert '"x":1.0' in after.to_json()


def test_values_put_into_a_draft_do_not_change():
    part = imd.value({"n": {"m": 1}})

    def change(draft, action):
        draft["one"] = draft["two"] = action
        draft["one"]["n"]["m"] = 2

    after = imd.drafting(change)(imd.value({}), part)
    assert after == {"one": {"n": {"m": 2}}, "two": {"n": {"m": 1}}}
    assert after["two"].is_identical(part)
    assert part == {"n": {"m": 1}}
