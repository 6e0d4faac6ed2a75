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


@pytest.mark.parametrize(("options", "depth"), [({}, 1000), ({"depth": 3}, 3)])
def test_callbacks_that_dispatch_in_a_circle(options, depth):
    raised = []
    with imd.Store(lambda state, action: state + 1, state=0, **options) as store:
        store.define("count", "@")

        @store.observe("count", initial=False)
        def count(value):
            try:
                store.dispatch("counted")
            except imd.LimitError as error:
                raised.append(error.message)

        store.dispatch("counted")
        assert store.state == depth + 1
        assert raised == [
            f"observers dispatch in a circle, {depth} deep; compare before you dispatch, or raise "
            'the option "depth"; the last: "count" after "counted"'
        ]


@pytest.mark.parametrize("depth", [0, 1_000_001, "3"])
def test_an_invalid_depth(depth):
    with pytest.raises((imd.InvalidArgumentError, TypeError), match="depth"):
        imd.Store(lambda state, action: state, state=0, depth=depth)
    with pytest.raises((imd.InvalidArgumentError, TypeError), match="depth"):
        imd.open("counter", depth=depth)


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
