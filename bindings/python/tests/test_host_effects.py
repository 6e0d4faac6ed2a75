"""Effects that the program performs: timers, random numbers, a clock and a dialog; and rules."""

import asyncio
import gc
import queue
import random
import threading
import weakref

import pytest

import immutabledata as imd


@imd.drafting
def log(draft, action):
    if action["type"] == "refused":
        raise ValueError("no")
    draft.append(action)


def ask_for_payload(action, old_state, new_state):
    assert len(new_state) == len(old_state) + 1
    return action["payload"] if action["type"] == "ask" else None


@pytest.fixture
def asking():
    """A store whose state is the list of its actions; "ask" asks for the effects in its payload."""
    with imd.Store(log, state=[]) as store:
        store.set_rule(ask_for_payload)
        yield store


def ask(store, *names, **members):
    store.dispatch(
        "ask",
        payload=[
            {"effect": name, "success": "done", "failure": "failed", **members} for name in names
        ],
    )


def outcomes(store):
    return [
        (action["type"], action["payload"])
        for action in store.state.to_python()
        if action["type"] in ("done", "failed")
    ]


def test_a_random_number(asking):
    generator = random.Random(7)
    expected = random.Random(7).randint(1, 6)
    asking.set_effect("roll", lambda arguments: generator.randint(1, arguments["sides"]))
    ask(asking, "roll", arguments={"sides": 6})
    asking.settle(10)
    assert outcomes(asking) == [("done", expected)]


def test_a_timer_and_a_dialog_delay_no_clock(asking):
    fire, answer = threading.Event(), queue.Queue()

    def dialog(arguments):
        reply = answer.get(timeout=60)
        if reply is None:
            raise RuntimeError("the user pressed Escape")
        return reply

    asking.set_effect("timer", lambda arguments: None if fire.wait(60) else "late")
    asking.set_effect("dialog", dialog)
    asking.set_effect("clock", lambda arguments: 12.5)
    ask(asking, "dialog", "timer", "clock")
    with pytest.raises(imd.TimedOutError):
        asking.settle(0.001)
    lengths = queue.Queue()
    asking.define("length", "length(@)")
    asking.observe("length", lengths.put)
    while lengths.get(timeout=60) < 2:
        pass
    assert outcomes(asking) == [("done", 12.5)]
    fire.set()
    while lengths.get(timeout=60) < 3:
        pass
    answer.put(None)
    asking.settle(60)
    assert outcomes(asking) == [
        ("done", 12.5),
        ("done", None),
        ("failed", {"reason": "the user pressed Escape"}),
    ]


def test_an_async_function_on_the_running_loop(asking):
    loops = []

    async def main():
        fire = asyncio.Event()

        async def timer(arguments):
            loops.append(asyncio.get_running_loop())
            await fire.wait()
            return arguments

        asking.set_effect("timer", timer)
        ask(asking, "timer", arguments=5)
        while not loops:
            await asyncio.sleep(0)
        fire.set()
        await asyncio.get_running_loop().run_in_executor(None, asking.settle, 60)
        return asyncio.get_running_loop()

    assert asyncio.run(main()) is loops[0]
    assert outcomes(asking) == [("done", 5)]
    # The loop is closed.
    ask(asking, "timer")
    asking.settle(10)
    assert outcomes(asking)[1] == ("failed", {"reason": "Event loop is closed"})


def test_an_async_function_without_a_loop(asking):
    async def double(arguments):
        await asyncio.sleep(0)
        return arguments * 2

    asking.set_effect("double", double)
    ask(asking, "double", arguments=21)
    asking.settle(10)
    assert outcomes(asking) == [("done", 42)]


def test_close_cancels_coroutines(asking):
    started, cancelled = threading.Event(), threading.Event()

    async def wait(arguments):
        started.set()
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            cancelled.set()
            raise

    asking.set_effect("wait", wait)
    ask(asking, "wait")
    assert started.wait(60)
    asking.close()
    assert cancelled.wait(60)


@pytest.mark.parametrize(
    ("function", "reason"),
    [
        (lambda arguments: 1 / 0, "division by zero"),
        (lambda arguments: object(), 'the result of the effect "e" cannot be represented as JSON'),
        (lambda arguments: exec("raise KeyboardInterrupt"), "KeyboardInterrupt"),
        (None, 'the program has not set a function for the effect "e"'),
    ],
)
def test_failures_have_words(asking, function, reason):
    asking.set_effect("e", function)
    ask(asking, "e")
    asking.settle(10)
    ((kind, payload),) = outcomes(asking)
    assert kind == "failed"
    assert payload["reason"].startswith(reason.split(" cannot")[0])


def test_meta_reaches_the_reducer(asking):
    asking.set_effect("timer", lambda arguments: None)
    ask(asking, "timer", success={"type": "done", "meta": {"id": 7}})
    asking.settle(10)
    assert asking.state[1] == {"type": "done", "payload": None, "meta": {"id": 7}}


def test_errors_go_to_on_error():
    with imd.Store(log, state=[]) as store:
        errors = []
        store.on_error = lambda error, callback: errors.append(error)
        store.set_effect("e", lambda arguments: None)

        @store.set_rule
        def rule(action, old_state, new_state):
            if action["type"] == "raise":
                raise LookupError("nothing here")
            return action["payload"] if "payload" in action else ()

        store.dispatch("raise")
        store.settle(10)
        store.dispatch("a", payload=[{"efect": "e"}])
        store.settle(10)
        store.dispatch("a", payload=[{"effect": "none"}])
        store.settle(10)
        store.dispatch("a", payload=[{"effect": "e", "success": "refused"}])
        store.settle(10)
        assert [(type(error), str(error)) for error in errors] == [
            (LookupError, "nothing here"),
            (
                imd.InvalidArgumentError,
                'effects/0: unknown member "efect"; did you mean "effect"?',
            ),
            (imd.NotFoundError, 'the program has not set a function for the effect "none"'),
            (imd.ReducerFailedError, 'the effect "e": the action "refused": ValueError: no'),
        ]
        assert store.statistics()["failedEffects"] == 4
        assert len(store.state) == 4


def test_a_rule_sees_each_action_of_a_batch():
    seen = []
    with imd.Store(lambda state, action: state + 1, state=0) as store:
        store.set_rule(lambda action, old, new: seen.append((action["type"], old, new)))
        store.dispatch_batch(["a", "b"])
        store.set_rule(None)
        store.dispatch("c")
    assert seen == [("a", 0, 1), ("b", 1, 2)]


def test_wrong_arguments(asking):
    with pytest.raises(TypeError, match="an effect must be a function"):
        asking.set_effect("e", 3)
    with pytest.raises(TypeError, match="a rule must be a function"):
        asking.set_rule("rule")
    with pytest.raises(imd.InvalidArgumentError) as caught:
        asking.set_effect("", print)
    assert str(caught.value) == "the name of an effect must not be empty"
    with imd.open("counter") as counter, pytest.raises(imd.InvalidArgumentError) as caught:
        counter.set_rule(ask_for_payload)
    assert "the effects of a domain are part of the domain" in str(caught.value)
    asking.close()
    with pytest.raises(imd.ClosedError):
        asking.set_effect("e", print)
    with pytest.raises(imd.ClosedError):
        asking.set_rule(None)


def test_functions_do_not_keep_the_store_alive():
    store = imd.Store(log, state=[])
    store.set_effect("e", lambda arguments, store=store: store.state)
    store.set_rule(lambda action, old, new, store=store: None)
    reference = weakref.ref(store)
    del store
    gc.collect()
    assert reference() is None


def test_an_endless_chain_ends_with_the_store():
    enough = threading.Event()
    count = iter(range(1_000_000))
    store = imd.Store(lambda state, action: state, state=0)
    store.set_effect("again", lambda arguments: enough.set() if next(count) == 100 else None)
    store.set_rule(lambda action, old, new: [{"effect": "again", "success": "again"}])
    store.dispatch("again")
    assert enough.wait(60)
    store.close()
    assert store.closed
