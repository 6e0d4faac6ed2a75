"""TestStore: what it asserts, and what it says."""

import asyncio
import gc
import threading
import weakref
from dataclasses import dataclass

import pytest
from notes import STATE, make_reducer, make_rule

import immutabledata as imd
from immutabledata.testing import TestStore


@imd.drafting
def put(draft, action):
    """Puts members into the state."""
    for name, part in action.get("payload", {}).items():
        draft[name] = part


def ask(action, old, new):
    """Asks for the effects in the meta of an action."""
    return action.get("meta")


@pytest.fixture
def store():
    with TestStore(put, {"n": 0, "list": [1, 2]}, rule=ask) as store:
        yield store


@pytest.fixture
def notes():
    store = TestStore(make_reducer(), STATE, rule=make_rule())
    yield store
    store.abandon()


@pytest.mark.parametrize(
    "changes",
    [
        {"/n": 1, "/list/1": 3},
        [
            {"op": "replace", "path": "/n", "value": 1},
            {"op": "replace", "path": "/list/1", "value": 3},
        ],
        lambda draft: draft.update(n=1, list=[1, 3]),
        lambda draft: {"n": 1, "list": [1, 3]},
        {"": {"n": 1, "list": (1, 3)}},
    ],
)
def test_the_forms_of_changes(store, changes):
    store.send("put", {"n": 1, "list": [1, 3]}, changes=changes)
    assert store.state == {"n": 1, "list": [1, 3]}


def test_a_state_that_is_a_scalar():
    with TestStore(lambda state, action: state + 1, 0) as store:
        store.send("added", changes={"": 1})
        store.send("added", changes=lambda n: n + 1)
        store.send("added", changes=[{"op": "replace", "path": "", "value": 3}])
        with pytest.raises(AssertionError, match="the whole: expected 7, found 4"):
            store.send("added", changes={"": 7})


@pytest.mark.parametrize(
    ("payload", "changes", "message"),
    [
        (
            {"n": 1},
            None,
            '"put" changed the state, and the test names no changes; pass changes=…\n'
            "  '/n': was 0, is now 1",
        ),
        (
            {"n": True, "list": [1]},
            {"/n": 1, "/new": {"a": None}},
            'the state after "put" is not as expected:\n'
            "  '/list/1': expected 2, found nothing\n"
            "  '/n': expected 1, found True\n"
            "  '/new': expected {'a': None}, found nothing",
        ),
        (
            {"list": "x" * 200},
            {"/list": list(range(100))},
            'the state after "put" is not as expected:\n'
            f"  '/list': expected {str(list(range(100)))[:160]}…, found '{'x' * 159}…",
        ),
        (
            {str(n): n for n in range(100)},
            {},
            'the state after "put" is not as expected:'
            + "".join(f"\n  '/{n}': expected nothing, found {n}" for n in (0, 1, *range(10, 16)))
            + "\n  and more",
        ),
    ],
)
def test_the_message_for_a_change(store, payload, changes, message):
    given = {} if changes is None else {"changes": changes}
    with pytest.raises(AssertionError) as raised:
        store.send("put", payload, **given)
    assert str(raised.value) == message


def test_1_and_its_real_are_the_same(store):
    store.send("put", {"n": 1.0}, changes={"/n": 1})


def test_an_action_that_is_refused(store):
    with pytest.raises(AttributeError):
        store.send("put", [])
    assert store.state["n"] == 0


@pytest.mark.parametrize("name", ["n~/x", ""])
def test_names_that_a_pointer_escapes(store, name):
    pointer = "/" + name.replace("~", "~0").replace("/", "~1")
    store.send("put", {name: 1}, changes={pointer: 1})
    with pytest.raises(AssertionError, match=f"'{pointer}': was 1, is now 2"):
        store.send("put", {name: 2})


# ---- Effects -----------------------------------------------------------------------------------


def test_the_outcome_of_a_captured_effect(notes):
    notes.send("searched", "a", changes={"/query": "a"})
    search = notes.request("search")
    assert (search.name, search.arguments, str(search)) == (
        "search",
        {"query": "a"},
        "\"search\" with {'query': 'a'}",
    )
    search.succeed(["a1"])
    assert (search.has_ended, search.is_cancelled) == (True, False)
    with pytest.raises(imd.ClosedError, match='the effect "search" was ended before'):
        search.fail("late")
    assert notes.state["results"] == []
    notes.receive("found", ["a1"], changes=lambda draft: draft["results"].append("a1"))
    notes.close()


def test_a_cancelled_effect_has_no_outcome(notes):
    notes.send("searched", "a", changes={"/query": "a"})
    search = notes.request("search")
    notes.send("searched", "", changes={"/query": ""})
    assert search.is_cancelled
    search.succeed(["a1"])
    notes.close()


def test_a_function_of_the_test():
    calls = []
    with TestStore(put, {}, rule=ask, effects={"e": calls.append}) as store:
        store.send("ask", meta=[{"effect": "e", "arguments": 7, "success": "put", "delay": 10}])
        store.advance(9)
        assert calls == []
        store.advance(1)
        assert calls == [7]
        with pytest.raises(imd.ReducerFailedError, match='the effect "e": the action "put"'):
            store.receive("put")


def test_a_failure_without_an_action_is_raised_by_the_next_call(store):
    store.send("ask", meta=[{"effect": "e"}, {"effect": "f", "success": "put"}])
    store.request("e").fail("disk full")
    store.request("f").succeed({})
    with pytest.raises(imd.StorageError, match='the effect "e": disk full'):
        store.receive("put")
    store.receive("put")


def test_a_rule_that_fails():
    store = TestStore(put, {}, rule=lambda action, old, new: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        store.send("ask")
    store.close()


@pytest.mark.parametrize(
    ("act", "message"),
    [
        (
            lambda notes: notes.receive("found"),
            'no outcome waits, and "found" was expected:\n'
            "  in flight: \"search\" with {'query': 'a'}\n"
            '  waits for its time or turn: "save" with '
            "{'arguments': {'text': 'b'}, 'key': 'save', 'delay': 500}",
        ),
        (
            lambda notes: notes.request("save"),
            'no effect "save" is in flight:\n'
            "  in flight: \"search\" with {'query': 'a'}\n"
            '  waits for its time or turn: "save" with '
            "{'arguments': {'text': 'b'}, 'key': 'save', 'delay': 500}",
        ),
        (
            lambda notes: notes.close(),
            "left over at the end of the test:\n"
            "  the effect \"search\" with {'query': 'a'} was not ended\n"
            "  the effect \"save\" with {'arguments': {'text': 'b'}, 'key': 'save', 'delay': 500} "
            "waits for its time or turn",
        ),
    ],
)
def test_the_message_for_what_is_in_flight(notes, act, message):
    notes.send("typed", "a", changes={"/text": "a"})
    notes.send("typed", "b", changes={"/text": "b"})
    notes.send("searched", "a", changes={"/query": "a"})
    with pytest.raises(AssertionError) as raised:
        act(notes)
    assert str(raised.value) == message


def test_the_message_without_effects(notes):
    with pytest.raises(AssertionError) as raised:
        notes.request("save", {"text": "a"})
    assert str(raised.value) == (
        "no effect \"save\" with {'text': 'a'} is in flight; no effect is in flight"
    )


@pytest.mark.parametrize(
    ("expected", "message"),
    [
        (("saved",), 'received "found" with [\'a1\'], and "saved" was expected'),
        (
            ("saved", {"version": 1}),
            "received \"found\" with ['a1'], and \"saved\" with {'version': 1} was expected",
        ),
        (
            ("found", ["a1", "a2"]),
            'the action "found" is not as expected:\n'
            "  '/payload/1': expected 'a2', found nothing",
        ),
        (
            ({"type": "found"},),
            'the action "found" is not as expected:\n'
            "  '/payload': expected nothing, found ['a1']",
        ),
    ],
)
def test_the_message_for_an_outcome(notes, expected, message):
    notes.send("searched", "a", changes={"/query": "a"})
    notes.request("search").succeed(["a1"])
    with pytest.raises(AssertionError) as raised:
        notes.receive(*expected, changes={"/results": ["a1"]})
    assert str(raised.value) == message


def test_outcomes_that_were_not_received(notes):
    for name in ("a", "b"):
        notes.send("searched", name, changes={"/query": name})
    notes.request("search").succeed(["b1"])
    notes.send("typed", "a", changes={"/text": "a"})
    notes.advance(500)
    notes.request("save").succeed({"version": 1})
    with pytest.raises(AssertionError) as raised:
        notes.close()
    assert str(raised.value) == (
        "left over at the end of the test:\n"
        "  the outcome \"found\" with ['b1'] was not received\n"
        "  the outcome \"saved\" with {'version': 1} was not received"
    )


def test_an_effect_that_waits_to_be_tried_again(notes):
    notes.send("typed", "a", changes={"/text": "a"})
    notes.advance(500)
    notes.request("save").fail("disk full")
    with pytest.raises(AssertionError, match="the effect 1 that will be tried again") as raised:
        notes.close()
    assert "not ended" not in str(raised.value)


def test_an_effect_that_waits_for_its_turn(store):
    effect = {"effect": "e", "key": "k", "mode": "queue", "success": "put"}
    store.send("ask", meta=[effect, {**effect, "arguments": 2}])
    with pytest.raises(AssertionError, match=r'"e" with \{') as raised:
        store.request("e", 2)
    assert 'in flight: "e"\n' in str(raised.value)
    for _ in range(2):
        store.request("e").succeed({})
        store.receive("put")


def test_an_effect_that_takes_too_long(store):
    store.send("ask", meta=[{"effect": "e", "success": "put", "failure": "put", "timeout": 50}])
    effect = store.request("e")
    store.advance(49)
    assert not effect.is_cancelled
    store.advance(1)
    assert effect.is_cancelled
    store.receive("put", changes={"/reason": "there was no response within 50 ms"})


def test_the_action_after_a_cancellation(store):
    store.send("ask", meta=[{"effect": "e", "key": "k", "cancelled": "put"}])
    store.send("ask", meta=[{"cancel": "k"}])
    store.receive({"type": "put"})


def test_an_effect_without_an_outcome(store):
    store.send("ask", meta=[{"effect": "e"}, {"effect": "f", "success": "put"}])
    store.request("e").succeed()
    store.request("f").succeed({"n": 1})
    store.receive("put", changes={"/n": 1})


def test_an_async_function():
    async def answer(arguments):
        await asyncio.sleep(0)
        return {"n": arguments}

    with TestStore(put, {}, rule=ask, effects={"e": answer}) as store:
        store.send("ask", meta=[{"effect": "e", "arguments": 2, "success": "put"}])
        store.store.settle(60)
        store.receive("put", changes={"/n": 2})


def test_no_outcome_waits_while_an_async_function_runs():
    release = threading.Event()

    async def wait(arguments):
        await asyncio.get_running_loop().run_in_executor(None, release.wait)
        return arguments

    with TestStore(put, {}, rule=ask, effects={"e": wait}) as store:
        store.send("ask", meta=[{"effect": "e", "arguments": {"n": 2}, "success": "put"}])
        with pytest.raises(AssertionError) as raised:
            store.receive("put")
        assert str(raised.value) == (
            'no outcome waits, and "put" was expected:\n'
            '  runs in an async function, settle() the store first: "e"'
        )
        with pytest.raises(AssertionError) as raised:
            store.settle(0)
        assert str(raised.value) == (
            'after 0 seconds, async functions of effects have not returned:\n  "e"'
        )
        release.set()
        store.settle()
        store.receive("put", {"n": 2}, changes={"/n": 2})


def test_settle_waits_for_the_end_of_cancelled_functions():
    cancelled = []

    async def wait(arguments):
        try:
            await asyncio.Event().wait()
        finally:
            await asyncio.get_running_loop().run_in_executor(None, cancelled.append, arguments)

    with TestStore(put, {}, rule=ask, effects={"e": wait}) as store:
        for number in range(20):
            store.send("ask", meta=[{"effect": "e", "arguments": number, "key": "k"}])
        store.send("ask", meta=[{"cancel": "k"}])
        store.settle()
        assert sorted(cancelled) == list(range(20))


def test_settle_leaves_captured_effects_in_flight(store):
    store.send("ask", meta=[{"effect": "e"}])
    store.settle()
    store.request("e").succeed()
    store.close()


def test_all_counters_are_documented(store):
    store.send("ask", meta=[])
    assert [name for name in store.statistics() if name not in imd.Store.statistics.__doc__] == []


def test_a_function_with_a_similar_name():
    store = TestStore(put, {}, rule=ask, effects={"serch": abs, "other": abs})
    store.send("ask", meta=[{"effect": "search"}])
    with pytest.raises(AssertionError) as raised:
        store.close()
    assert str(raised.value) == (
        "left over at the end of the test:\n"
        '  the effect "search" was not ended; there is a function for "serch"'
    )


def test_an_async_function_on_the_loop_of_the_test():
    asks = [{"effect": "e", "arguments": 2, "success": "put"}]

    async def answer(arguments):
        await asyncio.sleep(0)
        return {"n": arguments}

    async def test():
        store = TestStore(put, {}, rule=ask, effects={"e": answer})
        message = (
            'send would block the event loop that the effect "e" runs on; write await '
            r"asyncio.to_thread\(store.send, …\)"
        )
        with pytest.raises(imd.ReentrantError, match=message):
            store.send("put", {"n": 1}, meta=asks)
        assert store.state == {}  # It has not been dispatched.
        await asyncio.to_thread(store.send, "put", meta=asks)
        await asyncio.to_thread(store.store.settle, 60)
        await asyncio.to_thread(store.receive, "put", changes={"/n": 2})
        await asyncio.to_thread(store.close)

    asyncio.run(test())


def test_an_async_function_that_has_not_returned():
    async def wait(arguments):
        await asyncio.Event().wait()

    store = TestStore(put, {}, rule=ask, effects={"e": wait})
    store.send("ask", meta=[{"effect": "e"}])
    with pytest.raises(AssertionError) as raised:
        store.close()
    assert str(raised.value) == (
        "left over at the end of the test:\n"
        '  the async function of the effect "e" has not returned; settle() the store first'
    )


# ---- Parts of a test ---------------------------------------------------------------------------


def test_what_is_not_exhaustive():
    with TestStore(make_reducer(), STATE, rule=make_rule(), exhaustive=False) as store:
        store.send("typed", "a")
        store.send("searched", "b", changes={"/query": "b"})
        store.send("typed", "b", changes=lambda draft: draft.update(text="b"))
        store.request("search").succeed([1])
        store.receive("found")
        with pytest.raises(AssertionError, match="'/text': expected 'd', found 'c'"):
            store.send("typed", "c", changes={"/text": "d", "/version": 0})
        with pytest.raises(AssertionError, match="'/nothing': expected 1, found nothing"):
            store.send("typed", "c", changes={"/nothing": 1})


def fail(store):
    with store:
        store.send("typed", "a", changes={"/text": "a"})
        raise ZeroDivisionError


def test_a_test_that_has_failed_says_nothing_of_the_rest(notes):
    with pytest.raises(ZeroDivisionError):
        fail(notes)
    assert notes.store.closed
    notes.close()


def test_instances_are_actions():
    @dataclass(frozen=True)
    class Put:
        n: int

    @imd.drafting
    def reduce(draft: dict, action: Put) -> None:
        draft["n"] = action.n

    def rule(action: Put, old, new):
        return [{"effect": "next", "success": "Put"}] if action.n == 1 else None

    with TestStore(reduce, {"n": 0}, rule=rule) as store:
        store.send(Put(1), changes={"/n": 1})
        store.request("next").succeed({"n": 2})
        store.receive(Put(2), changes={"/n": 2})


def test_a_domain():
    with TestStore.open("counter", state={"value": 1}) as store:
        store.send("didTapIncrementButton", changes={"/value": 2})
        assert store.statistics()["selects"] == 0


def test_what_a_domain_does_itself_is_asserted():
    with TestStore.open("animals") as store:
        with pytest.raises(AssertionError, match="/animals/data"):
            store.send("ui/animalList/onAppear", changes={"/animals/status": {"waiting": {}}})


def test_effects_of_a_domain():
    with TestStore.open("foodtruck", state={"orders": {}, "donuts": {}}) as store:
        store.send("ui/ordersView/onTapAddOrderButton")
        store.request("addOrder").succeed()


def test_a_store_is_freed_with_its_test_store(notes):
    store = TestStore(put, {}, rule=ask)
    store.send("ask", meta=[{"effect": "e"}])
    freed = weakref.ref(store.store)
    store.abandon()
    del store
    gc.collect()
    assert freed() is None


@pytest.mark.parametrize(
    "make",
    [
        lambda **options: TestStore(put, {}, **options),
        lambda **options: TestStore.open("", **options),
    ],
)
def test_a_clock_of_another_kind(make):
    with pytest.raises(TypeError, match="a TestStore takes no clock: it has one that stands still"):
        make(clock="manual")
