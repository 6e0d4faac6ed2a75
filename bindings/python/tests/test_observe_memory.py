"""The lifetime of stores, observations and callbacks."""

import gc
import weakref

import pytest
from reducers import merge, reduce

import immutabledata as imd


class Owner:
    """An object that can be referenced weakly."""


@pytest.mark.parametrize("is_closed", [True, False])
def test_a_callback_that_refers_to_its_store_does_not_keep_it_alive(is_closed):
    def make():
        owner = Owner()
        app = imd.Store(reduce, state={"a": 0})
        app.define("a", "a")
        owner.app = app
        observation = app.observe("a", lambda a: owner.app.select("a"))
        app.observe("a", lambda a: owner, when="queued")
        merge(app, a=1)
        handle = app._handle
        if is_closed:
            app.close()
        return weakref.ref(owner), weakref.ref(app), weakref.ref(observation), handle

    *references, handle = make()
    gc.collect()
    assert [reference() for reference in references] == [None] * 3
    with pytest.raises(imd.ClosedError):
        imd._ffi.imd_store_poll(handle, None, None)


def test_deleting_a_store_ends_its_observations():
    app = imd.Store(reduce, state={"a": 0})
    app.define("a", "a")
    reference = weakref.ref(app)
    callback = Owner()
    callback_reference = weakref.ref(callback)
    observation = app.observe("a", lambda a, owner=callback: owner)
    del app, callback
    assert reference() is None
    assert callback_reference() is None
    assert observation.cancelled
    observation.cancel()


class Named:
    """A callback that records its deletion."""

    def __init__(self, name, ended):
        self.name, self.ended = name, ended

    def __call__(self, output):
        pass

    def __del__(self):
        self.ended.append(self.name)


@pytest.mark.parametrize("is_closed", [True, False])
def test_callbacks_are_released_oldest_first(is_closed):
    ended = []
    app = imd.Store(reduce, state={"a": 0})
    app.define("a", "a")
    observations = [app.observe("a", Named(name, ended)) for name in "abcde"]
    observations[1].cancel()
    if is_closed:
        app.close()
    del app
    assert ended == ["b", "a", "c", "d", "e"]
    assert all(observation.cancelled for observation in observations)


def test_cancelling_frees_the_callback(app):
    owner = Owner()
    reference = weakref.ref(owner)
    observation = app.observe("a", lambda a, owner=owner: None)
    del owner
    assert reference() is not None
    observation.cancel()
    assert reference() is None


def test_a_rejected_callback_is_freed(app):
    owner = Owner()
    reference = weakref.ref(owner)
    with pytest.raises(imd.UnknownSelectorError):
        app.observe("unknown", lambda a, owner=owner: None)
    del owner
    gc.collect()
    assert reference() is None


def test_delivered_outputs_are_freed(app):
    seen = []
    app.observe("b", seen.append)
    reference = weakref.ref(seen.pop())
    assert reference() is None
