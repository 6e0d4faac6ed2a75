"""Exceptions of observers, and failures of observed selectors."""

import functools
import sys
import traceback

import pytest
from reducers import merge

import immutabledata as imd


def test_an_exception_goes_to_the_hook(app, unraisable):
    after = []

    def fails(a):
        if a:
            raise KeyError(a)

    app.observe("a", fails)
    app.observe("a", after.append)
    merge(app, a=1)
    merge(app, a=2)
    assert after == [0, 1, 2]
    assert [type(error) for error, _ in unraisable] == [KeyError] * 2
    origin = f' the observer of "a" in {app!r}: {fails!r}'
    assert [where.endswith(origin) for _, where in unraisable] == [True, True]
    assert "fails" in {frame.name for frame in traceback.extract_tb(unraisable[0][0].__traceback__)}


def test_the_hook_prints(app, capsys, monkeypatch):
    monkeypatch.setattr("sys.unraisablehook", sys.__unraisablehook__)
    app.observe("a", lambda a: 1 / a)
    printed = capsys.readouterr().err
    assert "<function test_the_hook_prints.<locals>.<lambda> at" in printed
    assert "ZeroDivisionError" in printed


async def observe_async(total):
    pass


async def observe_generator(total):
    yield


class AsyncObserver:
    async def __call__(self, total):
        pass


@pytest.mark.parametrize(
    "callback",
    [
        observe_async,
        observe_generator,
        functools.partial(observe_async),
        functools.partial(functools.partial(observe_generator)),
        AsyncObserver(),
        AsyncObserver().__call__,
        functools.partial(AsyncObserver()),
    ],
)
def test_an_async_callback(app, callback):
    for observe in (lambda: app.observe("a", callback), lambda: app.observe("a")(callback)):
        with pytest.raises(TypeError) as caught:
            observe()
        assert str(caught.value) == (
            'a callback must not be an async function; to await outputs, write "async for" with '
            "store.outputs"
        )
    with pytest.raises(imd.NotFoundError):
        app.observation(callback)


def test_a_callback_that_returns_a_coroutine(app):
    errors = []
    app.on_error = lambda error, callback: errors.append(str(error))
    app.observe("a", lambda a: observe_async(a))
    assert errors == [
        'the observer of "a" returned a coroutine; to await outputs, write "async for" with '
        "store.outputs"
    ]


def test_on_error(app, unraisable):
    seen = []
    app.on_error = lambda error, callback: seen.append((error, callback))
    assert callable(app.on_error)

    @app.observe("a")
    def fails(a):
        raise LookupError(a)

    merge(app, a=1)
    assert [(type(error), error.args, callback) for error, callback in seen] == [
        (LookupError, (0,), fails),
        (LookupError, (1,), fails),
    ]
    app.on_error = None
    merge(app, a=2)
    assert len(seen) == 2
    assert len(unraisable) == 1
    for handler in (5, "print"):
        with pytest.raises(TypeError, match="on_error must be a function that takes an exception"):
            app.on_error = handler


def test_an_error_of_the_handler_goes_to_the_hook(app, unraisable):
    def fails(*arguments):
        raise OSError

    app.on_error = fails
    app.observe("a", lambda a: 1 / a)
    ((error, where),) = unraisable
    assert type(error) is OSError
    assert where.endswith(f"on_error in {app!r}: {fails!r}")


def test_the_hook_gets_the_label(app, unraisable):
    app.observe("a", lambda a: 1 / a, label="the cart")
    ((_, where),) = unraisable
    assert f'the observer "the cart" in {app!r}: <function ' in where


def test_an_error_of_the_hook_is_printed(app, monkeypatch, capsys):
    monkeypatch.setattr("sys.unraisablehook", lambda report: 1 / 0)
    app.observe("a", lambda a: {}[a])
    merge(app, a=1)
    assert "ZeroDivisionError" in capsys.readouterr().err
    assert app.state["a"] == 1


def test_a_selector_that_fails(app):
    seen, errors = [], []
    app.on_error = lambda error, callback: errors.append((error, callback))

    @app.observe("largest", label="the top")
    def show(largest):
        seen.append(largest)

    merge(app, list=[1, "x"])
    merge(app, list=[7])
    assert seen == [2, 7]
    ((error, callback),) = errors
    assert type(error) is imd.InvalidSelectorError
    assert str(error).startswith("the top: ")
    assert callback is show


def test_a_reducer_that_raises_inside_a_callback(app):
    caught = []

    @app.observe("a")
    def nested(a):
        with pytest.raises(LookupError, match="refused") as error:
            app.dispatch("fail")
        caught.append(error.value)

    merge(app, a=1)
    assert len(caught) == 2
    with pytest.raises(LookupError):
        app.dispatch("fail")
