"""Drafts read and change like dicts and lists."""

import copy
import pickle

import pytest
from drafts import STATE, delete, put, reducer, run
from lowered_limits import limited

import immutabledata as imd


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


def copies_and_operators(d):
    copied = d["b"][0].copy()
    copied["n"] = "copied"
    d["b"] = d["b"] + [copied]
    d["b"] = [{"n": "first"}] + d["b"]
    d["a"] = d["a"] | {"x": 5}
    d["a"] = {"x": 6, "first": list(reversed(d["a"]))} | d["a"]
    rows = d["b"].copy()
    rows.reverse()
    rows[0]["n"] = "changed through the copy"
    d["rows"] = rows


def insert_then_change(d):
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
        lambda d: (put(d["b"][0], "n", 5), put(d["b"], slice(0, 2), [d["b"][1], 6])),
        lambda d: (put(d["b"][0], "n", 5), put(d["b"], slice(1, None, -1), [7, 6])),
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
        lambda d: put(d["a"]["y"], "z", {"n": 0}),
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
        insert_then_change,
        copies_and_operators,
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


def test_many_members_are_read_and_set():
    def count(d):
        for key in list(d["counts"]):
            d["counts"][key] += d["counts"][key]
            assert d["counts"][key] % 2 == 0

    run(count, {"counts": {f"k{number}": number for number in range(40)}})


def test_a_draft_that_was_read_by_another_key():
    def move(d):
        part = d["a"]
        d["~/"] = part
        del d["a"]
        part["y"]["x"] = 1

    run(move)


class Caseless(str):
    """A str that equals the same text in another case, but is another key as JSON."""

    __slots__ = ()

    def __eq__(self, other):
        return isinstance(other, str) and self.lower() == other.lower()

    def __hash__(self):
        return hash(self.lower())

    def __str__(self):
        return "text"


CASES = [
    ([], {"a": {"n": 0}, "A": 0}),
    ([lambda d, key: put(d[key("a")], "n", 1)], {"a": {"n": 1}, "A": 0}),
    (
        [lambda d, key: put(d["a"], "n", 1), lambda d, key: put(d, key("A"), 3)],
        {"a": {"n": 1}, "A": 3},
    ),
    (
        [lambda d, key: put(d, "a", 5), lambda d, key: put(d, key("A"), 6)],
        {"a": 5, "A": 6},
    ),
    (
        [lambda d, key: put(d["a"], "n", 1), lambda d, key: put(d, key("A"), {"m": 1})],
        {"a": {"n": 1}, "A": {"m": 1}},
    ),
    (
        [lambda d, key: put(d["a"], "n", 1), lambda d, key: delete(d, key("A"))],
        {"a": {"n": 1}},
    ),
    (
        [lambda d, key: put(d, key("a"), {"n": 1}), lambda d, key: put(d["a"], "n", 2)],
        {"a": {"n": 2}, "A": 0},
    ),
    (
        [
            lambda d, key: d.pop("A"),
            lambda d, key: d["a"],
            lambda d, key: put(d, "in", key("A") in d),
        ],
        {"a": {"n": 0}, "in": False},
    ),
    (
        [lambda d, key: d["a"], lambda d, key: put(d, "seen", d[key("A")])],
        {"a": {"n": 0}, "A": 0, "seen": 0},
    ),
    (
        [lambda d, key: d["a"], lambda d, key: put(d, "seen", d._peek(key("A")))],
        {"a": {"n": 0}, "A": 0, "seen": 0},
    ),
]


@pytest.mark.parametrize(("changes", "expected"), CASES)
@pytest.mark.parametrize("key", [str, Caseless])
def test_a_key_is_what_its_text_says(changes, expected, key):
    @imd.drafting
    def reduce(draft, action):
        for change in changes:
            change(draft, key)

    after = reduce(imd.value({"a": {"n": 0}, "A": 0}), None)
    assert after.to_json() == imd.value(expected).to_json()


@pytest.mark.parametrize(
    ("change", "kind"),
    [
        (lambda d: d["none"], KeyError),
        (lambda d: d["\0"], KeyError),
        (lambda d: d["a"]["\ud800"], KeyError),
        (lambda d: d["a"][1], KeyError),
        (lambda d: d["a"][["x"]], TypeError),
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
def test_mistakes_raise_the_errors_of_a_dict_or_list(change, kind):
    for target in (copy.deepcopy(STATE), imd.value(STATE)):
        with pytest.raises(kind):
            change(target) if isinstance(target, dict) else reducer(change)(target, None)


@pytest.mark.parametrize(
    ("change", "kind", "part"),
    [
        (lambda d: put(d, 5, 1), TypeError, "a key of an object must be a str, not int"),
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
def test_invalid_data_is_rejected(change, kind, part):
    before = imd.value(STATE)
    with pytest.raises(kind) as caught:
        reducer(change)(before, None)
    assert type(caught.value) is kind
    assert part in str(caught.value)
    assert before == STATE


@pytest.mark.parametrize("bad", [float("nan"), 2**64, object(), "\ud800"])
def test_a_write_that_fails_leaves_the_draft_as_it_was(bad):
    def change(d):
        d["n"] = 1
        with pytest.raises((imd.InvalidArgumentError, imd.LimitError)):
            d["n"] = bad
        assert d["n"] == 1

    assert reducer(change)(imd.value({"n": 0}), None) == {"n": 1}


def test_a_write_beyond_a_limit_fails_until_it_is_replaced():
    def change(d, repair):
        d["s"] = "x" * 100
        for read in (lambda: d["n"], lambda: d["s"], lambda: len(d)):
            with pytest.raises(imd.LimitError):
                read()
        if repair:
            d["s"] = "y"
            assert d["s"] == "y"

    state = imd.value({"n": 0, "s": "old"})
    with limited(text=60):
        with pytest.raises(imd.LimitError):
            reducer(lambda d: change(d, False))(state, None)
        after = reducer(lambda d: change(d, True))(state, None)
    assert after == {"n": 0, "s": "y"}


@pytest.mark.parametrize("index", [slice(0, 2), slice(None, None, 2), slice(None), slice(1, 1)])
def test_a_slice_that_cannot_be_json_leaves_the_draft_as_it_was(index):
    def change(d):
        d["list"][2]["n"] = 5
        with pytest.raises(imd.InvalidArgumentError):
            d["list"][index] = [9, float("nan"), 8][: max(2, len(range(3)[index]))]
        d["list"][2]["n"] += 1

    state = imd.value({"list": [1, 2, {"n": 3}]})
    assert reducer(change)(state, None) == {"list": [1, 2, {"n": 6}]}


class Second:
    """An index that is no int, such as those of NumPy."""

    def __index__(self):
        return 1


def test_an_index_may_be_of_any_integral_type():
    def change(d):
        d["ids"].insert(Second(), 7)
        d["ids"][Second()] += 1
        del d["b"][Second()]

    run(change)


# ---- Methods that raise --------------------------------------------------------------------------


def failing(*before):
    yield from before
    raise LookupError("no more")


NESTED = {"a": {"x": 1, "y": {"z": []}}, "b": [1, {"n": 2}]}


@pytest.mark.parametrize(
    "use",
    [
        lambda d: d.update({"a": 1, "new": {}, "c": object()}),
        lambda d: d.update({"a": [], 7: 1}),
        lambda d: d.update([("a", 1), ("b",)]),
        lambda d: d.update(b=2, a=object()),
        lambda d: d.__ior__({"a": 5, "b": object()}),
        lambda d: d["a"].update({"x": 2, "y": 3, "q": object()}),
        lambda d: d["b"].extend([1, {}, object()]),
        lambda d: d["b"].extend(failing(1, 2)),
        lambda d: d["b"].__iadd__([[], object()]),
        lambda d: d["b"].__setitem__(slice(0, 1), [1, object()]),
        lambda d: d["b"].__setitem__(slice(None), failing(1)),
        lambda d: d["b"].insert(0, object()),
        lambda d: d["b"].append(object()),
        lambda d: d["b"].sort(),
        lambda d: d["b"].sort(key=lambda part: next(failing())),
        lambda d: d["b"].remove(7),
        lambda d: d["b"].pop(7),
        lambda d: d["a"].pop("w"),
        lambda d: d.setdefault("new", object()),
        lambda d: d.__setitem__("a", object()),
    ],
)
@pytest.mark.parametrize("changes_before", [False, True])
def test_a_method_that_raises_leaves_the_draft_as_it_was(use, changes_before):
    original = imd.value(NESTED)
    expected = imd.value({**NESTED, "c": 1, "a": {"x": 9, "y": {"z": [1]}}})

    @imd.drafting
    def reduce(draft, action):
        if changes_before:
            draft["a"]["x"] = 9
            draft["a"]["y"]["z"].append(1)
            draft["c"] = 1
        with pytest.raises((imd.Error, TypeError, ValueError, LookupError)):
            use(draft)

    after = reduce(original, None)
    if changes_before:
        assert after == expected
    else:
        assert after.is_identical(original)
