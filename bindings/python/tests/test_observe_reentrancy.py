"""Observers that use their store, and reducers that must not observe."""

import pytest
from reducers import merge

import immutabledata as imd


def test_a_callback_dispatches(app):
    first, second = [], []

    @app.observe("a")
    def clamp(a):
        first.append(a)
        if a > 5:
            merge(app, a=5)
            assert app.state["a"] == 5

    app.observe("a", second.append)
    merge(app, a=9)
    assert first == second == [0, 9, 5]


def test_a_callback_observes(app):
    seen = []

    @app.observe("a")
    def begin(a):
        if a == 1:
            app.observe("b", lambda b: seen.append((a, b)))

    merge(app, a=1)
    merge(app, b=2)
    assert seen == [(1, {"c": 1}), (1, 2)]


def test_a_callback_cancels_itself(app):
    seen = []

    def once(a):
        seen.append(a)
        app.observation(once).cancel()

    assert app.observe("a", once).cancelled
    merge(app, a=1)
    assert seen == [0]


def test_a_callback_cancels_another(app):
    seen = []
    app.observe("a", lambda a: a and another.cancel())
    another = app.observe("a", seen.append)
    merge(app, a=1)
    assert seen == [0]


def test_a_callback_closes_its_store(app):
    seen = []
    app.observe("a", lambda a: a and app.close())
    app.observe("a", seen.append)
    merge(app, a=1)
    assert app.closed
    assert seen == [0]


def test_a_reducer_must_not_observe():
    def reduce(state, action):
        app.observe("a", print)

    with imd.Store(reduce, state={}) as app:
        app.define("a", "a")
        with pytest.raises(imd.ReentrantError):
            app.dispatch("go")
        assert app.statistics()["observations"] == 0


def test_a_reducer_must_not_cancel():
    def reduce(state, action):
        observation.cancel()
        return {"a": 1}

    seen = []
    with imd.Store(reduce, state={"a": 0}) as store:
        store.define("a", "a")
        observation = store.observe("a", seen.append)
        with pytest.raises(imd.ReentrantError):
            store.dispatch("go")
        assert store.state == {"a": 0}
    assert seen == [0]
