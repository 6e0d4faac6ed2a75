"""Streams of actions."""

import asyncio
import copy
import gc
import pickle
import select
import signal
import subprocess
import sys
import weakref
from concurrent.futures import ThreadPoolExecutor
from itertools import islice
from threading import Event, Thread

import pytest
from reducers import merge, reduce

import immutabledata as imd


def payloads(stream, count):
    return [stream.next(0).action["payload"] for _ in range(count)]


def test_reading(app):
    with app.stream() as stream:
        before = app.state
        merge(app, a=1)
        app.dispatch_batch([{"type": "merge", "payload": {"a": 2}}, "else"])
        action, old, new = stream.next()
        assert action == {"type": "merge", "payload": {"a": 1}}
        assert old.is_identical(before)
        assert new["a"] == 1
        second = next(stream)
        assert (second.old["a"], second.new["a"]) == (1, 2)
        assert second.old.is_identical(new)
        third = stream.next(timeout=0)
        assert third.action == {"type": "else"}
        assert third.old.is_identical(third.new)
        for timeout in (0, 0.001, 0.15):
            with pytest.raises(imd.TimedOutError) as caught:
                stream.next(timeout)
            assert str(caught.value) == f"no action came within {timeout} s"
    assert stream.closed


@pytest.mark.parametrize("timeout", [None, 5])
def test_a_callback_does_not_wait_for_an_action(app, timeout):
    caught = []
    with app.stream() as stream:

        def read(delivery):
            with pytest.raises(imd.TimedOutError, match="a callback does not wait") as error:
                stream.next(timeout)
            caught.append(error)

        app.define("all", "@")
        app.observe("all", read)
    assert len(caught) == 1


def test_a_domain():
    with imd.open("counter", state={"value": 5}) as counter, counter.stream() as stream:
        counter.dispatch("didTapIncrementButton")
        assert stream.next() == ({"type": "didTapIncrementButton"}, {"value": 5}, {"value": 6})


def test_a_commit(app):
    with app.stream() as stream:
        merge(app, a=1)
        commit = stream.next()
        app.close()
    assert type(commit) is imd.Commit
    assert commit == ({"type": "merge", "payload": {"a": 1}}, commit.old, commit.new)
    assert (commit.old["a"], commit.new["a"]) == (0, 1)
    small = imd.Commit({"type": "x"}, 0, new=1)
    assert repr(small) == "Commit(action={'type': 'x'}, old=0, new=1)"
    assert copy.deepcopy(small) == pickle.loads(pickle.dumps(small)) == small
    assert type(copy.copy(small)) is imd.Commit
    with pytest.raises(AttributeError):
        small.new = 2


def test_types(app):
    stream = app.stream(types=["ui/*", "key"])
    for kind in ("ui/a", "keys", "key", "net/a", "ui/"):
        app.dispatch(kind)
    app.close()
    assert [action["type"] for action, _, _ in stream] == ["ui/a", "key", "ui/"]


def test_a_failed_dispatch_is_not_in_the_stream(app):
    stream = app.stream()
    with pytest.raises(LookupError):
        app.dispatch("fail")
    with pytest.raises(imd.TimedOutError):
        stream.next(0)


def test_overflow(app):
    fails = app.stream(capacity=2)
    drops = app.stream(capacity=2, overflow="dropOldest")
    for number in range(5):
        merge(app, a=number)
    assert payloads(fails, 2) == [{"a": 0}, {"a": 1}]
    for read in (fails.next, lambda: next(fails)):
        with pytest.raises(imd.LimitError, match="more than 2 actions behind"):
            read()
    assert fails.dropped == 0
    assert drops.dropped == 3
    assert payloads(drops, 2) == [{"a": 3}, {"a": 4}]


def test_overflow_of_asynchronous_reading(app):
    async def main():
        seen = []
        with app.stream(capacity=2) as stream:
            for number in range(3):
                merge(app, a=number)
            await read(stream, seen)
        return seen

    async def read(stream, seen):
        with pytest.raises(imd.LimitError):  # noqa: PT012 - which it does at the end
            async for action, _, _ in stream:
                seen.append(action["payload"])

    assert asyncio.run(main()) == [{"a": 0}, {"a": 1}]


def test_block_loses_nothing(app):
    with app.stream(capacity=3, overflow="block") as stream:
        thread = Thread(target=lambda: [merge(app, a=number) for number in range(500)])
        thread.start()
        assert [action["payload"]["a"] for action, _, _ in islice(stream, 500)] == list(range(500))
        thread.join()


@pytest.mark.parametrize("close", [lambda app, _: app.close(), lambda _, stream: stream.close()])
def test_closing_wakes_a_reader(app, close):
    stream = app.stream()
    merge(app, a=1)
    with ThreadPoolExecutor(1) as pool:
        first = Event()
        reading = pool.submit(lambda: sum(first.set() is None for _ in stream))
        assert first.wait(60)
        close(app, stream)
        assert reading.result() == 1
    with pytest.raises(imd.ClosedError):
        stream.next()
    assert list(stream) == []
    stream.close()
    stream.close()
    for call in (stream.fileno, lambda: stream.dropped, lambda: stream.next(0)):
        with pytest.raises(imd.ClosedError):
            call()


def test_waiting_actions_can_be_read_after_closing_the_store(app):
    stream = app.stream()
    merge(app, a=1)
    merge(app, a=2)
    app.close()
    assert [(old["a"], new["a"]) for _, old, new in stream] == [(0, 1), (1, 2)]
    with pytest.raises(imd.ClosedError):
        app.stream()


def test_a_reader_releases_the_gil(app):
    stream = app.stream()
    thread = Thread(target=lambda: merge(app, a=1))
    with ThreadPoolExecutor(1) as pool:
        reading = pool.submit(stream.next)
        thread.start()
        assert reading.result().action["payload"] == {"a": 1}
    thread.join()


def test_signals_interrupt_the_main_thread(app):
    class Woken(Exception):
        pass

    def handler(number, frame):
        raise Woken

    before = signal.signal(signal.SIGALRM, handler)
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.05)
        with app.stream() as stream, pytest.raises(Woken):
            stream.next()
    finally:
        signal.signal(signal.SIGALRM, before)


@pytest.mark.parametrize("name", ["own", "domain"])
def test_signals_interrupt_a_dispatch_that_waits_for_room(name):
    class Woken(Exception):
        pass

    def handler(number, frame):
        raise Woken

    store = (
        imd.open("counter") if name == "domain" else imd.Store(lambda state, action: state + 1, 0)
    )
    action = "didTapIncrementButton"
    before = signal.signal(signal.SIGALRM, handler)
    try:
        with store, store.stream(capacity=1, overflow="block") as stream:
            for dispatch in (store.dispatch, lambda action: store.dispatch_batch([action])):
                store.dispatch(action)
                state = store.state
                signal.setitimer(signal.ITIMER_REAL, 0.01)
                with pytest.raises(Woken):
                    dispatch(action)
                assert store.state == state
                stream.next(timeout=0)
                with pytest.raises(imd.TimedOutError):
                    stream.next(timeout=0)
    finally:
        signal.signal(signal.SIGALRM, before)


@pytest.mark.parametrize("payload", [1, {"n": 2}, [3]])
def test_a_dispatch_that_waited_is_repeated(payload):
    with imd.Store(lambda state, action: [*state, action["payload"]], state=[]) as store:
        with store.stream(capacity=1, overflow="block") as stream:
            store.dispatch("a", payload)
            # Python runs the handler between two waits.
            before = signal.signal(signal.SIGALRM, lambda number, frame: stream.next(timeout=0))
            try:
                signal.setitimer(signal.ITIMER_REAL, 0.01)
                store.dispatch("a", payload)
            finally:
                signal.signal(signal.SIGALRM, before)
            assert stream.next(timeout=0).old == [payload]
        assert store.state == [payload, payload]


def test_the_descriptor_is_readable_while_actions_wait(app):
    def is_readable():
        return select.select([stream], [], [], 0)[0] == [stream]

    with app.stream() as stream:
        assert not is_readable()
        merge(app, a=1)
        assert is_readable()
        stream.next()
        assert not is_readable()
        app.close()
        assert is_readable()


# ---- Invalid use ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "kind", "part"),
    [
        ({"overflow": "wait"}, imd.InvalidArgumentError, "dropOldest"),
        ({"capacity": 0}, imd.InvalidArgumentError, "capacity"),
        ({"capacity": 2**63}, imd.LimitError, ""),
        ({"capacity": 1.5}, TypeError, "capacity must be an int, not float"),
        ({"overflow": 1}, TypeError, "overflow must be a str, not int"),
        ({"types": "ui/*"}, TypeError, "iterable of str"),
        ({"types": [1]}, TypeError, "each of types must be a str, not int"),
        ({"typos": ["a"]}, imd.InvalidArgumentError, '"typos"; did you mean "types"?'),
        ({"size": 1}, imd.InvalidArgumentError, 'one of: "capacity", "flush", "overflow", "types"'),
    ],
)
def test_options(app, options, kind, part):
    with pytest.raises(kind) as caught:
        app.stream(**options)
    assert type(caught.value) is kind
    assert part in str(caught.value)


@pytest.mark.parametrize(
    ("timeout", "kind"),
    [
        ("1", TypeError),
        (True, TypeError),
        (-1, imd.InvalidArgumentError),
        (float("nan"), imd.InvalidArgumentError),
    ],
)
def test_timeouts(app, timeout, kind):
    with app.stream() as stream, pytest.raises(kind):
        stream.next(timeout)


def test_a_long_timeout(app):
    with app.stream() as stream:
        for timeout in (float("inf"), 1e300, 10**6, 10**400):
            merge(app, a=1)
            assert stream.next(timeout).action["payload"] == {"a": 1}


def test_a_reducer_must_not_stream():
    def reduce(state, action):
        return stream.next(0) if action["payload"] == "read" else app.stream()

    with imd.Store(reduce, state={}) as app:
        stream = app.stream()
        for payload in ("read", "stream"):
            with pytest.raises(imd.ReentrantError):
                app.dispatch("go", payload=payload)


# ---- Memory --------------------------------------------------------------------------------------


def test_a_stream_does_not_keep_its_store_alive():
    app = imd.Store(reduce, state={"a": 0})
    reference = weakref.ref(app)
    stream = app.stream()
    merge(app, a=1)
    del app
    assert reference() is None
    assert [action["payload"] for action, _, _ in stream] == [{"a": 1}]


def test_a_deleted_stream_is_closed(app):
    stream = app.stream(capacity=1, overflow="block")
    merge(app, a=1)
    del stream
    gc.collect()
    merge(app, a=2)
    assert app.state["a"] == 2


def test_repr(app):
    stream = app.stream()
    assert repr(stream) == "<immutabledata.Stream open>"
    stream.close()
    assert repr(stream) == "<immutabledata.Stream closed>"


PROGRAM = """
import asyncio, threading
import immutabledata as imd
app = imd.Store(lambda state, action: state + 1, state=0)
app.define("all", "@")
app.observe("all", lambda output: None)
heard = threading.Barrier(3)
@app.listener()
def first(action, old, new):
    heard.wait()
@app.listener()
async def second(action, old, new):
    heard.wait()
threading.Thread(target=lambda: list(app.stream()), daemon=True).start()
app.dispatch("go")
heard.wait()
"""


def test_a_program_that_closes_nothing_exits_silently():
    done = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, timeout=60)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
