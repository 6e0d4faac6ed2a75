"""Actions as a reducer sees them."""

import collections
import copy
import enum
import gc
import pickle
import threading
import types

import pytest
from hypothesis import given
from json_data import json_values, plain, same_json
from lowered_limits import limited

import immutabledata as imd
from immutabledata import _ffi


def see(action):
    """The action that the reducer gets; the reducer reads all of it."""
    seen = []

    def reduce(state, action):
        seen.append(action)
        look(action)
        return state

    with imd.Store(reduce, state=None) as store:
        store.dispatch(action)
    return seen[0]


def look(action):
    """Reads every part of an action."""
    for key in action if hasattr(action, "keys") else range(len(action)):
        part = action[key]
        assert same_json(plain(part), plain(imd.value(action)[key]))
        if isinstance(part, imd.Value):
            look(part)


@pytest.mark.parametrize("payload", [None, 5, "x", [1], {"a": 1}, {"a": [1]}, imd.value({"a": 1})])
def test_the_payload_is_the_second_argument(payload):
    actions = []
    with imd.Store(lambda state, action: actions.append(action) or state, state=None) as store:
        store.dispatch("added", payload)
        store.dispatch("added", payload=payload)
        store.dispatch("added", payload, meta={"n": 1})
        with pytest.raises(TypeError, match="put payload and meta inside it"):
            store.dispatch({"type": "added"}, payload)
    whole = {"type": "added", "payload": payload}
    assert actions == [whole, whole, {**whole, "meta": {"n": 1}}]


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
        {1: "a", "2": "b"},
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
def test_the_reducer_sees_the_action_as_sent(make, payload):
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


def test_more_types_and_keys_than_the_package_keeps_texts_of():
    seen = []
    with imd.Store(lambda state, action: seen.append(action) or state, state=None) as store:
        for _ in range(2):
            for number in [*range(600), "%s", '"\\', "{", "x" * 100]:
                payload = {f"a{number}": number, f"b{number}": True}
                store.dispatch(f"t{number}", payload=payload)
                action = seen.pop()
                assert action["payload"][f"a{number}"] == number
                expected = {"type": f"t{number}", "payload": payload}
                assert same_json(action.to_python(), expected)


@given(payload=json_values)
def test_random_payloads(payload):
    assert same_json(plain(see({"type": "any", "payload": payload})["payload"]), payload)


def test_an_action_outlives_its_dispatch():
    kept = []

    def reduce(state, action):
        kept.append(action["payload"])
        return {"last": action["payload"], "whole": action}

    with imd.Store(reduce, state=None) as store:
        # For types that it knows, the action is handed over without a copy.
        store.dispatch_batch([{"type": type, "payload": None} for type in ("first", "second")])
        for type in ("first", "second"):
            store.dispatch(type, payload=0)
        kept.clear()
        store.dispatch("first", payload={"n": 1, "list": [1, 2]})
        store.dispatch("second", payload={"n": 2, "list": []})
        state = store.state
    gc.collect()
    assert kept == [{"n": 1, "list": [1, 2]}, {"n": 2, "list": []}]
    assert [list(part) for part in kept] == [["list", "n"]] * 2
    assert pickle.loads(pickle.dumps(kept[0])) == copy.deepcopy(kept[0]) == kept[0]
    assert kept[0].set("/n", 3) == {"n": 3, "list": [1, 2]}
    assert state["last"].is_identical(state["whole"]["payload"])
    assert state["last"].is_identical(kept[1])


def test_an_unread_action_outlives_its_dispatch():
    kept = []
    with imd.Store(lambda state, action: kept.append(action) or state, state=None) as store:
        store.dispatch("any", payload={"n": 1, "list": [1, {"a": 2}]})
    payload = kept.pop()["payload"]
    assert payload["n"] == 1
    assert payload["list"][1] == {"a": 2}
    assert payload.is_identical(payload)


def test_changing_the_sent_data_does_not_change_the_action():
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


def test_an_action_that_a_reducer_passes_to_another_thread():
    seen = []

    def reduce(state, action):
        thread = threading.Thread(target=lambda: seen.append(action["payload"].to_python()))
        thread.start()
        thread.join()
        return state

    with imd.Store(reduce, state=None) as store:
        store.dispatch("any", payload={"n": 1, "list": [1]})
        store.dispatch("any", payload={"value": imd.value({"n": 2})})
    assert seen == [{"n": 1, "list": [1]}, {"value": {"n": 2}}]


@pytest.mark.parametrize("batch", [False, True])
def test_an_action_with_a_value_is_not_written(batch, monkeypatch):
    part = imd.value({"list": list(range(9))})
    seen = []

    def reduce(state, action):
        seen.append(action["payload"]["part"])
        return state

    def refuse(*arguments):
        raise AssertionError("a value was written as text")

    action = {"type": "any", "payload": {"n": 1, "part": part}}
    with imd.Store(reduce, state=None) as store:
        with monkeypatch.context() as patch:
            patch.setattr(_ffi, "imd_value_text", refuse)
            if batch:
                store.dispatch_batch([action, imd.value(action)])
            else:
                store.dispatch(action)
                store.dispatch(imd.value(action))
        assert all(each.is_identical(part) for each in seen)
        assert len(seen) == 2
        with pytest.raises(imd.InvalidActionError):
            store.dispatch({"payload": part})
        with pytest.raises(imd.InvalidArgumentError, match="the action at /payload/1"):
            store.dispatch("any", payload=[part, object()])


def test_an_integer_that_python_does_not_write():
    with imd.Store(lambda state, action: state, state=None) as store:
        for number in (2**63, 10**6000):
            with pytest.raises(imd.LimitError, match="the action at /payload/n"):
                store.dispatch("any", payload={"n": number})
            with pytest.raises(imd.LimitError, match="the arguments at /n"):
                store.query("$n", n=number)
        for text in ("\ud800", {"a": "\ud800"}):
            with pytest.raises(imd.InvalidArgumentError, match="the action at /payload/n"):
                store.dispatch("any", payload={"n": text})


def kept_action(keep=lambda action: action, **payload):
    """An action that a reducer kept, or what it kept of it, without reading more."""
    kept = []

    def reduce(state, action):
        kept.append(keep(action))
        return state

    with imd.Store(reduce, state=None) as store:
        store.dispatch("any", payload=payload)
    return kept[0]


@pytest.mark.parametrize("keep", [lambda action: action, lambda action: action["payload"]])
def test_an_action_stays_readable_after_limits_were_lowered(keep):
    action = kept_action(keep, deep=list(range(9)), text="a long text")
    with limited(input=8, text=8, values=2):
        payload = action.get("payload", action)
        assert payload["deep"] == list(range(9))
        assert len(payload) == 2
        assert "text" in payload.to_json()


def test_an_action_of_a_reducer_that_raised_stays_readable():
    kept = []

    def reduce(state, action):
        kept.append(action)
        raise KeyError("no")

    with imd.Store(reduce, state=None) as store, pytest.raises(KeyError):
        store.dispatch("any", payload={"deep": [1, 2, 3]})
    with limited(input=8):
        assert kept[0]["payload"]["deep"] == [1, 2, 3]
