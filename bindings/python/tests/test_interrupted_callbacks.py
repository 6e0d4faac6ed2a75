"""Tests of exceptions that interrupt a callback: they reach the call that led to it."""

import contextlib
import signal
import sys

import pytest

import immutabledata as imd
from immutabledata import _ffi
from immutabledata._stores import observation


def count(state, action):
    return state.set("/n", state["n"] + 1)


@pytest.fixture
def store(unraisable):
    """A store that counts. Nothing is reported."""
    reported = []
    with imd.Store(count, state={"n": 0}, history=True) as store:
        store.on_error = lambda error, callback: reported.append(error)
        store.define("n", "n")
        yield store
    assert reported == []
    assert unraisable == []


def leave(*arguments):
    raise SystemExit(3)


def press(*arguments):
    """Ctrl+C."""
    signal.raise_signal(signal.SIGINT)


def observe(store, **options):
    """Observes with two others around; returns what these get."""
    seen = []
    store.observe("n", seen.append, initial=False)
    store.observe("n", options.pop("callback", lambda n: None), initial=False, **options)
    store.observe("n", seen.append, initial=False)
    return seen


CALLBACKS = {
    "observer": lambda store, function: observe(store, callback=function),
    "comparison": lambda store, function: observe(store, did_change=function),
    "filter": lambda store, function: observe(store, filter=function),
    "dependency": lambda store, function: observe(store, dependencies={"n": function}),
    "rule": lambda store, function: (store.set_rule(lambda *_: function()), observe(store))[1],
    "trace": lambda store, function: (observe(store), store.set_trace(lambda _: function()))[0],
}


@pytest.mark.parametrize("set_up", CALLBACKS.values(), ids=CALLBACKS)
@pytest.mark.parametrize("function", [leave, press])
def test_an_interruption_reaches_the_dispatch(store, set_up, function):
    seen = set_up(store, function)
    expected = SystemExit if function is leave else KeyboardInterrupt
    with pytest.raises(expected):
        store.dispatch("counted")
    store.set_trace(None)
    assert store.state == {"n": 1}
    assert seen == [1, 1]
    assert store.statistics().get("failedEffects", 0) == 0


SENDS = {
    "type": lambda store: store.dispatch("counted"),
    "whole": lambda store: store.dispatch({"type": "counted", "meta": {"a": [{}]}}),
    "batch": lambda store: store.dispatch_batch(["counted"]),
    "undo": lambda store: store.undo(),
    "redo": lambda store: store.redo(),
}


@pytest.mark.parametrize("send", SENDS.values(), ids=SENDS)
def test_each_call_that_dispatches_raises_it(store, send):
    store.dispatch("counted")
    store.dispatch("counted")
    store.undo()
    seen = observe(store, callback=leave)
    with pytest.raises(SystemExit) as caught:
        send(store)
    assert caught.value.code == 3
    assert len(seen) == 2
    assert caught.traceback[-1].name == "leave"
    # It is raised once.
    assert store.query("n") == seen[0]


@pytest.mark.parametrize("deliver", [lambda store: store.poll(), lambda store: store.flush()])
def test_queued_outputs(store, deliver):
    seen = []
    store.observe("n", leave, when="queued", initial=False)
    store.observe("n", seen.append, when="queued", initial=False)
    store.dispatch("counted")
    with pytest.raises(SystemExit):
        deliver(store)
    assert seen == [1]
    assert store.poll() == 0


def test_an_interrupted_observe_begins_no_observation(store):
    with pytest.raises(SystemExit):
        store.observe("n", leave)
    store.dispatch("counted")
    assert store.statistics()["observations"] == 0


def test_of_several_the_first_is_raised(store):
    def press_later(n):
        raise KeyboardInterrupt

    store.observe("n", leave, initial=False)
    store.observe("n", press_later, initial=False, label="later")
    store.observe("n", leave, initial=False)
    with pytest.raises(SystemExit) as caught:
        store.dispatch("counted")
    assert caught.value.__notes__ == [
        'the observer "later" raised KeyboardInterrupt',
        'the observer of "n" raised SystemExit: 3',
    ]


def test_a_dispatch_in_an_observer_raises_first(store):
    caught = []
    with imd.Store(count, state={"n": 0}) as other:
        other.define("n", "n")
        other.observe("n", leave, initial=False)

        def pass_on(n):
            try:
                other.dispatch("counted")
            except SystemExit as error:
                caught.append(error)
                raise

        store.observe("n", pass_on, initial=False)
        with pytest.raises(SystemExit) as last:
            store.dispatch("counted")
        assert caught == [last.value]


def test_one_that_an_observer_handles_goes_no_further(store):
    with imd.Store(count, state={"n": 0}) as other:
        other.define("n", "n")
        other.observe("n", leave, initial=False)

        def handle(n):
            with pytest.raises(SystemExit):
                other.dispatch("counted")

        store.observe("n", handle, initial=False)
        store.dispatch("counted")


def test_a_dispatch_that_fails_too(unraisable):
    def reduce(state, action):
        if action["type"] == "done":
            raise LookupError("rejected")
        return [*state, action["type"]]

    for meta in ({}, {"meta": {"a": [{}]}}):
        with imd.Store(reduce, state=[], optimistic=True) as store:
            store.define("all", "@")
            store.dispatch("a", meta={"optimistic": {"begin": "17"}})
            store.observe("all", leave, initial=False)
            outcome = {"type": "done", "meta": {"optimistic": {"fail": "17"}} | meta}
            with pytest.raises(SystemExit) as caught:
                store.dispatch(outcome)
            assert type(caught.value.__context__) is LookupError
            assert store.state == []
    assert unraisable == []


LET_IN = {
    "advance": ("manual", lambda store: store.advance()),
    "settle": ("manual", lambda store: store.settle()),
    "receive": ("stepped", lambda store: store.receive()),
}


@pytest.mark.parametrize(("clock", "let_in"), LET_IN.values(), ids=LET_IN)
@pytest.mark.parametrize("function", [leave, press])
def test_a_reducer_that_an_outcome_leads_to(unraisable, clock, let_in, function):
    reported, functions = [], [function]

    def reduce(state, action):
        if action["type"] == "rejected":
            raise LookupError("rejected")
        if action["type"] == "done" and functions:
            functions.pop()()
        return [*state, action["type"]]

    def ask(action, old, new):
        if action["type"] == "asked":
            outcomes = ("done", "rejected", "done")
            return [{"effect": "none", "success": success} for success in outcomes]

    with imd.Store(reduce, state=[], clock=clock) as store:
        store.on_error = lambda error, callback: reported.append(error)
        store.set_effect("none", lambda arguments: None)
        store.set_rule(ask)
        store.dispatch("asked")
        if clock == "stepped":
            store.advance()
        with pytest.raises(SystemExit if function is leave else KeyboardInterrupt) as caught:
            let_in(store)
        assert caught.traceback[-1].name == function.__name__
        while clock == "stepped" and store.receive():
            pass
        # The outcome is lost; the others are let in.
        assert store.state == ["asked", "done"]
    assert len(reported) == 1
    assert "LookupError: rejected" in str(reported[0])
    assert unraisable == []


def test_on_a_thread_of_the_library_it_is_reported(unraisable):
    reported = []

    def reduce(state, action):
        return action["type"]

    with imd.Store(reduce, state="") as store:
        store.on_error = lambda error, callback: reported.append((type(error), callback))
        store.set_effect("none", lambda arguments: None)

        @store.set_rule
        def ask(action, old, new):
            return [{"effect": "none", "success": "done"}] if action["type"] == "asked" else None

        store.define("state", "@")

        @store.observe("state")
        def show(state):
            if state == "done":
                raise SystemExit

        store.dispatch("asked")
        store.settle()
        assert reported == [(SystemExit, show)]
    assert unraisable == []


@contextlib.contextmanager
def interrupted(code):
    """Raises KeyboardInterrupt when a function begins, where that cannot catch it."""

    def trace(frame, event, argument):
        if frame.f_code is code:
            sys.settrace(before)
            raise KeyboardInterrupt

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        yield
    finally:
        sys.settrace(before)


@pytest.mark.skipif(_ffi.EXTENSION is None, reason="ctypes reports it")
@pytest.mark.parametrize(
    ("set_up", "function"),
    [("observer", "_call_observer"), ("comparison", "_call_comparison"), ("filter", "_call_filter")],
)
def test_an_interruption_before_a_callback_begins(store, set_up, function):
    seen = CALLBACKS[set_up](store, lambda *values: True)
    with pytest.raises(KeyboardInterrupt), interrupted(getattr(observation, function).__code__):
        store.dispatch("counted")
    # The first of the three observers was not called.
    assert len(seen) == (1 if set_up == "observer" else 2)
