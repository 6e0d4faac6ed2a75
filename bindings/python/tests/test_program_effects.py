"""Effects that the program performs: timers, random numbers, a clock and a dialog."""

import asyncio
import gc
import queue
import random
import threading
import weakref

import pytest
from effects import ask, ask_for_payload, log, outcomes

import immutabledata as imd
from immutabledata import _ffi


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


def test_a_function_that_the_library_refuses_is_not_used(asking, monkeypatch):
    asking.set_effect("e", lambda arguments: "first")

    def refuse(*arguments):
        raise imd.InvalidArgumentError("unknown effect")

    async def main():
        with monkeypatch.context() as patch:
            patch.setattr(_ffi, "imd_store_set_effect", refuse)
            for name in "e", "f":
                with pytest.raises(imd.InvalidArgumentError):
                    asking.set_effect(name, asyncio.sleep)
        ask(asking, "e")
        asking.settle(10)

    asyncio.run(main())
    assert outcomes(asking) == [("done", "first")]


def test_set_effect_as_a_decorator(asking):
    @asking.set_effect("double")
    def double(arguments):
        return arguments * 2

    assert double(4) == 8
    ask(asking, "double", arguments=21)
    asking.settle(10)
    assert outcomes(asking) == [("done", 42)]
    with pytest.raises(TypeError) as caught:
        asking.set_effect(double)
    assert str(caught.value) == (
        'the name of an effect must be a str; as a decorator write @store.set_effect("name")'
    )
    with pytest.raises(imd.InvalidArgumentError) as caught:
        asking.set_effect("")
    assert str(caught.value) == "the name of an effect must not be empty"
    with pytest.raises(TypeError, match="an effect must be a function that takes the arguments"):
        asking.set_effect("double")(lambda: 1)


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
    with imd.open("counter") as counter, pytest.raises(imd.InvalidArgumentError) as caught:
        counter.set_effect("roll", print)
    assert str(caught.value) == (
        'unknown effect "roll": this store asks the program for no effects'
    )
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
