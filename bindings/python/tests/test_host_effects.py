"""Effects that the program performs: timers, random numbers, a clock and a dialog; and rules."""

import asyncio
import gc
import queue
import random
import sys
import threading
import traceback
import weakref

import pytest

import immutabledata as imd
from immutabledata import _ffi


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
        started, fire = asyncio.Event(), asyncio.Event()

        async def timer(arguments):
            loops.append(asyncio.get_running_loop())
            started.set()
            await fire.wait()
            return arguments

        asking.set_effect("timer", timer)
        ask(asking, "timer", arguments=5)
        await started.wait()
        fire.set()
        await asyncio.get_running_loop().run_in_executor(None, asking.settle, 60)
        return asyncio.get_running_loop()

    assert asyncio.run(main()) is loops[0]
    assert outcomes(asking) == [("done", 5)]
    # The loop is closed.
    ask(asking, "timer")
    asking.settle(10)
    reason = (
        'the event loop of the effect "timer" has ended; set its function again, on the loop that '
        "is running"
    )
    assert outcomes(asking)[1] == ("failed", {"reason": reason})


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


def test_a_deleted_store_cancels_coroutines():
    started, cancelled = threading.Event(), threading.Event()

    async def wait(arguments):
        started.set()
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            cancelled.set()
            raise

    store = imd.Store(log, state=[])
    store.set_effect("wait", wait)
    store.set_rule(ask_for_payload)
    ask(store, "wait")
    assert started.wait(60)
    del store
    gc.collect()
    assert cancelled.wait(60)


def test_settle_on_the_loop_of_an_effect(asking):
    async def main():
        asking.set_effect("timer", asyncio.sleep)
        ask(asking, "timer", arguments=0)
        for timeout in None, 10:
            with pytest.raises(imd.ReentrantError) as caught:
                asking.settle(timeout)
            assert str(caught.value) == (
                'settle would block the event loop that the effect "timer" runs on; write await '
                "asyncio.to_thread(store.settle)"
            )
        await asyncio.to_thread(asking.settle, 60)
        assert outcomes(asking) == [("done", None)]
        asking.set_effect("timer", lambda arguments: 1)
        ask(asking, "timer")
        asking.settle(10)

    asyncio.run(main())
    assert outcomes(asking)[1] == ("done", 1)


def test_settle_on_the_loop_of_a_coroutine_whose_function_was_replaced(asking):
    async def main():
        started, end = asyncio.Event(), asyncio.Event()

        async def wait(arguments):
            started.set()
            await end.wait()

        asking.set_effect("wait", wait)
        ask(asking, "wait")
        await started.wait()
        asking.set_effect("wait", None)
        with pytest.raises(imd.ReentrantError, match='the effect "wait" runs on'):
            asking.settle()
        end.set()
        await asyncio.to_thread(asking.settle, 60)

    asyncio.run(main())


@pytest.mark.parametrize("is_async", [False, True])
def test_settle_in_the_function_of_an_effect(asking, is_async):
    caught = queue.Queue()

    def settle(arguments):
        with imd.Store(log, state=[]) as another:
            another.settle()  # It does not wait for this effect.
        try:
            asking.settle()
        except imd.ReentrantError as error:
            caught.put(str(error))

    async def settle_async(arguments):
        settle(arguments)
        await asyncio.to_thread(settle, arguments)

    asking.set_effect("e", settle_async if is_async else settle)
    ask(asking, "e")
    asking.settle(60)
    assert [caught.get_nowait() for _ in range(1 + is_async)] == [
        'the function of the effect "e" called settle, which waits for the end of this effect'
    ] * (1 + is_async)
    assert outcomes(asking) == [("done", None)]


def test_a_task_that_outlives_its_effect_may_settle(asking):
    async def main():
        tasks = []

        async def settle():
            await asyncio.to_thread(asking.settle, 60)
            return "settled"

        async def start(arguments):
            tasks.append(asyncio.ensure_future(wait()))

        async def wait():
            await ended.wait()
            return await settle()

        ended = asyncio.Event()
        asking.set_effect("start", start)
        ask(asking, "start")
        await settle()
        ended.set()
        assert await tasks[0] == "settled"

    asyncio.run(main())


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


def test_rules_that_cannot_wait(asking):
    async def rule(action, old_state, new_state):
        return []

    advice = "only the function of an effect can be async: see set_effect"
    with pytest.raises(TypeError) as caught:
        asking.set_rule(rule)
    assert str(caught.value) == f"a rule must not be an async function; {advice}"
    errors = []
    asking.on_error = lambda error, callback: errors.append((str(error), callback))
    hidden = asking.set_rule(lambda action, old_state, new_state: rule(action, None, None))
    asking.dispatch("a")
    asking.settle(10)
    assert errors == [(f"the rule returned a coroutine; {advice}", hidden)]


@pytest.mark.parametrize("returned", [True, 0, 1.5])
def test_a_rule_that_returns_a_scalar(asking, returned):
    errors = []
    asking.on_error = lambda error, callback: errors.append(str(error))
    asking.set_rule(lambda action, old_state, new_state: returned)
    asking.dispatch("a")
    asking.settle(10)
    assert [error.partition(" such as")[0] for error in errors] == [
        "a rule returns an array of effects"
    ]


@pytest.mark.parametrize(
    ("function", "reason"),
    [
        (lambda arguments: 1 / 0, "division by zero"),
        (lambda arguments: object(), 'the result of the effect "e" cannot be represented as JSON'),
        (lambda arguments: exec("raise KeyboardInterrupt"), "KeyboardInterrupt"),
        (lambda arguments: {}["k"], "KeyError: 'k'"),
        (lambda arguments: sys.exit(1), "SystemExit: 1"),
        (lambda arguments: exec("raise KeyError"), "KeyError"),
        (
            lambda arguments: asyncio.sleep(1),
            'the function of the effect "e" returned a coroutine; define the function with '
            '"async def"',
        ),
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


def test_an_exception_of_an_effect_goes_to_on_error(asking):
    errors = queue.Queue()
    asking.on_error = lambda error, callback: errors.put((error, callback))

    def fail(arguments):
        raise raised

    async def fail_async(arguments):
        raise raised

    for function in fail, fail_async:
        raised = KeyError("missing")
        asking.set_effect("lookup", function)
        # Those with a failure action are not reported.
        ask(asking, "lookup")
        asking.settle(10)
        asking.dispatch("ask", payload=[{"effect": "lookup"}])
        asking.settle(10)
        error, callback = errors.get_nowait()
        assert callback is function
        assert error is raised
        assert error.__notes__ == ['the function of the effect "lookup"']
        assert traceback.extract_tb(error.__traceback__)[-1].name == function.__name__
    assert errors.empty()
    asking.set_effect("lookup", lambda arguments: {1})
    asking.dispatch("ask", payload=[{"effect": "lookup"}])
    asking.settle(10)
    error, _ = errors.get_nowait()
    assert type(error) is imd.InvalidArgumentError
    assert str(error).startswith('the result of the effect "lookup" cannot be written as JSON')


def test_an_exception_that_became_an_action_is_released(asking):
    class Local:
        pass

    references = []

    def fail(arguments):
        local = Local()
        references.append(weakref.ref(local))
        raise ValueError("no")

    asking.set_effect("fail", fail)
    ask(asking, "fail", "fail")
    asking.settle(10)
    for thread in threading.enumerate():
        if thread.name == "effect fail":
            thread.join()
    gc.collect()
    assert len(references) == 2
    assert [reference() for reference in references] == [None, None]


def test_a_reason_that_is_too_large_for_an_action(asking, monkeypatch):
    reject = _ffi.imd_effect_reject

    def reject_short(handle, reason, error):
        if len(reason) > 100:
            raise imd.LimitError("too large")
        reject(handle, reason, error)

    def fail(arguments):
        raise ValueError("long" * 100)

    errors = queue.Queue()
    asking.on_error = lambda error, callback: errors.put((str(error), callback))
    monkeypatch.setattr(_ffi, "imd_effect_reject", reject_short)
    asking.set_effect("e", fail)
    ask(asking, "e")
    asking.settle(10)
    assert outcomes(asking) == [("failed", {"reason": "ValueError"})]
    asking.dispatch("ask", payload=[{"effect": "e"}])
    asking.settle(10)
    assert errors.get_nowait() == ("long" * 100, fail)


def test_many_exceptions_arrive_as_themselves(asking):
    errors = queue.Queue()
    asking.on_error = lambda error, callback: errors.put((error, callback))

    def fail(arguments):
        raise LookupError("long " * 100 + f"{arguments}" if arguments % 2 else str(arguments))

    asking.set_effect("fail", fail)
    asking.dispatch("ask", payload=[{"effect": "fail", "arguments": i} for i in range(100)])
    asking.settle(60)
    found = [errors.get_nowait() for _ in range(100)]
    assert {type(error) for error, _ in found} == {LookupError}
    assert {callback for _, callback in found} == {fail}
    assert len({str(error) for error, _ in found}) == 100


def test_the_hook_names_the_effect_and_the_rule(asking, capsys, monkeypatch):
    monkeypatch.setattr("sys.unraisablehook", sys.__unraisablehook__)

    def fail(arguments):
        raise OSError("no")

    asking.set_effect("e", fail)
    asking.dispatch("ask", payload=[{"effect": "e"}])
    asking.settle(10)
    origin = f'the function of the effect "e" in {asking!r}: {fail!r}'
    assert f"Exception ignored in: {origin}\n" in capsys.readouterr().err

    def rule(action, old_state, new_state):
        raise OSError("no")

    asking.set_rule(rule)
    asking.dispatch("a")
    asking.settle(10)
    printed = capsys.readouterr().err
    assert f"Exception ignored in: the rule in {asking!r}: {rule!r}\n" in printed


def test_errors_go_to_on_error():
    with imd.Store(log, state=[]) as store:
        errors, callbacks = [], []
        store.on_error = lambda error, callback: (errors.append(error), callbacks.append(callback))
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
        assert callbacks == [rule, rule, rule, log]
        assert store.statistics()["failedEffects"] == 4
        assert len(store.state) == 4


def test_a_rule_that_dispatches(asking):
    errors = []
    asking.on_error = lambda error, callback: errors.append((type(error), callback))

    @asking.set_rule
    def rule(action, old_state, new_state):
        asking.dispatch("another")

    asking.dispatch("a")
    asking.settle(10)
    assert errors == [(imd.ReentrantError, rule)]
    assert len(asking.state) == 1


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
    with imd.open("counter") as counter, pytest.raises(imd.InvalidArgumentError) as caught:
        counter.set_effect("roll", print)
    assert str(caught.value) == (
        'unknown effect "roll": the domain asks the program for no effects'
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
