import collections
import contextlib
import copy
import enum
import gc
import pickle
import queue
import traceback
import types
import weakref

import immutabledata as imd
import pytest
from hypothesis import given, settings
from json_data import json_values, same_json


def count(state, action):
    if action["type"] == "add":
        return state.set("n", state["n"] + action["payload"])
    return state


@pytest.fixture
def counter():
    with imd.Store(count, state={"n": 0, "rest": {"big": [1, 2]}}) as store:
        yield store


def test_dispatch(counter):
    before = counter.state
    assert counter.dispatch("add", payload=2) is None
    counter.dispatch({"type": "add", "payload": 3, "meta": {"any": "thing"}})
    counter.dispatch_batch([{"type": "add", "payload": 1}, "else"])
    assert counter.state == {"n": 6, "rest": {"big": [1, 2]}}
    assert counter.state["rest"].is_same(before["rest"])
    assert before == {"n": 0, "rest": {"big": [1, 2]}}


def test_an_action_that_changes_nothing_leaves_the_state_the_same(counter):
    before = counter.state
    counter.dispatch("else")
    assert counter.state.is_same(before)


def test_the_action_comes_whole():
    seen = []
    with imd.Store(lambda state, action: seen.append(action) or state, state=[]) as store:
        store.dispatch("any/type at all", payload=[1, {"a": None}], meta={"from": "é\0"})
    assert seen == [
        {"type": "any/type at all", "payload": [1, {"a": None}], "meta": {"from": "é\0"}}
    ]
    assert isinstance(seen[0], imd.ObjectValue)


@pytest.mark.parametrize(
    "state", [None, True, 0, -0.5, "text", [], {}, [1.0, {"a": "\0"}], imd.value({"v": [1]})]
)
def test_any_state(state):
    seen = []
    with imd.Store(lambda state, action: seen.append(state) or state, state=state) as store:
        store.dispatch("look")
        assert seen == [store.state] == [state]
        assert type(store.state) is type(imd.value(state))


@pytest.mark.parametrize(
    "result", [5, "text", False, [], {"a": [1]}, (1, 2), imd.value([1]), {"deep": imd.value({})}]
)
def test_any_result(result):
    with imd.Store(lambda state, action: result, state={}) as store:
        store.dispatch("set")
        assert store.state == imd.value(result)


def test_a_result_may_be_built_of_parts():
    def reduce(state, action):
        return {**state, "n": state["n"] + 1, "list": [*state["list"], state["part"]]}

    with imd.Store(reduce, state={"n": 0, "list": [], "part": {"p": 1}}) as store:
        part = store.state["part"]
        store.dispatch("go")
        assert store.state == {"n": 1, "list": [{"p": 1}], "part": {"p": 1}}
        assert store.state["part"].is_same(part)
        assert store.state["list"][0].is_same(part)


def test_queries(counter):
    assert counter.query("rest.big[1]") == 2
    assert counter.query("n == $n", n=0) is True
    assert counter.query_json("rest") == '{"big":[1,2]}'
    counter.define("big", "rest.big")
    assert counter.select("big") == [1, 2]
    evaluations = counter.statistics()["evaluations"]
    counter.dispatch("add", payload=1)
    assert counter.select("big") == [1, 2]
    assert counter.statistics()["evaluations"] == evaluations


@pytest.mark.parametrize(
    ("call", "kind"),
    [
        (lambda store: store.query("a["), imd.InvalidSelectorError),
        (lambda store: store.query("n\0"), imd.InvalidArgumentError),
        (lambda store: store.query(5), TypeError),
        (lambda store: store.query("n", n={1}), imd.InvalidArgumentError),
        (lambda store: store.define("x", "a["), imd.InvalidSelectorError),
        (lambda store: store.define("", "a"), imd.InvalidArgumentError),
        (lambda store: store.define("x\0", "a"), imd.InvalidArgumentError),
        (lambda store: [store.define("x", "a"), store.define("x", "b")], imd.InvalidArgumentError),
        (lambda store: store.select("unknown"), imd.UnknownSelectorError),
        (lambda store: store.dispatch({"payload": 1}), imd.InvalidActionError),
        (lambda store: store.dispatch({"type": 1}), imd.InvalidActionError),
    ],
)
def test_refused(counter, call, kind):
    before = counter.state
    with pytest.raises(kind) as caught:
        call(counter)
    assert type(caught.value) is kind
    assert counter.state.is_same(before)


@pytest.mark.parametrize(
    ("make", "kind", "part"),
    [
        (lambda: imd.Store("counter", state={}), TypeError, "use immutabledata.open"),
        (lambda: imd.Store(count), TypeError, "the initial state is missing"),
        (lambda: imd.Store(count, state={1}), imd.InvalidArgumentError, "the state cannot"),
        (lambda: imd.Store(count, state=2**63), imd.LimitError, ""),
        (lambda: imd.Store(count, state={}, speed=1), imd.InvalidArgumentError, "speed"),
        (lambda: imd.Store(count, state={}, speed={1}), imd.InvalidArgumentError, "/speed"),
    ],
)
def test_no_store_of_that(make, kind, part):
    with pytest.raises(kind) as caught:
        make()
    assert type(caught.value) is kind
    assert part in str(caught.value)


# ---- The action ----------------------------------------------------------------------------------


def see(action):
    """What a reducer sees of an action, while it runs."""
    seen = []

    def reduce(state, action):
        seen.append(action)
        look(action)
        return state

    with imd.Store(reduce, state=None) as store:
        store.dispatch(action)
    return seen[0]


def look(action, path=()):
    """Looks at every part of an action, in each way that there is."""
    for key in action if hasattr(action, "keys") else range(len(action)):
        part = action[key]
        assert same_json(plain(part), plain(imd.value(action)[key]))
        if isinstance(part, imd.Value):
            look(part)


def plain(data):
    return data.to_python() if isinstance(data, imd.Value) else data


class Text(str):
    __slots__ = ()


class Number(enum.IntEnum):
    ONE = 1


@pytest.mark.parametrize(
    "payload",
    [
        {"id": "k1", "value": 5, "done": True, "none": None, "real": -0.0, "text": "é\0😀"},
        {"nested": {"deep": [1, {"a": []}]}, "list": [], "n": 1},
        {f"k{number}": number for number in range(40)},
        {1: "a", "1": "b"},
        {"1": "b", 1: "a"},
        {None: 1, True: 2, 1.5: 3},
        {Text("key"): Text("text"), "n": Number.ONE},
        collections.OrderedDict(a=1, b=collections.OrderedDict(c=2)),
        types.MappingProxyType({"a": 1}),
        imd.value({"a": 1, "b": {"c": 2}}),
        {"value": imd.value({"c": [2]})},
        Text("text"),
        Number.ONE,
        "text",
        (1, (2,)),
        {},
        [],
        None,
        1.0,
        2**63 - 1,
    ],
)
@pytest.mark.parametrize("make", [dict, collections.OrderedDict, types.MappingProxyType])
def test_what_a_reducer_sees_is_what_was_sent(make, payload):
    sent = make({"type": "any", "payload": payload, "meta": {"n": [1]}})
    seen = see(sent)
    expected = imd.value(sent).to_python()
    assert isinstance(seen, imd.ObjectValue)
    assert same_json(seen.to_python(), expected)
    assert seen == expected
    for _ in range(2):
        look(seen)
        assert same_json({key: plain(seen[key]) for key in seen}, expected)
    assert type(seen["payload"]) is type(imd.value(expected)["payload"]) or isinstance(
        seen["payload"], imd.ObjectValue
    )
    assert "else" not in seen
    with pytest.raises(KeyError):
        seen["else"]
    with pytest.raises(AttributeError, match="payload"):
        _ = seen.payload


@settings(deadline=None)
@given(payload=json_values)
def test_any_payload(payload):
    assert same_json(see({"type": "any", "payload": payload})["payload"], payload) or same_json(
        plain(see({"type": "any", "payload": payload})["payload"]), payload
    )


def test_an_action_may_be_kept():
    kept = []

    def reduce(state, action):
        kept.append(action["payload"])
        return {"last": action["payload"], "whole": action}

    with imd.Store(reduce, state=None) as store:
        store.dispatch("first", payload={"n": 1, "list": [1, 2]})
        store.dispatch("second", payload={"n": 2, "list": []})
        state = store.state
    gc.collect()
    assert kept == [{"n": 1, "list": [1, 2]}, {"n": 2, "list": []}]
    assert [list(part) for part in kept] == [["list", "n"]] * 2
    assert pickle.loads(pickle.dumps(kept[0])) == copy.deepcopy(kept[0]) == kept[0]
    assert kept[0].set("n", 3) == {"n": 3, "list": [1, 2]}
    assert state["last"].is_same(state["whole"]["payload"])
    assert state["last"].is_same(kept[1])


def test_an_action_that_was_not_looked_at_may_be_kept():
    kept = []
    with imd.Store(lambda state, action: kept.append(action) or state, state=None) as store:
        store.dispatch("any", payload={"n": 1, "list": [1, {"a": 2}]})
    payload = kept.pop()["payload"]
    assert payload["n"] == 1
    assert payload["list"][1] == {"a": 2}
    assert payload.is_same(payload)


def test_an_action_does_not_change_with_what_was_sent():
    payload = {"n": 1, "list": [1]}
    action = {"type": "any", "payload": payload}
    kept = []

    def reduce(state, seen):
        action["type"] = payload["n"] = "changed"
        payload["list"].append(2)
        kept.append(seen)
        assert seen == {"type": "any", "payload": {"n": 1, "list": [1]}}
        assert (seen["type"], seen["payload"]["n"]) == ("any", 1)
        return state

    with imd.Store(reduce, state=None) as store:
        store.dispatch(action)
    assert kept[0] == {"type": "any", "payload": {"n": 1, "list": [1]}}


def test_an_action_of_a_dispatch_inside_an_observer():
    seen = []

    def keep(state, action):
        seen.append(action["payload"]["n"])
        return len(seen)

    with imd.Store(keep, state=0) as inner, imd.Store(keep, state=0) as outer:

        def dispatch(delivery):
            inner.dispatch("inner", payload={"n": 2})
            with pytest.raises(imd.InvalidActionError):
                inner.dispatch({"payload": {"n": 3}})
            inner.dispatch_batch([{"type": "inner", "payload": {"n": 4}}])

        outer.define("all", "@")
        outer.observe("all", dispatch, initial=False)
        outer.dispatch("outer", payload={"n": 1})
    assert seen == [1, 2, 4]


def test_a_dispatch_leaves_no_garbage(counter):
    gc.collect()
    gc.disable()
    try:
        for payload in (1, 2):
            counter.dispatch("add", payload=payload)
        for _ in range(3):
            counter.dispatch("else", payload={"n": 1, "list": []})
        assert gc.collect() == 0
    finally:
        gc.enable()


# ---- A reducer that fails ------------------------------------------------------------------------


class Awkward(Exception):
    def __str__(self):
        raise ValueError("no text either")


SENDS = [
    lambda store: store.dispatch("fail"),
    lambda store: store.dispatch_batch([{"type": "add", "payload": 1}, "fail"]),
]


def failing(error):
    def reduce(state, action):
        if action["type"] == "fail":
            raise error
        return count(state, action)

    return imd.Store(reduce, state={"n": 0})


@pytest.mark.parametrize("send", SENDS)
@pytest.mark.parametrize(
    "error",
    [
        ValueError("é" * 300),
        KeyError("a\0b"),
        KeyboardInterrupt(),
        SystemExit(3),
        Awkward(),
        RuntimeError("\ud800"),
        imd.InvalidActionError("my own"),
        imd.ReducerFailedError("my own"),
    ],
    ids=lambda error: type(error).__name__,
)
def test_what_a_reducer_raises_comes_out_as_it_is(send, error):
    with failing(error) as store:
        before = store.state
        with pytest.raises(type(error)) as caught:
            send(store)
        assert caught.value is error
        assert caught.value.__context__ is None
        frames = [frame.name for frame in traceback.extract_tb(caught.value.__traceback__)]
        assert frames[-1] == "reduce"
        assert frames[0] == "test_what_a_reducer_raises_comes_out_as_it_is"
        assert store.state.is_same(before)
        store.dispatch("add", payload=1)
        assert store.state == {"n": 1}


def test_what_it_raised_from_is_kept():
    def reduce(state, action):
        try:
            state["none"]
        except KeyError as error:
            raise ValueError("bad") from error

    with imd.Store(reduce, state={}) as store:
        with pytest.raises(ValueError, match="bad") as caught:
            store.dispatch("go")
        assert type(caught.value.__cause__) is KeyError


def test_an_error_is_freed():
    class Mine(Exception):
        pass

    def reduce(state, action):
        error = Mine()
        errors.append(weakref.ref(error))
        try:
            raise error
        finally:
            del error

    errors = []
    gc.disable()
    try:
        with imd.Store(reduce, state={}) as store:
            with contextlib.suppress(Mine):
                store.dispatch("go")
            assert errors[0]() is None
    finally:
        gc.enable()


@pytest.mark.parametrize("send", SENDS)
@pytest.mark.parametrize(
    ("result", "kind", "part"),
    [
        (None, imd.ReducerFailedError, "the reducer returned None"),
        ({1, 2}, imd.InvalidArgumentError, "what the reducer returned cannot be written"),
        ({"a": [0, object()]}, imd.InvalidArgumentError, "what the reducer returned at /a/1"),
        (2**63, imd.LimitError, ""),
        ({"\0": 1}, imd.InvalidJSONError, ""),
        (float("nan"), imd.InvalidArgumentError, ""),
    ],
)
def test_no_state_is_returned(send, result, kind, part):
    def reduce(state, action):
        return result if action["type"] == "fail" else count(state, action)

    with imd.Store(reduce, state={"n": 0}) as store:
        with pytest.raises(kind) as caught:
            send(store)
        assert type(caught.value) is kind
        assert part in str(caught.value)
        assert store.state == {"n": 0}
        store.dispatch("add", payload=1)
        assert store.state == {"n": 1}


@pytest.mark.parametrize(
    "use",
    [
        lambda store: store.dispatch("add", payload=1),
        lambda store: store.dispatch_batch([]),
        lambda store: store.select("n"),
        lambda store: store.query("n"),
        lambda store: store.state,
        lambda store: store.define("n", "n"),
        lambda store: store.statistics(),
    ],
)
def test_a_reducer_that_uses_its_own_store(use):
    def reduce(state, action):
        if action["type"] == "fail":
            use(store)
        return count(state, action)

    with imd.Store(reduce, state={"n": 0}) as store:
        with pytest.raises(imd.ReentrantError) as caught:
            store.dispatch("fail")
        assert "reduce" in [frame.name for frame in traceback.extract_tb(caught.tb)]
        assert store.state == {"n": 0}
        store.dispatch("add", payload=1)
        assert store.state == {"n": 1}


def test_a_reducer_may_read_another_store():
    with imd.Store(count, state={"n": 3}) as other:
        with imd.Store(lambda state, action: other.state, state=None) as store:
            store.dispatch("go")
            assert store.state == {"n": 3}


@pytest.mark.parametrize("raises", [None, KeyError("mine")])
def test_a_reducer_that_dispatches_to_another_store_fails(raises):
    with imd.Store(count, state={"n": 0}) as other:

        def reduce(state, action):
            with pytest.raises(imd.ReentrantError):
                other.dispatch("add", payload=1)
            if raises:
                raise raises
            return 1

        with imd.Store(reduce, state=0) as store:
            with pytest.raises(imd.ReentrantError, match="a reducer dispatched an action"):
                store.dispatch("go")
            assert store.state == 0
        assert other.state == {"n": 0}


@pytest.mark.parametrize("what", ["observation", "stream", "listener"])
def test_what_a_reducer_may_not_end_goes_on(what):
    seen = []

    def reduce(state, action):
        if action["type"] == "end":
            ends[what]()
        return count(state, action)

    with imd.Store(reduce, state={"n": 0}) as store:
        store.define("n", "n")
        observation = store.observe("n", seen.append, initial=False)
        stream = store.stream()
        heard = queue.SimpleQueue()
        listener = store.listener()(lambda state, action, store: heard.put(action["type"]))
        ends = {"observation": observation.cancel, "stream": stream.close, "listener": listener.cancel}
        with pytest.raises(imd.ReentrantError):
            store.dispatch("end")
        assert not (observation.cancelled or stream.closed or listener.cancelled)
        store.dispatch("add", payload=2)
        assert seen == [2]
        assert stream.next()[1]["type"] == heard.get() == "add"


def test_a_stream_that_is_dropped_inside_a_reducer_is_closed():
    def reduce(state, action):
        streams.clear()
        return count(state, action)

    with imd.Store(reduce, state={"n": 0}) as store:
        streams = [store.stream()]
        handle = streams[0]._handle
        store.dispatch("add", payload=1)
        assert store.state == {"n": 1}
        with pytest.raises(imd.ClosedError):
            imd._ffi.imd_stream_next(handle, 0, None, None, imd._ffi.imd_error())


def test_the_error_of_a_reducer_that_used_its_store_has_what_it_raised():
    def reduce(state, action):
        try:
            store.select("n")
        except imd.ReentrantError:
            raise KeyError("mine") from None

    with imd.Store(reduce, state={"n": 0}) as store:
        with pytest.raises(imd.ReentrantError) as caught:
            store.dispatch("go")
        assert isinstance(caught.value.__cause__, KeyError)


def test_a_stale_error_is_not_raised():
    with failing(ValueError("stale")) as store:
        with pytest.raises(ValueError, match="stale"):
            store.dispatch("fail")
        with pytest.raises(imd.InvalidActionError):
            store.dispatch({})


# ---- Closing -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "call",
    [
        lambda store: store.dispatch("add", payload=1),
        lambda store: store.state,
        lambda store: store.query("n"),
        lambda store: store.define("n", "n"),
        lambda store: store.statistics(),
    ],
)
def test_closed(counter, call):
    kept = counter.state
    assert repr(counter) == "<immutabledata.Store 'count' open>"
    counter.close()
    with pytest.raises(imd.ClosedError) as caught:
        call(counter)
    assert str(caught.value) == (
        "the store 'count' is closed; make another with immutabledata.Store"
    )
    assert kept == {"n": 0, "rest": {"big": [1, 2]}}


def test_a_reducer_may_close_its_store():
    def reduce(state, action):
        store.close()
        return 1

    store = imd.Store(reduce, state=0)
    with contextlib.suppress(imd.ClosedError):
        store.dispatch("close")
    assert store.closed


def test_a_dropped_store_is_freed_with_its_reducer():
    class Reducer:
        def __call__(self, state, action):
            return state

    reducer = Reducer()
    kept = weakref.ref(reducer)
    store = imd.Store(reducer, state={})
    del reducer
    gc.collect()
    store.dispatch("still there")
    del store
    gc.collect()
    assert kept() is None


def test_a_store_whose_reducer_refers_to_it_is_freed():
    class Reducer:
        def __call__(self, state, action):
            return state

    reducer = Reducer()
    reducer.store = imd.Store(reducer, state={})
    kept, close = weakref.ref(reducer), reducer.store._close
    reducer.store.dispatch("go")
    del reducer
    gc.collect()
    assert kept() is None
    assert not close.alive


def test_the_state_of_a_domain():
    with imd.open("counter", state={"value": 3}) as store:
        assert store.state == {"value": 3}
        assert store.query("value") == 3
