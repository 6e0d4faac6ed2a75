"""Each way to write a dispatch does the same: a type, a dict, an action creator, a batch."""

import gc
import sys
import threading
from collections import OrderedDict, UserDict

import pytest

import immutabledata as imd


class Action(dict):
    """A dict whose members are not those that PyDict_Next finds."""

    def items(self):
        return [("type", "go"), ("payload", "of a method")]

    def __getitem__(self, key):
        return "of a method"


def read(action):
    """The action as plain data, read member by member, as a reducer reads it."""
    found = {"type": action["type"]}
    for name in ("payload", "meta"):
        if name in action:
            part = action[name]
            is_object = isinstance(part, imd.ObjectValue)
            found[name] = imd.to_python({key: part[key] for key in part} if is_object else part)
    assert found == action.to_python()
    return found


def recording():
    """A store, and what its reducer gets."""
    seen = []

    def reduce(state, action):
        seen.append(read(action))
        return state

    return imd.Store(reduce, state=0), seen


PAYLOADS = [None, 5, 0.5, "text", [1, [2]], {}, {"a": 1, "b": [1], "c": {"d": None}}]
PAYLOADS += [{f"k{n}": n for n in range(17)}]


@pytest.mark.parametrize("payload", PAYLOADS)
@pytest.mark.parametrize("meta", [{}, {"meta": {"by": "test"}}, {"meta": None}])
def test_all_forms_arrive_the_same(payload, meta):
    store, seen = recording()
    expected = {"type": "go", "payload": payload, **meta}
    with store:
        for _ in range(2):  # The first dispatch of a type is handled by the package.
            store.dispatch("go", payload, **meta)
            store.dispatch(expected)
            store.dispatch({**meta, "payload": payload, "type": "go"})
            store.dispatch(OrderedDict(expected))
            store.dispatch(UserDict(expected))
            store.dispatch(imd.value(expected))
            store.dispatch_batch([expected, expected])
            store.dispatch_batch((expected,))
            store.dispatch_batch(iter([expected]))
    assert seen == [expected] * 20


def test_the_payloads_of_a_batch_arrive_in_their_order():
    def reduce(state, action):
        return state.append([action["type"], action.get("payload")])

    batch = ["a", {"type": "b", "payload": {"n": 1}}, {"type": "a", "payload": 2}, {"type": "b"}]
    with imd.Store(reduce, state=[]) as store:
        store.dispatch_batch(batch)
        assert store.state == [["a", None], ["b", {"n": 1}], ["a", 2], ["b", None]]
        store.dispatch({"type": "c", "payload": {"n": 3}})
        assert store.state[4] == ["c", {"n": 3}]


@pytest.mark.parametrize("in_batch", [False, True])
def test_a_reducer_that_changes_the_dict(in_batch):
    payload = {"n": 1, "list": [1]}
    action = {"type": "go", "payload": payload, "meta": {"by": [1]}}
    actions = [action, {"type": "go", "payload": payload}]
    first = {"type": "go", "payload": {"n": 1, "list": [1]}, "meta": {"by": [1]}}
    second = {"type": "go", "payload": {"n": 1, "list": [1]}}

    def reduce(state, given):
        action.clear()
        actions.clear()
        payload.clear()
        gc.collect()
        return state.append(given)

    with imd.Store(reduce, state=[]) as store:
        store.dispatch("go")
        action.update(type="go", payload=payload, meta={"by": [1]})
        payload.update(n=1, list=[1])
        actions[:] = [action, {"type": "go", "payload": payload}]
        if in_batch:
            store.dispatch_batch(actions)
        else:
            store.dispatch(action)
        assert store.state.to_python()[1:] == ([first, second] if in_batch else [first])


def test_an_observer_that_changes_the_dict():
    action = {"type": "go", "payload": {"n": 1}}
    batch = [action, action]

    def observe(n):
        action.clear()
        batch.clear()

    with imd.Store(lambda state, action: state.merge(action["payload"]), state={"n": 0}) as store:
        store.dispatch("go", {"n": 0})
        store.define("n", "n")
        with store.observe("n", observe):
            for send in (lambda: store.dispatch(action), lambda: store.dispatch_batch(batch)):
                action.update(type="go", payload={"n": store.state["n"] + 1})
                batch[:] = [action, action]
                send()
                assert action == {} and batch == []
        assert store.state == {"n": 2}


def test_an_observer_that_dispatches_inside_a_batch():
    seen = []
    inner = {"type": "inner", "payload": {"n": 9}}

    def reduce(state, action):
        seen.append(read(action))
        return state.set("/n", state["n"] + action["payload"]["n"])

    with imd.Store(reduce, state={"n": 0}) as store:
        store.dispatch({"type": "go", "payload": {"n": 0}})
        store.dispatch({"type": "inner", "payload": {"n": 0}})
        seen.clear()
        store.define("n", "n")
        sends = [
            lambda: store.dispatch(inner),
            lambda: store.dispatch_batch([inner, inner]),
            lambda: store.dispatch(OrderedDict(inner)),
            lambda: store.preview([inner]),
        ]

        def observe(n):
            if n and sends:
                sends.pop(0)()

        with store.observe("n", observe):
            batch = [{"type": "go", "payload": {"n": n}} for n in (1, 2, 3)]
            store.dispatch_batch(batch)
    assert not sends
    assert seen == batch + 5 * [inner]


def test_a_subclass_of_dict_is_a_mapping():
    store, seen = recording()
    with store:
        store.dispatch(Action(type="go", payload=1))
        store.dispatch(Action(type="go", payload=1))
        store.dispatch_batch([Action(type="go", payload=1)])
    expected = imd.value(Action(type="go", payload=1)).to_python()
    assert seen == [expected] * 3


class Text(str):
    pass


@pytest.mark.parametrize(
    ("action", "kind", "message"),
    [
        ({"type": "go", "extra": 1}, imd.InvalidActionError, '"extra"'),
        ({"type": "go", 5: 1}, imd.InvalidActionError, '"5"'),
        ({"type": 5}, imd.InvalidActionError, "type"),
        ({"payload": 1}, imd.InvalidActionError, "type"),
        ({}, imd.InvalidActionError, "type"),
        ({"type": "go", "payload": {"a": float("nan")}}, imd.InvalidArgumentError, "/payload/a"),
        ({"type": "go", "payload": 2**63}, imd.LimitError, "/payload"),
        ({"type": "go", "payload": {"a": {1}}}, imd.InvalidArgumentError, "/payload/a"),
        ({"type": "go", "payload": "\ud800"}, imd.InvalidArgumentError, "/payload"),
        ({"type": "go", "payload": {"a\0": 1}}, imd.InvalidJSONError, "/payload"),
        ({"type": "go", "meta": object}, imd.InvalidArgumentError, "/meta"),
        ({"type": "\ud800"}, imd.InvalidArgumentError, "/type"),
    ],
)
def test_refused(action, kind, message):
    store, seen = recording()
    with store:
        store.dispatch("go")
        seen.clear()
        with pytest.raises(kind) as caught:
            store.dispatch(action)
        assert message in str(caught.value)
        with pytest.raises(kind) as caught:
            store.dispatch_batch(["go", action])
        assert message in str(caught.value)
        assert kind is imd.InvalidActionError or "/1" in str(caught.value)
        assert seen in ([], [{"type": "go"}])
        with pytest.raises(TypeError):
            store.dispatch({"type": "go"}, 5)
        with pytest.raises(TypeError):
            store.dispatch({"type": "go"}, meta=5)


def test_recursive_data():
    store, seen = recording()
    payload = {}
    payload["self"] = payload
    action = {"type": "go"}
    action["payload"] = action
    with store:
        store.dispatch("go")
        for given in ({"type": "go", "payload": payload}, action):
            with pytest.raises(imd.InvalidArgumentError, match="[Cc]ircular"):
                store.dispatch(given)
            with pytest.raises(imd.InvalidArgumentError, match="[Cc]ircular"):
                store.dispatch_batch([given])
    assert seen == [{"type": "go"}]


def test_types_that_are_not_exact():
    store, seen = recording()
    with store:
        store.dispatch({"type": Text("go"), Text("payload"): 1})
        store.dispatch({"type": "{"})
        store.dispatch({"type": "{"})
        store.dispatch_batch([{"type": "["}, Text("go")])
        with pytest.raises(imd.InvalidActionError, match="must be a name"):
            store.dispatch_batch(["go", "{"])
    types = [action["type"] for action in seen]
    assert types == ["go", "{", "{", "[", "go"]


@pytest.mark.parametrize("failing", [0, 2, 4])
def test_an_action_of_a_batch_that_fails(failing):
    seen = []

    def reduce(state, action):
        seen.append(action["payload"]["n"])
        if action["type"] == "fail":
            raise LookupError(action["payload"]["n"])
        return state.set("/n", action["payload"]["n"])

    batch = [{"type": "go", "payload": {"n": n}} for n in range(5)]
    batch[failing]["type"] = "fail"
    with imd.Store(reduce, state={"n": -1}) as store:
        with pytest.raises(LookupError) as caught:
            store.dispatch_batch(batch)
        assert caught.value.args == (failing,)
        assert seen == [*range(failing + 1)]
        assert store.state == {"n": -1}
        store.dispatch({"type": "go", "payload": {"n": 7}})
        assert store.state == {"n": 7}


def test_a_batch_that_is_reduced_twice():
    """A reader that begins in the middle gets all commits: the store reduces the batch again."""
    streams, seen = [], []

    def reduce(state, action):
        payload = read(action)["payload"]
        seen.append((action["type"], payload["n"]))
        if payload["n"] == 2 and not streams:
            begin()
        return state.set("/n", payload["n"])

    def begin():
        # On another thread: a reducer must not use its store.
        thread = threading.Thread(target=lambda: streams.append(store.stream()))
        thread.start()
        thread.join()

    batch = [{"type": f"t{n}", "payload": {"n": n}} for n in range(4)]
    with imd.Store(reduce, state={"n": -1}) as store:
        store.dispatch_batch(batch)
        assert seen == 2 * [(f"t{n}", n) for n in range(4)]
        store.dispatch_batch(batch)
        assert seen == 3 * [(f"t{n}", n) for n in range(4)]
        stream = streams[0]
        assert [stream.next().action.to_python() for _ in range(8)] == 2 * batch


def test_a_dict_that_waits_for_room_is_sent_once():
    store, seen = recording()
    with store:
        store.dispatch("go")
        stream = store.stream(capacity=1, overflow="block")
        store.dispatch({"type": "go", "payload": 1})
        action = {"type": "go", "payload": 2}
        thread = threading.Thread(target=lambda: store.dispatch(action))
        thread.start()
        thread.join(0.15)
        assert thread.is_alive()
        action.clear()
        stream.next()
        thread.join()
        stream.next()
        thread = threading.Thread(target=lambda: store.dispatch_batch([{"type": "go"}]))
        thread.start()
        thread.join()
    assert [action.get("payload") for action in seen] == [None, 1, 2, None]


def test_an_optimistic_update_that_fails_in_a_batch():
    def reduce(state, action):
        return state.append(action["payload"])

    begin = {"type": "a", "payload": 1, "meta": {"optimistic": {"begin": "k"}}}
    with imd.Store(reduce, state=[], optimistic=True) as store:
        store.dispatch({"type": "a", "payload": 0})
        store.dispatch(begin)
        store.dispatch_batch([{"type": "a", "payload": 2}, {"type": "b", "payload": 3}])
        failed = {"type": "a", "payload": 4, "meta": {"optimistic": {"fail": "k"}}}
        store.dispatch_batch([{"type": "a", "payload": 5}, failed, {"type": "a", "payload": 6}])
        assert store.state == [0, 2, 3, 5, 4, 6]


def test_references_are_released():
    store, seen = recording()
    payload, meta, type = {"n": [1]}, {"by": "test"}, "".join(["type ", "of its own"])
    action = {"type": type, "payload": payload, "meta": meta}
    wrong = {**action, "extra": 1}
    batch = [action, {"type": type, "payload": payload}]

    def send():
        store.dispatch(action)
        store.dispatch_batch(batch)
        with pytest.raises(imd.InvalidActionError):
            store.dispatch(wrong)
        with pytest.raises(imd.InvalidActionError):
            store.dispatch_batch([action, wrong])
        seen.clear()
        gc.collect()

    def counts():
        return [sys.getrefcount(each) for each in (type, payload, meta, action, wrong, batch)]

    with store:
        send()
        before = counts()
        for _ in range(50):
            send()
        assert counts() == before
