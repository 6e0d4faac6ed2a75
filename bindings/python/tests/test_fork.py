"""Stores and values in the child of a fork."""

import os
import traceback

import pytest
from reducers import merge, reduce

import immutabledata as imd


def in_child(work):
    """Runs a function in a forked child process; fails if it fails."""
    child = os.fork()
    if child == 0:
        try:
            work()
        except BaseException:
            traceback.print_exc()
            os._exit(1)
        os._exit(0)
    _, status = os.waitpid(child, 0)
    assert os.WIFEXITED(status)
    assert os.WEXITSTATUS(status) == 0


@pytest.mark.filterwarnings("ignore:This process.*is multi-threaded:DeprecationWarning")
def test_a_store_of_the_parent_is_closed_in_the_child(app):
    seen = []
    observation = app.observe("a", seen.append)
    stream = app.stream()
    listener = app.listener()(lambda action, old, new: None)
    state = app.state
    merge(app, a=1)

    def child():
        for call in (
            lambda: merge(app, a=2),
            lambda: app.select("a"),
            lambda: app.state,
            lambda: app.observe("a", print),
            app.poll,
            app.fileno,
            app.stream,
            lambda: app.listener()(print),
            stream.next,
            stream.fileno,
        ):
            with pytest.raises(imd.ClosedError, match="this one was forked from"):
                call()
        assert list(stream) == []
        assert app.closed
        assert stream.closed
        assert observation.cancelled
        assert listener.cancelled
        assert listener.join()
        assert repr(app).endswith(" closed>")
        observation.cancel()
        stream.close()
        app.close()
        assert state == {"a": 0, "b": {"c": 1}, "list": [1, 2]}
        with imd.Store(reduce, state={"a": 5}) as own:
            own.define("a", "a")
            own.observe("a", seen.append)
            heard = own.stream()
            merge(own, a=6)
            assert heard.next().old == {"a": 5}
        assert seen == [0, 1, 5, 6]

    in_child(child)
    merge(app, a=3)
    assert seen == [0, 1, 3]
    assert stream.next().action["payload"] == {"a": 1}
    assert stream.next().action["payload"] == {"a": 3}
    assert not observation.cancelled
