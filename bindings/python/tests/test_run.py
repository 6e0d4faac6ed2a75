"""Thunks."""

import asyncio

import pytest
from reducers import merge

import immutabledata as imd


def test_a_thunk(app):
    def thunk(dispatch, select, a, *, by):
        dispatch("merge", payload={"a": a * by})
        return select("a"), select("above", least=1)

    assert app.run(thunk, 3, by=2) == (6, [2])


def test_an_asynchronous_thunk(app):
    async def thunk(dispatch, select):
        await asyncio.sleep(0)
        dispatch("merge", payload={"a": 1})
        return select("a")

    async def main():
        return await app.run(thunk)

    assert asyncio.run(main()) == 1


def test_exceptions_of_the_thunk(app):
    error = KeyError("mine")

    def thunk(dispatch, select):
        raise error

    with pytest.raises(KeyError) as caught:
        app.run(thunk)
    assert caught.value is error
    with pytest.raises(imd.UnknownSelectorError):
        app.run(lambda dispatch, select: select("unknown"))
    with pytest.raises(LookupError, match="refused"):
        app.run(lambda dispatch, select: dispatch("fail"))


def test_a_thunk_inside_a_callback(app):
    app.observe("a", lambda a: a == 1 and app.run(lambda dispatch, select: merge(app, a=2)))
    merge(app, a=1)
    assert app.state["a"] == 2


def test_invalid_arguments(app):
    with pytest.raises(TypeError, match="must be a function that takes dispatch and select"):
        app.run(5)
    app.close()
    with pytest.raises(imd.ClosedError):
        app.run(print)
