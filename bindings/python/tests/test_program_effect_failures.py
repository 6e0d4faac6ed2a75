"""Effects and rules that fail: reasons, and exceptions in on_error."""

import asyncio
import gc
import queue
import sys
import threading
import traceback
import weakref

import pytest
from effects import ask, log, outcomes

import immutabledata as imd
from immutabledata import _ffi


@pytest.mark.parametrize(
    ("function", "reason"),
    [
        (lambda arguments: 1 / 0, "division by zero"),
        (lambda arguments: object(), 'the result of the effect "e" cannot be written as JSON: '
            "JSON has no object"),
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
def test_the_reason_for_a_failure(asking, function, reason):
    asking.set_effect("e", function)
    ask(asking, "e")
    asking.settle(10)
    ((kind, payload),) = outcomes(asking)
    assert kind == "failed"
    assert payload == {"reason": reason}


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

    def rule(action, old, new):
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
        def rule(action, old, new):
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


def test_errors_that_wait_are_reported_when_the_store_closes():
    """Such as those of a short program. On a manual clock, nothing reports them before."""
    errors = []
    with imd.Store(lambda state, action: state, state=0, clock="manual") as store:
        store.on_error = lambda error, callback: errors.append(str(error))
        store.set_rule(lambda action, old, new: [{"effect": "save", "dely": 300}])
        store.dispatch("a")
        store.dispatch("b")
        assert errors == []
    assert errors == ['effects/0: unknown member "dely"; did you mean "delay"?'] * 2
