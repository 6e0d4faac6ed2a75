import copy
import pickle

import immutabledata as imd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from json_data import json_values, keys, large_containers, same_json

STATE = {
    "a": {"x": 1, "y": {"z": [1, 2]}},
    "b": [{"n": 1}, {"n": 2}, 3],
    "c": "text",
    "ids": [5, 3, 4],
}


def plain(data):
    return data.to_python() if isinstance(data, imd.Value) else data


def reducer(change):
    @imd.drafting
    def reduce(draft, action):
        change(draft)

    return reduce


def run(change, state=STATE):
    """What a change makes of a draft, beside what it makes of plain data."""
    before = imd.value(state)
    after = reducer(change)(before, None)
    expected = copy.deepcopy(state)
    change(expected)
    assert same_json(plain(after), expected)
    assert before == state
    return before, after


# ---- A draft is a dict or list -------------------------------------------------------------------


def put(container, key, data):
    container[key] = data


def delete(container, key):
    del container[key]


def each(d):
    for part in d["b"][:2]:
        part["n"] += 10
    for key, part in d["a"].items():
        if key == "y":
            part["z"].append(key)


def put_then_change(d):
    new = {"list": []}
    d["new"] = new
    new["list"].append(1)
    d["new"]["list"].append(2)
    d["new"]["more"] = {}
    d["new"]["more"]["x"] = new["list"]


def move(d):
    d["b"].append(d["a"]["y"])
    d["a"]["y"]["z"].append("both")
    d["b"][-1]["w"] = d["b"][0]
    d["b"][0]["n"] = "shown twice"


def keep_some(d):
    d["b"] = [part for part in d["b"] if part != {"n": 1}]
    d["b"][0]["n"] = 7


def one_after_the_other(d):
    d["a"]["x"] = 2
    assert d["a"]["x"] == 2
    d["a"]["x"] = 3
    assert len(d["a"]) == 2
    d["a"]["w"] = "new"
    assert sorted(d["a"]) == ["w", "x", "y"]
    d["a"]["x"] = True
    assert "x" in d["a"]
    del d["a"]["w"]
    d["ids"][0] = 9
    d["ids"].insert(0, 8)
    d["ids"][-1] = None
    assert d["ids"] == [8, 9, 3, None]
    d["ids"][1] = 7
    d["ids"].reverse()
    d["ids"][0] = {"n": 1}
    d["ids"][0]["n"] = 2
    d["ids"][0] = 5
    d["c"] = 1
    d["c"] = []
    d["c"] = None


def deep_in_two_places(d):
    d["a"]["y"]["z"][1] = 7
    d["b"][0]["n"] = 8


def walrus(d):
    d["b"].insert(0, first := {"n": 0})
    d["b"].insert(0, {"n": -1})
    first["later"] = True
    del d["b"][2]


@pytest.mark.parametrize(
    "change",
    [
        lambda d: put(d["a"], "x", 2),
        lambda d: put(d, "n", None),
        lambda d: put(d["a"]["y"]["z"], 0, {"deep": [True, 0.5]}),
        lambda d: put(d["b"], -1, []),
        lambda d: delete(d, "a"),
        lambda d: delete(d["b"], 0),
        lambda d: delete(d["b"], slice(1, None)),
        lambda d: delete(d["b"], slice(None, None, 2)),
        lambda d: d["b"].append({"n": 3}),
        lambda d: d["b"].append(d["b"].pop(0)),
        lambda d: d["b"].extend([4, {"n": 5}]),
        lambda d: d["b"].extend(d["b"]),
        lambda d: d["b"].insert(1, [1]),
        lambda d: d["b"].insert(99, 1),
        lambda d: d["b"].insert(-99, 1),
        lambda d: d["b"].insert(-1, 1),
        lambda d: d["b"].remove({"n": 2}),
        lambda d: d["b"].reverse(),
        lambda d: d["b"].clear(),
        lambda d: d["ids"].sort(),
        lambda d: d["ids"].sort(key=lambda n: -n, reverse=True),
        lambda d: d["b"].pop(),
        lambda d: put(d["b"], slice(0, 2), [9]),
        lambda d: put(d["b"], slice(1, 1), ({"n": n} for n in range(3))),
        lambda d: put(d["b"], slice(None, None, 2), ["x", "y"]),
        lambda d: put(d["b"], slice(None), d["b"][::-1]),
        lambda d: put(d["b"], slice(2, 0), [0]),
        lambda d: put(d["b"], slice(None), [part for part in d["b"] if part != 3]),
        lambda d: put(d, "b", d["b"] + [4]),
        lambda d: put(d, "b", d["b"] + d["ids"]),
        lambda d: d.update({"c": 1}, e={"f": []}),
        lambda d: d.setdefault("new", []).append(1),
        lambda d: d.setdefault("b", []).append(1),
        lambda d: put(d, "c", d.pop("a")),
        lambda d: d.pop("none", None),
        lambda d: d["a"].clear(),
        lambda d: d.clear(),
        lambda d: d.__ior__({"c": 2}),
        lambda d: put(d["a"]["y"], "z", ({"n": n} for n in range(2)).__next__()),
        lambda d: put(d, "t", ((1, [2]), ())),
        lambda d: d.update({"e\u0301": 1, "é": 2}),
        lambda d: put(d, "", {"/~": "\0"}),
        lambda d: put(d, "big", [2**63 - 1, -(2**63), 1e308, -0.0, 1.0, 1]),
        lambda d: None,
        each,
        put_then_change,
        move,
        keep_some,
        one_after_the_other,
        deep_in_two_places,
        lambda d: put(d["a"]["y"]["z"], 1, 5),
        lambda d: put(d["a"]["y"], "~/é", 5),
        lambda d: put(d["a"]["y"], "new", -(2**63)),
        lambda d: put(d["a"]["y"], "new", "\0é"),
        lambda d: (put(d["a"]["y"], "z", 1), put(d, "a", 2)),
        lambda d: (put(d["a"], "x", 5), put(d, "also", d["a"]), put(d["also"], "x", 6)),
        lambda d: (put(d["a"], "x", 5), d.pop("a"), None)[-1],
        walrus,
    ],
)
def test_changes(change):
    run(change)


def test_reads():
    def look(d):
        assert len(d) == 4
        assert list(d) == sorted(STATE)
        assert "a" in d
        assert "q" not in d
        assert d.get("q", 5) == 5
        assert d == STATE
        assert d["a"] == STATE["a"]
        assert d["b"] == STATE["b"]
        assert STATE["b"] == d["b"]
        assert d["b"][::-1] == STATE["b"][::-1]
        assert d["b"][0] == {"n": 1}
        assert d["b"].index(3) == 2
        assert d["ids"].count(3) == 1
        assert {"n": 2} in d["b"]
        assert list(reversed(d["ids"])) == [4, 3, 5]
        assert dict(d["b"][1]) == {"n": 2}
        assert list(d["a"].items()) == [("x", 1), ("y", {"z": [1, 2]})]
        assert d["a"] is d["a"]
        assert d["b"] != d["ids"]

    before, after = run(look)
    assert after is before


@pytest.mark.parametrize(
    ("change", "kind"),
    [
        (lambda d: d["none"], KeyError),
        (lambda d: delete(d, "none"), KeyError),
        (lambda d: d["b"][3], IndexError),
        (lambda d: put(d["b"], 3, 1), IndexError),
        (lambda d: delete(d["b"], -4), IndexError),
        (lambda d: d["b"]["0"], TypeError),
        (lambda d: d["b"].remove(7), ValueError),
        (lambda d: put(d["b"], slice(None, None, 2), [1]), ValueError),
        (lambda d: d["none"].append(1), KeyError),
        (lambda d: d["c"].append(1), AttributeError),
        (lambda d: d.pop("none"), KeyError),
        (lambda d: hash(d["a"]), TypeError),
    ],
)
def test_mistakes_raise_what_a_dict_or_list_raises(change, kind):
    for target in (copy.deepcopy(STATE), imd.value(STATE)):
        with pytest.raises(kind):
            change(target) if isinstance(target, dict) else reducer(change)(target, None)


@pytest.mark.parametrize(
    ("change", "kind", "part"),
    [
        (lambda d: put(d, 5, 1), TypeError, "a key of an object is a str, not int"),
        (lambda d: put(d, "\0", 1), imd.InvalidArgumentError, "U+0000"),
        (lambda d: put(d, "n", float("nan")), imd.InvalidArgumentError, "cannot be written"),
        (lambda d: put(d, "n", {1}), imd.InvalidArgumentError, "no set"),
        (lambda d: put(d, "n", 2**63), imd.LimitError, ""),
        (lambda d: put(d, "n", [object()]), imd.InvalidArgumentError, "the data at /0"),
        (lambda d: put(d["a"], "self", d), imd.InvalidArgumentError, "must not contain itself"),
        (lambda d: put(d, "self", [d]), imd.InvalidArgumentError, "must not contain itself"),
        (pickle.dumps, TypeError, "cannot be pickled"),
    ],
)
def test_what_no_draft_can_hold(change, kind, part):
    before = imd.value(STATE)
    with pytest.raises(kind) as caught:
        reducer(change)(before, None)
    assert type(caught.value) is kind
    assert part in str(caught.value)
    assert before == STATE


# ---- Sharing -------------------------------------------------------------------------------------


def test_what_was_not_changed_is_shared():
    before, after = run(lambda d: put(d["a"]["y"], "z", 1))
    assert not after["a"].is_same(before["a"])
    assert after["b"].is_same(before["b"])
    assert after["ids"].is_same(before["ids"])


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
def test_no_change_is_the_state_itself(change):
    before, after = run(change)
    assert after is before


def test_what_is_put_back_is_shared_beside_a_change():
    def change(d):
        d["a"]["x"] = 1
        d["b"][0]["n"] = 2
        d["b"][0]["n"] = 1
        d["ids"][0] = 6

    before, after = run(change)
    assert after["a"].is_same(before["a"])
    assert after["b"].is_same(before["b"])
    assert not after["ids"].is_same(before["ids"])


@pytest.mark.parametrize("data", [float("nan"), 2**63, {1}, "\ud800"])
def test_what_no_draft_can_hold_is_refused_at_once(data):
    @imd.drafting
    def reduce(draft, action):
        with pytest.raises(imd.Error):
            draft["a"]["x"] = data
        with pytest.raises(imd.InvalidArgumentError):
            draft["\ud800"] = 1
        draft["b"][1] = 5

    assert reduce(imd.value(STATE), None) == {**STATE, "b": [{"n": 1}, 5, 3]}


@pytest.mark.parametrize(("data", "other"), [(True, 1), (1, 1.0), (0, False), (None, 0)])
def test_what_differs_only_in_kind_is_a_change(data, other):
    after = imd.drafting(lambda d, a: put(d["in"], "n", other))(imd.value({"in": {"n": data}}), 0)
    assert same_json(after.to_python(), {"in": {"n": other}})


def test_what_differs_only_as_text_is_a_change():
    _, after = run(lambda d: put(d["a"], "x", 1.0))
    assert '"x":1.0' in after.to_json()


def test_values_are_taken_in_and_not_changed():
    part = imd.value({"n": {"m": 1}})

    def change(draft, action):
        draft["one"] = draft["two"] = action
        draft["one"]["n"]["m"] = 2

    after = imd.drafting(change)(imd.value({}), part)
    assert after == {"one": {"n": {"m": 2}}, "two": {"n": {"m": 1}}}
    assert after["two"].is_same(part)
    assert part == {"n": {"m": 1}}


# ---- What a reducer returns ----------------------------------------------------------------------


def returning(result, state=STATE):
    return imd.drafting(lambda draft, action: result(draft))(imd.value(state), None)


@pytest.mark.parametrize(
    ("result", "after"),
    [
        (lambda d: d, STATE),
        (lambda d: d.update(c=1) or d, {**STATE, "c": 1}),
        (lambda d: {"new": [1]}, {"new": [1]}),
        (lambda d: 5, 5),
        (lambda d: d["a"], STATE["a"]),
        (lambda d: [d["a"], {"b": d["b"]}], [STATE["a"], {"b": STATE["b"]}]),
        (lambda d: imd.value([1]), [1]),
    ],
)
def test_what_is_returned_is_the_next_state(result, after):
    assert same_json(plain(returning(result)), after)


@pytest.mark.parametrize(
    "result", [lambda d: put(d, "c", 1) or 5, lambda d: put(d["a"], "x", 5) or d["a"]]
)
def test_a_result_beside_a_change_is_refused(result):
    with pytest.raises(imd.ReducerFailedError, match="changed its draft and returned another"):
        returning(result)


def test_the_state_may_be_plain():
    assert imd.drafting(lambda d, a: d.append(a))([1], {"b": 2}) == [1, {"b": 2}]


@pytest.mark.parametrize("state", [None, 5, "text"])
def test_a_scalar_is_handed_over_as_it_is(state):
    assert imd.drafting(lambda got, action: [got])(state, None) == [state]
    assert imd.drafting(lambda got, action: None)(state, None) == state


def test_reducers_call_each_other_with_parts():
    @imd.drafting
    def inner(draft, action):
        draft.append(action)

    @imd.drafting
    def outer(draft, action):
        inner(draft["list"], action)
        draft["list"] = inner(draft["list"], action)

    assert outer(imd.value({"list": []}), 5) == {"list": [5, 5]}


def test_it_keeps_the_name():
    @imd.drafting
    def reduce(draft, action):
        """What it does."""

    assert (reduce.__name__, reduce.__doc__) == ("reduce", "What it does.")


# ---- After the return ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    "use",
    [
        lambda d: d["a"],
        lambda d: put(d, "a", 1),
        lambda d: put(d, "a", {}),
        lambda d: delete(d, "a"),
        lambda d: "a" in d,
        len,
        list,
        bool,
        lambda d: d == {},
        lambda d: d.clear(),
        lambda d: d.get("a"),
        copy.copy,
        copy.deepcopy,
        imd.value,
        lambda d: imd.value({"in": d}),
        lambda d: imd.value([]).append(d),
    ],
)
@pytest.mark.parametrize("raises", [False, True])
def test_a_draft_that_was_kept_is_of_no_use(use, raises):
    kept = []

    def keep(draft, action):
        kept.extend([draft, draft["a"]])
        if raises:
            raise ZeroDivisionError

    try:
        imd.drafting(keep)(imd.value(STATE), None)
    except ZeroDivisionError:
        assert raises
    for draft in kept:
        assert repr(draft) == "<immutabledata.Draft closed>"
        with pytest.raises(imd.ClosedError, match="after its reducer returned"):
            use(draft)


@pytest.mark.parametrize(
    "use",
    [
        lambda d: d[0],
        lambda d: d[:],
        lambda d: put(d, 0, 1),
        lambda d: put(d, slice(None), []),
        lambda d: delete(d, 0),
        lambda d: d.append(1),
        lambda d: d.insert(0, []),
        lambda d: d.reverse(),
        lambda d: d.sort(),
        list,
    ],
)
def test_a_list_that_was_kept_is_of_no_use(use):
    kept = []
    imd.drafting(lambda draft, action: kept.append(draft))(imd.value([1]), None)
    with pytest.raises(imd.ClosedError):
        use(kept[0])


def test_a_draft_of_another_reducer_is_refused():
    kept = []
    imd.drafting(lambda draft, action: kept.append(draft))(imd.value([1]), None)
    with pytest.raises(imd.ClosedError):
        imd.drafting(lambda draft, action: draft.append(kept[0]))(imd.value([1]), None)


def test_what_a_draft_holds_can_be_kept():
    kept = []

    @imd.drafting
    def reduce(draft, action):
        draft["n"] = 1
        kept.extend([imd.value(draft), copy.copy(draft), copy.deepcopy(draft["a"])])
        draft["n"] = 2
        assert repr(draft) == '<immutabledata.Draft {"a":{},"n":2}>'

    assert reduce(imd.value({"a": {}}), None) == {"a": {}, "n": 2}
    assert kept == [{"a": {}, "n": 1}, {"a": {}, "n": 1}, {}]


# ---- Any program ---------------------------------------------------------------------------------

# Where in the state a step works: each number picks a part of what is there.
place = st.lists(st.integers(0, 5), max_size=3)
steps = st.tuples(st.integers(0, 11), place, keys, st.integers(-3, 5), json_values)


def follow(root, picks):
    """The innermost dict or list that the picks lead to."""
    found = root
    for pick in picks:
        names = sorted(found) if hasattr(found, "keys") else range(len(found))
        if not names:
            break
        part = found[names[pick % len(names)]]
        if isinstance(part, (str, int, float)) or part is None:
            break
        found = part
    return found


def take(root, operation, picks, key, number, data):
    target = follow(root, picks)
    if hasattr(target, "keys"):
        names = sorted(target)
        known = names[number % len(names)] if names else key
        if operation < 4:
            target[known if operation % 2 else key] = copy.deepcopy(data)
        elif operation < 6:
            target.pop(known, None)
        elif operation == 6:
            target.setdefault(key, copy.deepcopy(data))
        elif operation == 7:
            target.update({key: 1, known: copy.deepcopy(data)})
        elif operation == 8:
            target.clear()
        elif operation == 9:
            assert root != 0  # Which settles a draft on the way.
        else:
            assert (key in target) is (key in names)
    elif operation < 3:
        target.insert(number, copy.deepcopy(data))
    elif operation == 3:
        target.append(copy.deepcopy(data))
    elif operation == 4:
        del target[number:]
    elif operation == 5:
        del target[:number:2]
    elif operation == 6:
        target[number : number + 2] = [copy.deepcopy(data), key]
    elif operation == 7:
        target.reverse()
    elif operation == 8 and len(target):
        target.append(target.pop(number % len(target)))
    elif operation == 9 and len(target):
        target[number % len(target)] = copy.deepcopy(data)
    elif operation == 10:
        target[:] = [part for part in target if part is not None]
    else:
        target.extend([key, copy.deepcopy(data)])


@given(
    state=large_containers,
    programs=st.lists(st.lists(steps, max_size=5), max_size=4),
)
def test_any_program(state, programs):
    @imd.drafting
    def reduce(draft, program):
        for step in program:
            take(draft, *step)

    versions = [(imd.value(state), copy.deepcopy(state))]
    for program in programs:
        before, expected = versions[-1][0], copy.deepcopy(versions[-1][1])
        for step in program:
            take(expected, *step)
        after = reduce(before, program)
        assert (after is before) is same_json(expected, versions[-1][1])
        versions.append((after, expected))
    for value, expected in versions:
        assert same_json(value.to_python(), expected)
