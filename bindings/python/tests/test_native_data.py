"""Values and drafts inside plain data, for every function that takes data; and deep data."""

import sys
from collections import UserDict, UserString

import pytest

import immutabledata as imd
from immutabledata._values.reference import Cursor
from immutabledata._values.reference import Reference

DEPTH = 2048


def deep(depth=DEPTH):
    return imd.from_json("[" * depth + "]" * depth)


def keep(state, action):
    return action["payload"]


@pytest.fixture
def store():
    with imd.Store(keep, state=None) as store:
        yield store


# ---- The deepest values --------------------------------------------------------------------------


def test_a_state():
    for state in (deep(), {"a": [deep(DEPTH - 2)]}, UserDict(a=deep(DEPTH - 1))):
        with imd.Store(lambda state, action: state, state=state) as store:
            assert store.state.has_same_json(imd.value(state))


def test_a_state_of_a_domain():
    with imd.open("counter", state=imd.value({"value": 3})) as store:
        assert store.select("selectValue") == 3


def test_actions(store):
    payload = deep(DEPTH - 2)
    action = {"type": "set", "payload": payload}
    for dispatch in (
        lambda: store.dispatch("set", payload=payload),
        lambda: store.dispatch("set", payload=payload, meta=[payload[0]]),
        lambda: store.dispatch(action),
        lambda: store.dispatch(imd.value(action)),
        lambda: store.dispatch_batch([action, action]),
    ):
        store.dispatch("set", payload=[])
        dispatch()
        assert store.state.has_same_json(payload)


def test_an_optimistic_action():
    with imd.Store(keep, state=None, optimistic=True) as store:
        payload = deep(DEPTH - 1)
        store.dispatch("set", payload=payload, meta={"optimistic": {"begin": "a"}})
        assert store.state.has_same_json(payload)
        store.dispatch("set", payload=1, meta={"optimistic": {"fail": "a"}})
        assert store.state == 1


def test_arguments(store):
    part = deep(DEPTH - 1)
    store.define("echo", "$x")
    assert store.query_json("$x", x=part) == part.to_json()
    assert store.query_json("$x", arguments=imd.value({"x": part})) == part.to_json()
    assert store.select_json("echo", x=part) == part.to_json()
    seen = []
    store.observe("echo", seen.append, arguments={"x": part})
    assert seen[0].has_same_json(part)


@pytest.mark.parametrize("make", [lambda: {"a": deep(DEPTH - 1)}, lambda: [0, [deep(DEPTH - 2)]]])
def test_a_value(make):
    data = make()
    made = imd.value(data)
    inner = data["a"] if isinstance(data, dict) else data[1][0]
    assert (made["a"] if isinstance(data, dict) else made[1][0]).is_identical(inner)
    with pytest.raises(imd.LimitError, match="2048"):
        imd.value([data])
    with pytest.raises(imd.LimitError, match="2048"):
        imd.Store(keep, state=[data])


def test_a_value_inside_nested_data():
    nested = inner = []
    for _ in range(700):
        inner.append([])
        inner = inner[0]
    held = imd.value([1])
    inner.append(held)
    part = imd.value({"a": nested})["a"]
    for _ in range(700):
        part = part[0]
    assert part[0].is_identical(held)


# ---- The JSON text -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "data",
    [
        imd.value({"a": 1.0, "b": [1, 'é\0"\\']}),
        [imd.value([]), imd.value({}), 1, imd.value([imd.value([2])])],
        {"é": imd.value(["\u2028"]), "b": {"c": [None, imd.value([1])]}, "d": '"\\"'},
        UserDict(a=[imd.value([1]), (imd.value([2]),)]),
        {1: imd.value([1]), None: imd.value([2]), 2.5: imd.value([3])},
    ],
)
def test_the_text(store, data):
    store.dispatch("set", payload=data)
    expected = imd.value(data)
    assert store.state.has_same_json(expected)
    assert imd.Store(keep, state=data).state.has_same_json(expected)
    assert store.query_json("$x", x=data) == expected.to_json()


def test_a_draft_inside_data(store):
    seen = []

    @imd.drafting
    def reduce(draft, action):
        draft["a"].append(1)
        seen.append(store.query("$x", x={"in": [draft["a"]]}))
        draft["copy"] = imd.value([draft["a"]])

    with imd.Store(reduce, state={"a": []}) as drafted:
        drafted.dispatch("go")
        assert drafted.state == {"a": [1], "copy": [[1]]}
    assert seen == [{"in": [[1]]}]


def test_a_draft_after_its_reducer(store):
    kept = []

    @imd.drafting
    def reduce(draft, action):
        kept.append(draft)

    with imd.Store(reduce, state=[]) as drafted:
        drafted.dispatch("go")
    for call in (
        lambda: store.dispatch("set", payload=kept),
        lambda: imd.Store(keep, state=kept),
        lambda: store.query("$x", x=kept),
    ):
        with pytest.raises(imd.ClosedError, match="the draft was used after") as caught:
            call()
        assert caught.value.__context__ is None


@pytest.mark.parametrize(
    ("part", "kind", "words"),
    [
        ("\ud800", imd.InvalidArgumentError, "the action at /payload/1/x cannot"),
        ("a\ud800", imd.InvalidArgumentError, "the action at /payload/1/x cannot"),
        ('"\ud800"', imd.InvalidArgumentError, "the action at /payload/1/x cannot"),
        ({1}, imd.InvalidArgumentError, "the action at /payload/1/x cannot be written as JSON"),
        ([10**5000], imd.LimitError, "the action at /payload/1/x/0 cannot be written as JSON"),
        (
            2**64,
            imd.LimitError,
            "the action at /payload/1/x cannot be written as JSON: the integer",
        ),
    ],
)
def test_invalid_data_beside_a_value(store, part, kind, words):
    held = imd.value({"y": [1]})
    with pytest.raises(kind) as caught:
        store.dispatch("set", payload=[held, {"x": part}, held])
    assert words in caught.value.message
    with pytest.raises(kind):
        imd.value([held, {"x": part}, held])


@pytest.mark.parametrize("keys", [(1, "1"), ("1", 1)])
@pytest.mark.parametrize("native_first", [True, False])
def test_equal_keys_are_refused(keys, native_first, store):
    members = [imd.value({}), 0] if native_first else [0, imd.value({})]
    data = dict(zip(keys, members))
    for use in (
        lambda: imd.value(data),
        lambda: store.dispatch("set", payload=data),
        lambda: imd.Store(keep, state=data),
    ):
        with pytest.raises(imd.InvalidArgumentError, match='two of its keys become "1"'):
            use()


def test_an_invalid_key_beside_a_value(store):
    with pytest.raises(imd.InvalidArgumentError, match=r"the action at /payload "):
        store.dispatch("set", payload={"\ud800": 1, "a": imd.value([])})


def test_circular_data_beside_a_value(store):
    data = [imd.value([])]
    data.append({"again": data})
    for call in (lambda: store.dispatch("set", payload=data), lambda: imd.value(data)):
        with pytest.raises(imd.InvalidArgumentError, match="Circular"):
            call()


# ---- Plain data that nests too deep for Python ---------------------------------------------------


def lists(depth):
    data = []
    for _ in range(depth):
        data = [data]
    return data


def mappings(depth):
    data = UserDict()
    for _ in range(depth):
        data = UserDict(a=data)
    return data


def lists_with_a_value(depth):
    data = [imd.value([])]
    for _ in range(depth):
        data = [data, imd.value([])]
    return data


@pytest.mark.parametrize("make", [lists, mappings, lists_with_a_value])
def test_data_too_deep_for_python(store, make):
    data = make(20_000)
    value = imd.value([1])

    @imd.drafting
    def reduce(draft, action):
        draft.append(data)

    drafted = imd.Store(reduce, state=[])
    store.define("echo", "$x")
    for call, what in [
        (lambda: imd.value(data), "the data"),
        (lambda: imd.Store(keep, state=data), "the state"),
        (lambda: imd.open("counter", state=data), "the options"),
        (lambda: store.dispatch("set", payload=data), "the action"),
        (lambda: store.dispatch_batch([{"type": "set", "payload": data}]), "the batch"),
        (lambda: store.query("$x", x=data), "the arguments"),
        (lambda: store.select("echo", x=data), "the arguments"),
        (lambda: store.observe("echo", print, arguments={"x": data}), "the arguments"),
        (lambda: value.set(0, data), "the data"),
        (lambda: value.insert(0, data), "the data"),
        (lambda: value.append(data), "the data"),
        (lambda: value.merge({"a": data}), "the patch"),
        (lambda: value.patch([{"op": "add", "path": "/0", "value": data}]), "the patch"),
        (lambda: value.diff(data), "the other value"),
        (lambda: drafted.dispatch("go"), "the data"),
        (lambda: imd.Store(lambda state, action: data, state=0).dispatch("go"), "what the reducer"),
    ]:
        with pytest.raises(imd.LimitError) as caught:
            call()
        assert caught.value.message.startswith(f"the nesting of {what}")
    assert store.state is None


def descend(draft, depth):
    for _ in range(depth):
        draft = draft[0]
    return draft


def test_drafts_that_nest():
    state = deep(DEPTH - 1)

    @imd.drafting
    def reduce(draft, action):
        descend(draft, action["payload"]).append(1)
        if "meta" in action:
            imd.value(draft)

    with imd.Store(reduce, state=state) as store:
        store.dispatch("add", payload=500)
        changed = state.insert((0,) * 500 + (1,), 1)
        assert store.state.has_same_json(changed)
        for meta in ({}, {"meta": 1}):
            with pytest.raises(imd.LimitError, match="the drafts nest too deep for Python"):
                store.dispatch("add", payload=1500, **meta)
        assert store.state.has_same_json(changed)


# ---- Interrupted construction --------------------------------------------------------------------


@pytest.mark.parametrize("kind", [imd.ObjectValue, imd.ArrayValue, Reference, Cursor])
def test_incomplete_objects_are_deleted_silently(kind, monkeypatch):
    raised = []
    monkeypatch.setattr("sys.unraisablehook", raised.append)
    object.__new__(kind)
    assert raised == []


@pytest.mark.parametrize(
    "delete",
    [
        lambda: imd.value([1]),
        lambda: imd.value({"a": 1}),
        lambda: list(imd.value([1])),
    ],
)
def test_a_finalizer_runs_no_function_of_python(delete):
    # In one, a signal handler could raise, and the interpreter would drop the exception.
    finalizers = []

    def profile(frame, event, argument):
        if event == "call" and frame.f_code.co_name == "__del__":
            finalizers.append(frame.f_code)

    before = sys.getprofile()
    sys.setprofile(profile)
    try:
        delete()
    finally:
        sys.setprofile(before)
    assert finalizers == []


@pytest.mark.parametrize("data", [UserString("x"), [UserString("x")], {"a": UserString("x")}])
def test_a_user_string_is_not_an_array(data):
    with pytest.raises(imd.InvalidArgumentError, match="JSON has no UserString"):
        imd.value(data)
