"""Reducers that raise, return no state, or use their store."""

import contextlib
import functools
import gc
import itertools
import queue
import sys
import traceback
import weakref

import pytest
from reducers import count

import immutabledata as imd
from immutabledata import _ffi
from immutabledata._stores import reducer


class Awkward(Exception):
    def __str__(self):
        raise ValueError("no text either")


OUTCOME = {"optimistic": {"fail": "none"}}

SENDS = [
    lambda store: store.dispatch("fail"),
    lambda store: store.dispatch_batch([{"type": "add", "payload": 1}, "fail"]),
]


def failing(error):
    def reduce(state, action):
        if action["type"] == "fail":
            raise error
        return count(state, action)

    return imd.Store(reduce, state={"n": 0})


class UnknownTask(imd.ReducerFailedError):
    code = 7


@pytest.mark.parametrize(
    ("error", "expected"),
    [
        (UnknownTask("no such task"), 7),
        (UnknownTask("no such task", code=8), 8),
        (imd.InvalidActionError("a subclass of Error"), 0),
        (imd.ReducerFailedError("negative", code=-(2**31)), -(2**31)),
        (imd.ReducerFailedError("too large for C", code=2**31), 0),
        (ValueError("not of this package"), 0),
    ],
)
def test_callers_in_c_get_the_code_of_an_error(error, expected):
    with failing(error) as store:
        with pytest.raises(imd.ReducerFailedError) as caught:
            _ffi.imd_store_dispatch(store._handle, b'{"type":"fail"}', 15, _ffi.imd_error())
        assert caught.value.code == expected


@pytest.mark.parametrize("send", SENDS)
@pytest.mark.parametrize(
    "error",
    [
        ValueError("é" * 300),
        KeyError("a\0b"),
        KeyboardInterrupt(),
        SystemExit(3),
        Awkward(),
        RuntimeError("\ud800"),
        imd.InvalidActionError("my own"),
        imd.ReducerFailedError("my own"),
    ],
    ids=lambda error: type(error).__name__,
)
def test_dispatch_raises_the_exception_of_the_reducer(send, error):
    with failing(error) as store:
        before = store.state
        with pytest.raises(type(error)) as caught:
            send(store)
        assert caught.value is error
        assert caught.value.__context__ is None
        frames = [frame.name for frame in traceback.extract_tb(caught.value.__traceback__)]
        assert frames[-1] == "reduce"
        assert frames[0] == "test_dispatch_raises_the_exception_of_the_reducer"
        assert store.state.is_identical(before)
        store.dispatch("add", payload=1)
        assert store.state == {"n": 1}


def test_the_cause_of_an_exception_is_kept():
    def reduce(state, action):
        try:
            state["none"]
        except KeyError as error:
            raise ValueError("bad") from error

    with imd.Store(reduce, state={}) as store:
        with pytest.raises(ValueError, match="bad") as caught:
            store.dispatch("go")
        assert type(caught.value.__cause__) is KeyError


def test_an_error_is_freed():
    class Mine(Exception):
        pass

    def reduce(state, action):
        error = Mine()
        errors.append(weakref.ref(error))
        try:
            raise error
        finally:
            del error

    errors = []
    gc.disable()
    try:
        with imd.Store(reduce, state={}) as store:
            with contextlib.suppress(Mine):
                store.dispatch("go")
            assert errors[0]() is None
    finally:
        gc.enable()


@pytest.mark.parametrize("send", SENDS)
@pytest.mark.parametrize(
    ("result", "kind", "part"),
    [
        (None, imd.ReducerFailedError, "the reducer returned None"),
        ({1, 2}, imd.InvalidArgumentError, "what the reducer returned cannot be written"),
        ({"a": [0, object()]}, imd.InvalidArgumentError, "what the reducer returned at /a/1"),
        (2**63, imd.LimitError, ""),
        ({"\0": 1}, imd.InvalidJSONError, ""),
        (float("nan"), imd.InvalidArgumentError, ""),
    ],
)
def test_invalid_results(send, result, kind, part):
    def reduce(state, action):
        return result if action["type"] == "fail" else count(state, action)

    with imd.Store(reduce, state={"n": 0}) as store:
        with pytest.raises(kind) as caught:
            send(store)
        assert type(caught.value) is kind
        assert part in str(caught.value)
        assert store.state == {"n": 0}
        store.dispatch("add", payload=1)
        assert store.state == {"n": 1}


@pytest.mark.parametrize(
    "use",
    [
        lambda store: store.dispatch("add", payload=1),
        lambda store: store.dispatch_batch([]),
        lambda store: store.select("n"),
        lambda store: store.query("n"),
        lambda store: store.state,
        lambda store: store.define("n", "n"),
        lambda store: store.statistics(),
    ],
)
def test_a_reducer_that_uses_its_own_store(use):
    def reduce(state, action):
        if action["type"] == "fail":
            use(store)
        return count(state, action)

    with imd.Store(reduce, state={"n": 0}) as store:
        with pytest.raises(imd.ReentrantError) as caught:
            store.dispatch("fail")
        assert "reduce" in [frame.name for frame in traceback.extract_tb(caught.tb)]
        assert store.state == {"n": 0}
        store.dispatch("add", payload=1)
        assert store.state == {"n": 1}


def test_a_reducer_may_read_another_store():
    other = imd.Store(count, state={"n": 3})
    with other, imd.Store(lambda state, action: other.state, state=None) as store:
        store.dispatch("go")
        assert store.state == {"n": 3}


@pytest.mark.parametrize("raises", [None, KeyError("mine")])
def test_a_reducer_that_dispatches_to_another_store_fails(raises):
    with imd.Store(count, state={"n": 0}) as other:

        def reduce(state, action):
            with pytest.raises(imd.ReentrantError):
                other.dispatch("add", payload=1)
            if raises:
                raise raises
            return 1

        with imd.Store(reduce, state=0) as store:
            with pytest.raises(imd.ReentrantError, match="a reducer dispatched an action"):
                store.dispatch("go")
            assert store.state == 0
        assert other.state == {"n": 0}


@pytest.mark.parametrize("what", ["store", "observation", "stream", "listener"])
def test_a_reducer_must_not_close_its_store_or_end_observers(what):
    seen = []

    def reduce(state, action):
        if action["type"] == "end":
            ends[what]()
        return count(state, action)

    with imd.Store(reduce, state={"n": 0}) as store:
        store.define("n", "n")
        observation = store.observe("n", seen.append, initial=False)
        stream = store.stream()
        heard = queue.SimpleQueue()
        listener = store.listener()(lambda action, old, new: heard.put(action["type"]))
        ends = {
            "store": store.close,
            "observation": observation.cancel,
            "stream": stream.close,
            "listener": listener.cancel,
        }
        with pytest.raises(imd.ReentrantError):
            store.dispatch("end")
        ended = [store.closed, observation.cancelled, stream.closed, listener.cancelled]
        assert ended == [False] * 4
        store.dispatch("add", payload=2)
        assert seen == [2]
        assert stream.next().action["type"] == heard.get() == "add"


def test_a_stream_deleted_inside_a_reducer_is_closed():
    def reduce(state, action):
        streams.clear()
        return count(state, action)

    with imd.Store(reduce, state={"n": 0}) as store:
        streams = [store.stream()]
        handle = streams[0]._handle
        store.dispatch("add", payload=1)
        assert store.state == {"n": 1}
        with pytest.raises(imd.ClosedError):
            while True:
                imd._ffi.imd_stream_next(handle, -1, None, None, None, imd._ffi.imd_error())


def test_a_store_deleted_inside_its_reducer_is_closed():
    def reduce(state, action):
        stores.clear()
        return count(state, action)

    stores = [imd.Store(reduce, state={"n": 0})]
    handle, stream = stores[0]._handle, stores[0].stream()
    imd._ffi.imd_store_dispatch(handle, b'{"type":"add","payload":1}', -1, imd._ffi.imd_error())
    assert not stores
    with pytest.raises(imd.ClosedError):
        while True:
            stream.next()


def test_a_reentrant_error_has_the_exception_of_the_reducer_as_cause():
    def reduce(state, action):
        try:
            store.select("n")
        except imd.ReentrantError:
            raise KeyError("mine") from None

    with imd.Store(reduce, state={"n": 0}) as store:
        with pytest.raises(imd.ReentrantError) as caught:
            store.dispatch("go")
        assert isinstance(caught.value.__cause__, KeyError)


def test_a_stale_error_is_not_raised():
    with failing(ValueError("stale")) as store:
        with pytest.raises(ValueError, match="stale"):
            store.dispatch("fail")
        with pytest.raises(imd.InvalidActionError):
            store.dispatch({})


# ---- Signal handlers that raise where ctypes does not pass the exception on ----------------------

INTERRUPTED = (
    "a signal handler interrupted the call of the reducer; its exception went to "
    "sys.unraisablehook"
)


# The extension calls reducers without _reduce.
without_extension = pytest.mark.skipif(_ffi.EXTENSION is not None, reason="for ctypes")


@contextlib.contextmanager
def interrupted(position):
    """Raises KeyboardInterrupt at a call, line or return of _reduce, counted from 0.

    Yields a list that then has the event.
    """
    events = []
    left = itertools.count(position, -1)

    def trace(frame, event, argument):
        if frame.f_code is not reducer._reduce.__code__:
            return None
        if next(left) == 0:
            events.append(event)
            raise KeyboardInterrupt
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        yield events
    finally:
        sys.settrace(before)


@without_extension
@pytest.mark.parametrize(
    "send",
    [
        lambda store: store.dispatch("add", payload=1),
        lambda store: store.dispatch("add", payload=1, meta=OUTCOME),
        lambda store: store.dispatch_batch([{"type": "add", "payload": 1}]),
    ],
)
@pytest.mark.parametrize("optimistic", [False, True])
def test_an_exception_before_the_reducer_begins(send, optimistic, unraisable, monkeypatch):
    if not optimistic:
        monkeypatch.setitem(globals(), "OUTCOME", {})
    with imd.Store(count, state={"n": 0}, optimistic=optimistic) as store:
        stream = store.stream()
        with interrupted(0), pytest.raises(KeyboardInterrupt) as caught:
            send(store)
        assert str(caught.value) == INTERRUPTED
        assert [type(error) for error, _ in unraisable] == [KeyboardInterrupt]
        assert store.state == {"n": 0}
        with pytest.raises(imd.TimedOutError):
            stream.next(timeout=0)


def test_a_domain_keeps_its_message():
    # It has no reducer that a signal handler could interrupt.
    with imd.open("counter", state={"value": 2**63 - 1}) as store:
        for send in (store.dispatch, lambda action: store.dispatch_batch([action])):
            with pytest.raises(imd.ReducerFailedError) as caught:
                send("didTapIncrementButton")
            assert "signal" not in caught.value.message


@without_extension
@pytest.mark.parametrize("send", ["rollback", "batch"])
def test_an_interruption_loses_no_action(send, unraisable):
    def reduce(state, action):
        if action["type"] == "skip":
            return state
        if action["type"] == "refuse" and state == []:
            raise ValueError("refused")
        return [*state, action["type"]]

    events = set()
    for position in itertools.count():
        with imd.Store(reduce, state=[], optimistic=True) as store:
            if send == "rollback":
                store.dispatch("a", meta={"optimistic": {"begin": "17"}})
                for action in ("refuse", "b", "skip", "c"):
                    store.dispatch(action)
                outcome = {"type": "o", "meta": {"optimistic": {"fail": "17"}}}
                call, done = functools.partial(store.dispatch, outcome), ["b", "c", "o"]
            else:
                call = functools.partial(store.dispatch_batch, ["a", "skip", "b", "c"])
                done = ["a", "b", "c"]
            before = store.state
            try:
                with interrupted(position) as event:
                    call()
            except KeyboardInterrupt:
                assert store.state.is_identical(before)
            except ValueError:  # The interruption came after it.
                assert send == "rollback"
                assert store.state.is_identical(before)
            else:
                assert store.state == done
            if store.state.is_identical(before):
                call()
                assert store.state == done
            if not event:
                break
            events.update(event)
    assert events >= {"call", "line", "return"}


@pytest.mark.parametrize("send", SENDS)
def test_a_dispatch_of_an_observer_keeps_the_exception(send):
    # The reducer rejects an outcome, which is a change that observers see.
    with imd.Store(count, state={"n": 0}) as other, failing(ValueError("inner")) as inner:

        def reduce(state, action):
            if action["type"] == "refuse":
                raise KeyError("mine")
            return count(state, action)

        def observe(n):
            other.dispatch("add", payload=1)
            with pytest.raises(ValueError, match="inner"):
                send(inner)

        with imd.Store(reduce, state={"n": 0}, optimistic=True) as store:
            store.define("n", "n")
            store.dispatch("add", payload=1, meta={"optimistic": {"begin": "17"}})
            store.observe("n", observe, initial=False)
            with pytest.raises(KeyError, match="mine"):
                store.dispatch("refuse", meta={"optimistic": {"fail": "17"}})
            assert store.state == {"n": 0}
        assert other.state == {"n": 1}
