"""Observers: when they are called, and with which outputs."""

import gc

import pytest
from reducers import merge

import immutabledata as imd


def test_a_callback_gets_the_output(app):
    a, b, later = [], [], []
    app.observe("a", a.append)
    app.observe("b", b.append)
    app.observe("a", later.append, initial=False)
    before = app.state["b"]
    merge(app, a=1)
    merge(app, a=1)
    merge(app, a="text")
    merge(app, a=None)
    assert a == [0, 1, "text", None]
    assert later == [1, "text", None]
    (only,) = b
    assert isinstance(only, imd.ObjectValue)
    assert only.is_identical(before)
    assert only.to_python() == {"c": 1}


def test_arguments(app):
    seen, times = [], []
    app.observe("above", seen.append, arguments={"least": 1})
    app.observe("times", times.append, arguments={"when": 1})
    app.observe("above", times.append, arguments={"least": 5})
    merge(app, list=[3, 4], a=[1])
    assert seen == [[2], [3, 4]]
    assert times == [None, [], [1]]


def test_a_domain():
    with imd.open("counter") as counter:
        seen = []
        counter.observe("selectValue", seen.append)
        counter.dispatch("didTapIncrementButton")
        assert seen == [0, 1]


def test_the_decorator_returns_the_function(app):
    seen = []

    def show(output):
        seen.append(output)

    decorate = app.observe("a", initial=False)
    assert decorate(show) is show
    assert seen == []
    observation = app.observation(show)
    merge(app, a=1)
    observation.cancel()
    merge(app, a=2)
    assert seen == [1]
    with pytest.raises(imd.NotFoundError, match="is not an observer of this store"):
        app.observation(show)


def test_observation_finds_the_latest_of_a_callback(app):
    seen = []
    first = app.observe("a", seen.append)
    second = app.observe("b", seen.append)
    assert app.observation(seen.append) is second
    second.cancel()
    assert app.observation(seen.append) is first


def test_patches(app):
    seen, mirror = [], None

    @app.observe("b", deliver="patch")
    def follow(change):
        nonlocal mirror
        seen.append(change)
        if isinstance(change, imd.Patch):
            mirror = imd.apply_patch(mirror, change)
        else:
            mirror = change.to_python()
        assert mirror == app.select("b")

    merge(app, b={"c": 2, "d": [1]})
    merge(app, b={"c": None})
    merge(app, b=None)
    assert seen[0] == {"c": 1}
    assert not isinstance(seen[0], imd.Patch)
    assert [change.to_json() for change in seen[:3:2]] == [
        '{"c":1}',
        '[{"op":"remove","path":"/c"}]',
    ]
    assert seen[1:] == [
        [
            {"op": "replace", "path": "/c", "value": 2},
            {"op": "add", "path": "/d", "value": [1]},
        ],
        [{"op": "remove", "path": "/c"}],
        [{"op": "replace", "path": "", "value": None}],
    ]
    assert type(seen[1][1]["value"]) is list
    assert mirror is None


def test_cancel(app):
    seen = []
    observation = app.observe("a", seen.append)
    assert not observation.cancelled
    assert repr(observation) == "<immutabledata.Observation of 'a' open>"
    observation.cancel()
    observation.cancel()
    assert observation.cancelled
    assert repr(observation) == "<immutabledata.Observation of 'a' cancelled>"
    merge(app, a=1)
    assert seen == [0]
    assert app.statistics()["observations"] == 0
    app.close()
    observation.cancel()


def test_a_context_manager(app):
    seen = []
    with app.observe("a", seen.append) as observation:
        merge(app, a=1)
    assert observation.cancelled
    merge(app, a=2)
    assert seen == [0, 1]


def test_closing_ends_observations(app):
    observation = app.observe("a", print)
    app.close()
    assert observation.cancelled
    observation.cancel()
    with pytest.raises(imd.ClosedError):
        app.observe("a", print)
    with pytest.raises(imd.ClosedError):
        app.poll()
    with pytest.raises(imd.ClosedError):
        app.fileno()


def test_an_observation_continues_without_a_reference(app):
    seen = []
    app.observe("a", seen.append)
    gc.collect()
    merge(app, a=1)
    assert seen == [0, 1]
