"""The results of drafting reducers, and drafts that are used after their reducer returned."""

import copy

import pytest
from drafts import STATE, delete, put
from json_data import plain, same_json

import immutabledata as imd


def returning(result, state=STATE):
    return imd.drafting(lambda draft, action: result(draft))(imd.value(state), None)


# ---- Results of a reducer ------------------------------------------------------------------------


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
def test_the_result_is_the_next_state(result, after):
    assert same_json(plain(returning(result)), after)


@pytest.mark.parametrize(
    "result", [lambda d: put(d, "c", 1) or 5, lambda d: put(d["a"], "x", 5) or d["a"]]
)
def test_a_result_besides_a_change_is_rejected(result):
    with pytest.raises(imd.ReducerFailedError, match="changed its draft and returned another"):
        returning(result)


def test_a_state_of_plain_data():
    assert imd.drafting(lambda d, a: d.append(a))([1], {"b": 2}) == [1, {"b": 2}]


@pytest.mark.parametrize("state", [None, 5, "text"])
def test_a_scalar_state_is_passed_unchanged(state):
    assert imd.drafting(lambda got, action: [got])(state, None) == [state]
    assert imd.drafting(lambda got, action: got)(state, None) == state


@pytest.mark.parametrize("state", [5, "text", False])
def test_a_scalar_state_needs_a_result(state):
    with pytest.raises(imd.ReducerFailedError) as raised:
        imd.drafting(lambda got, action: None)(state, None)
    assert str(raised.value) == (
        "the reducer returned None; its state is a scalar, which cannot change as a draft does, so "
        "it must return the next state, or its argument if nothing changes"
    )


def test_the_state_null_may_stay():
    assert imd.drafting(lambda got, action: None)(None, None) is None


def test_reducers_call_reducers_with_parts():
    @imd.drafting
    def inner(draft, action):
        draft.append(action)

    @imd.drafting
    def outer(draft, action):
        inner(draft["list"], action)
        draft["list"] = inner(draft["list"], action)

    assert outer(imd.value({"list": []}), 5) == {"list": [5, 5]}


def test_the_decorator_keeps_name_and_docstring():
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
def test_a_draft_is_unusable_after_its_reducer(use, raises):
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
def test_an_array_draft_is_unusable_after_its_reducer(use):
    kept = []
    imd.drafting(lambda draft, action: kept.append(draft))(imd.value([1]), None)
    with pytest.raises(imd.ClosedError):
        use(kept[0])


def test_a_draft_of_another_reducer_is_rejected():
    kept = []
    imd.drafting(lambda draft, action: kept.append(draft))(imd.value([1]), None)
    with pytest.raises(imd.ClosedError):
        imd.drafting(lambda draft, action: draft.append(kept[0]))(imd.value([1]), None)


def test_the_content_of_a_draft_can_be_kept():
    kept = []

    @imd.drafting
    def reduce(draft, action):
        draft["n"] = 1
        kept.extend([imd.value(draft), copy.copy(draft), copy.deepcopy(draft["a"])])
        draft["n"] = 2
        assert repr(draft) == '<immutabledata.Draft {"a":{},"n":2}>'

    assert reduce(imd.value({"a": {}}), None) == {"a": {}, "n": 2}
    assert kept == [{"a": {}, "n": 1}, {"a": {}, "n": 1}, {}]
