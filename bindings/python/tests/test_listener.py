"""Listeners."""

import asyncio
import functools
import gc
import weakref
from threading import Barrier, Event

import pytest
from listening import finish
from reducers import merge, reduce

import immutabledata as imd
from immutabledata._stores import listener as listener_module


def test_a_listener(app):
    seen = []

    @app.listener("ui/*", "key")
    def log(action, old, new):
        """What it does."""
        seen.append((action["type"], old["a"], new["a"]))

    for number, kind in enumerate(("ui/a", "net/a", "key", "ui/b"), 1):
        app.dispatch(kind, payload={"a": number})
    app.close()
    finish(log)
    assert seen == [("ui/a", 0, 1), ("key", 2, 3), ("ui/b", 3, 4)]
    assert app._listeners == set()
    assert isinstance(log, imd.Listener)
    assert (log.__name__, log.__doc__) == ("log", "What it does.")
    log({"type": "direct"}, {"a": 5}, {"a": 6})
    assert seen[-1] == ("direct", 5, 6)


def test_a_listener_dispatches(app):
    done = Event()

    @app.listener()
    def count(action, old, new):
        if new["a"] < 2_000:
            merge(app, a=new["a"] + 1)
        else:
            done.set()

    merge(app, a=1)
    done.wait()
    assert app.state["a"] == 2_000


def test_one_at_a_time(app):
    inside, seen = [], []

    @app.listener()
    def log(action, old, new):
        inside.append(1)
        seen.append((action["payload"]["a"], len(inside)))
        inside.pop()

    for number in range(300):
        merge(app, a=number)
    app.close()
    finish(log)
    assert seen == [(number, 1) for number in range(300)]


@pytest.mark.parametrize("is_async", [True, False])
def test_exceptions_go_to_the_handler(app, unraisable, is_async):
    errors, seen = [], []

    def act(action, old, new):
        seen.append(action["payload"]["a"])
        if action["payload"]["a"] == 0:
            raise KeyError("first")
        if action["payload"]["a"] == 1:
            app.on_error = None
            raise asyncio.CancelledError

    async def act_async(action, old, new):
        await asyncio.sleep(0)
        act(action, old, new)

    function = act_async if is_async else act
    app.on_error = lambda error, callback: errors.append((type(error), callback))
    listener = app.listener()(function)
    for number in range(3):
        merge(app, a=number)
    app.close()
    finish(listener)
    assert seen == [0, 1, 2]
    assert errors == [(KeyError, function)]
    ((error, where),) = unraisable
    assert type(error) is asyncio.CancelledError
    assert repr(function) in where


def test_cancel(app):
    seen, barrier = [], Barrier(2)

    @app.listener()
    def log(action, old, new):
        seen.append(action["payload"]["a"])
        barrier.wait()
        barrier.wait()

    assert "open" in repr(log)
    merge(app, a=1)
    merge(app, a=2)
    barrier.wait()
    log.cancel()
    log.cancel()
    barrier.wait()
    finish(log)
    assert seen == [1]
    assert "cancelled" in repr(log)
    assert app._listeners == set()


@pytest.mark.parametrize("is_async", [True, False])
def test_a_listener_cancels_itself(app, is_async):
    seen = []

    def act(action, old, new):
        listener.cancel()
        seen.append(action["payload"]["a"])

    async def act_async(action, old, new):
        listener.cancel()
        await asyncio.sleep(0)
        seen.append(action["payload"]["a"])

    listener = app.listener()(act_async if is_async else act)
    merge(app, a=1)
    merge(app, a=2)
    finish(listener)
    assert seen == [1]


def test_a_listener_closes_the_store(app):
    @app.listener()
    def close(action, old, new):
        app.close()

    merge(app, a=1)
    finish(close)
    assert app.closed


@pytest.mark.parametrize("is_async", [True, False])
def test_join_waits_for_the_actions_before_the_close(app, is_async):
    seen, barrier = [], Barrier(2)

    def act(action, old, new):
        if action["payload"]["a"] == 0:
            barrier.wait()
        seen.append(action["payload"]["a"])

    async def act_async(action, old, new):
        act(action, old, new)

    listener = app.listener()(act_async if is_async else act)
    for number in range(1_000):
        merge(app, a=number)
    assert not listener.join(0)
    app.close()
    assert not listener.join(timeout=0.001)
    barrier.wait()
    assert listener.join()
    assert seen == list(range(1_000))
    assert listener.join(0)


def test_join_keeps_the_store_alive(monkeypatch):
    seen, barrier, wait = [], Barrier(2), listener_module.wait

    def make():
        app = imd.Store(reduce, state={"a": 0})

        @app.listener()
        def log(action, old, new):
            if not seen:
                barrier.wait()
                barrier.wait()
            seen.append(action["payload"]["a"])

        for number in range(10):
            merge(app, a=number)
        barrier.wait()
        app.close()
        return log

    def wait_in_join(*arguments):
        barrier.wait()
        return wait(*arguments)

    monkeypatch.setattr(listener_module, "wait", wait_in_join)
    assert make().join()
    assert seen == list(range(10))


def test_join_after_cancel_waits_for_the_running_call(app):
    seen, barrier = [], Barrier(2)

    @app.listener()
    def log(action, old, new):
        barrier.wait()
        barrier.wait()
        seen.append(action["payload"]["a"])

    merge(app, a=1)
    merge(app, a=2)
    barrier.wait()
    log.cancel()
    assert not log.join(0)
    barrier.wait()
    assert log.join()
    assert seen == [1]


@pytest.mark.parametrize("is_async", [True, False])
def test_join_in_the_listener_itself(app, is_async):
    errors = []
    app.on_error = lambda error, callback: errors.append((type(error), str(error)))

    def act(action, old, new):
        app.close()
        listener.join()

    async def act_async(action, old, new):
        act(action, old, new)

    listener = app.listener()(act_async if is_async else act)
    merge(app, a=1)
    assert listener.join()
    message = "the listener called join, which waits for its own end"
    assert errors == [(imd.ReentrantError, message)]


@pytest.mark.parametrize(
    ("timeout", "kind", "part"),
    [
        (-1, imd.InvalidArgumentError, "a timeout must be a number from 0, or None; got -1"),
        ("1", TypeError, "a timeout must be a number of seconds or None, not str"),
    ],
)
def test_invalid_timeouts(app, timeout, kind, part):
    listener = app.listener()(lambda action, old, new: None)
    with pytest.raises(kind, match=part):
        listener.join(timeout)


def test_missed_actions_are_reported(app):
    errors, seen, barrier = [], [], Barrier(2)
    app.on_error = lambda error, callback: errors.append((error, callback))

    def slow(action, old, new):
        seen.append(action["payload"]["a"])
        if len(seen) == 1:
            barrier.wait()
            barrier.wait()

    listener = app.listener(capacity=2)(slow)
    merge(app, a=0)
    barrier.wait()
    for number in range(1, 6):
        merge(app, a=number)
    barrier.wait()
    app.close()
    finish(listener)
    assert seen == [0, 4, 5]
    ((error, callback),) = errors
    assert type(error) is imd.LimitError
    assert "fell behind and missed 3 actions" in str(error)
    assert callback is slow


@pytest.mark.parametrize(
    ("make", "kind", "part"),
    [
        (lambda app: app.listener(print), TypeError, "@store.listener()"),
        (lambda app: app.listener("a", 5), TypeError, "a pattern must be a str, not int"),
        (lambda app: app.listener()(5), TypeError, "a function that takes the action"),
        (lambda app: app.listener(capacity="1")(print), TypeError, "capacity must be an int"),
        (lambda app: app.listener(capacity=0)(print), imd.InvalidArgumentError, "capacity"),
        (lambda app: app.listener()(lambda a: a), TypeError, "the new state, not <lambda>(a)"),
        (
            lambda app: app.listener(capcity=1),
            imd.InvalidArgumentError,
            'unknown option "capcity"; did you mean "capacity"?',
        ),
        (lambda app: [app.close(), app.listener()(print)], imd.ClosedError, "closed"),
    ],
)
def test_invalid_arguments(app, make, kind, part):
    with pytest.raises(kind) as caught:
        make(app)
    assert type(caught.value) is kind
    assert part in str(caught.value)
    assert app._listeners == set()


def test_callables(app):
    seen = []

    class Callable:
        def __call__(self, action, old, new):
            seen.append("object")

    class AsyncCallable:
        async def __call__(self, action, old, new):
            seen.append("async object")

    async def partial(first, action, old, new):
        seen.append(first)

    functions = [
        Callable(),
        AsyncCallable(),
        functools.partial(AsyncCallable()),
        functools.partial(partial, "async partial"),
    ]
    listeners = [app.listener()(function) for function in functions]
    merge(app, a=1)
    app.close()
    for listener in listeners:
        finish(listener)
    assert sorted(seen) == ["async object", "async object", "async partial", "object"]


@pytest.mark.parametrize("is_async", [True, False])
def test_a_listener_does_not_keep_its_store_alive(is_async):
    def make():
        app = imd.Store(reduce, state={"a": 0})
        heard = Event()

        def act(action, old, new):
            assert app.state == new
            heard.set()

        async def act_async(action, old, new):
            act(action, old, new)

        listener = app.listener()(act_async if is_async else act)
        merge(app, a=1)
        heard.wait()
        return weakref.ref(app), weakref.ref(listener), listener._thread

    app, listener, thread = make()
    while app() is not None:  # Until the call has returned, which uses the store.
        gc.collect()
    thread.join()
    assert listener() is None
