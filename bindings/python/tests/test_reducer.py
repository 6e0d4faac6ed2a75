"""Stores with a reducer written in Python."""

import gc
import weakref

import pytest
from reducers import count

import immutabledata as imd


def test_dispatch(counter):
    before = counter.state
    assert counter.dispatch("add", payload=2) is None
    counter.dispatch({"type": "add", "payload": 3, "meta": {"any": "thing"}})
    counter.dispatch_batch([{"type": "add", "payload": 1}, "else"])
    assert counter.state == {"n": 6, "rest": {"big": [1, 2]}}
    assert counter.state["rest"].is_identical(before["rest"])
    assert before == {"n": 0, "rest": {"big": [1, 2]}}


def test_without_a_change_the_state_is_the_same_instance(counter):
    before = counter.state
    counter.dispatch("else")
    assert counter.state.is_identical(before)


def test_the_reducer_gets_the_whole_action():
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
    with imd.Store(lambda state, action: result, state=None) as store:
        store.dispatch("set")
        assert store.state == imd.value(result)


def test_a_result_that_contains_parts_of_the_state():
    def reduce(state, action):
        return {**state, "n": state["n"] + 1, "list": [*state["list"], state["part"]]}

    with imd.Store(reduce, state={"n": 0, "list": [], "part": {"p": 1}}) as store:
        part = store.state["part"]
        store.dispatch("go")
        assert store.state == {"n": 1, "list": [{"p": 1}], "part": {"p": 1}}
        assert store.state["part"].is_identical(part)
        assert store.state["list"][0].is_identical(part)


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
        (lambda store: store.select("unknown"), imd.UnknownSelectorError),
        (lambda store: store.dispatch({"payload": 1}), imd.InvalidActionError),
        (lambda store: store.dispatch({"type": 1}), imd.InvalidActionError),
    ],
)
def test_invalid_arguments(counter, call, kind):
    before = counter.state
    with pytest.raises(kind) as caught:
        call(counter)
    assert type(caught.value) is kind
    assert counter.state.is_identical(before)


@pytest.mark.parametrize(
    ("make", "kind", "part"),
    [
        (lambda: imd.Store("counter", state={}), TypeError, "use immutabledata.open"),
        (lambda: imd.Store(count), TypeError, "the initial state is missing"),
        (lambda: imd.Store(count, state={1}), imd.InvalidArgumentError, "the state cannot"),
        (lambda: imd.Store(count, state=2**63), imd.LimitError, ""),
        (lambda: imd.Store(count, state={}, speed=1), imd.InvalidArgumentError, "speed"),
    ],
)
def test_invalid_arguments_of_the_constructor(make, kind, part):
    with pytest.raises(kind) as caught:
        make()
    assert type(caught.value) is kind
    assert part in str(caught.value)


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
        "the store 'count' was closed; make another with immutabledata.Store"
    )
    assert kept == {"n": 0, "rest": {"big": [1, 2]}}


@pytest.mark.parametrize("text", ['{"type":"add"}', '[{"type":"add"}]', '{"type":"' + "a" * 50])
def test_json_text_is_not_a_type(counter, text):
    for send in (
        counter.dispatch,
        lambda action: counter.dispatch(action, payload={"n": 1}),
        lambda action: counter.dispatch_batch([action]),
    ):
        with pytest.raises(imd.InvalidActionError) as caught:
            send(text)
        assert str(caught.value) == (
            f'the type of an action must be a name, not JSON text: "{text[:40]}"; dispatch a dict, '
            "or immutabledata.from_json(text)"
        )
    counter.dispatch({"type": text})
    counter.dispatch({"type": text, "payload": {"n": 1}})


def test_json_text_as_the_state_causes_a_warning():
    message = (
        "the state is a str that contains JSON; to begin with the data in it, pass "
        "immutabledata.from_json(text)"
    )
    for text in ('{"items": []}', " [1]"):
        with pytest.warns(RuntimeWarning) as caught, imd.Store(count, state=text) as store:
            assert store.state == text
        assert [str(each.message) for each in caught] == [message]
        assert caught[0].filename == __file__
    for text in ("", "{", "{items}", "5", '"text"'):
        imd.Store(count, state=text).close()


def test_a_deleted_store_is_freed_with_its_reducer():
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


def test_the_state_that_a_reducer_gets_is_that_of_the_store():
    """After dispatches that fail, or that observers and batches make."""
    states = []

    def reduce(state, action):
        states.append(state)
        if action["type"] == "fail":
            raise ValueError
        if action["type"] == "use":
            store.dispatch("any")  # Refused, and so is this dispatch.
        return state if action["type"] == "same" else state.set(("n",), state["n"] + 1)

    with imd.Store(reduce, state={"n": 0}) as store:
        store.define("n", "n")

        def dispatch(n):
            if n == 3:
                store.dispatch("nested")
                with pytest.raises(ValueError):
                    store.dispatch("fail")

        store.observe("n", dispatch)
        expected = 0
        for kind in ("any", "any", "fail", "any", "same", "any", "use", "any", "batch", "any"):
            before = store.state
            del states[:]
            if kind == "batch":
                with pytest.raises(ValueError):
                    store.dispatch_batch(["any", "any", "fail"])
            elif kind in ("fail", "use"):
                with pytest.raises((ValueError, imd.ReentrantError)):
                    store.dispatch(kind)
            else:
                store.dispatch(kind)
                if kind == "any":
                    expected += 1
                    if expected == 3:  # The observer dispatched another action.
                        expected += 1
            assert states[0].is_identical(before)
            assert store.state == {"n": expected}
