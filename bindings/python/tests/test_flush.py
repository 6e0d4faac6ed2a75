"""Waiting until observers and listeners have handled everything, also at the end of a program."""

import asyncio
import signal
import subprocess
import sys
import threading

import pytest
from reducers import count

import immutabledata as imd


def counter():
    return imd.Store(count, state={"n": 0})


def test_flush_waits_for_listeners():
    may_handle = threading.Event()
    handled = []
    with counter() as store:

        @store.listener()
        def save(action, old, new):
            may_handle.wait()
            handled.append((new["n"], store.state["n"]))

        store.dispatch("add", payload=1)
        store.dispatch("add", payload=1)
        with pytest.raises(imd.TimedOutError) as caught:
            store.flush(0.001)
        assert str(caught.value) == (
            "an observer, a queued output or a listener is not done after 0.001 s"
        )
        may_handle.set()
        store.flush()
        assert handled == [(1, 2), (2, 2)]
        with pytest.raises(imd.InvalidArgumentError):
            store.flush(-1)
    with pytest.raises(imd.ClosedError):
        store.flush()


def test_flush_waits_only_for_streams_that_ask_for_it():
    with counter() as store:
        store.stream()
        stream = store.stream(flush=True)
        store.dispatch("add", payload=1)
        with pytest.raises(imd.TimedOutError):
            store.flush(0.001)
        stream.next()
        with pytest.raises(imd.TimedOutError):
            store.flush(0.001)  # The action may still be in use.
        with pytest.raises(imd.TimedOutError):
            stream.next(timeout=0)
        store.flush()
        store.dispatch("add", payload=1)
        stream.close()
        store.flush()


def test_flush_delivers_queued_outputs_on_the_thread_that_polls():
    outputs = []

    def observe(output):
        outputs.append((output, threading.current_thread()))

    with counter() as store:
        store.define("n", "n")
        store.observe("n", observe, when="queued", initial=False)
        store.dispatch("add", payload=1)
        store.flush()
        assert outputs == [(1, threading.main_thread())]

        may_poll, has_polled = threading.Event(), threading.Event()

        def poll():
            store.poll()
            has_polled.set()
            may_poll.wait()
            store.poll()

        poller = threading.Thread(target=poll)
        poller.start()
        has_polled.wait()
        store.dispatch("add", payload=1)
        may_poll.set()
        poller.join()
        store.flush()
        assert outputs[1:] == [(2, poller)]
        store.dispatch("add", payload=1)
        with pytest.raises(imd.TimedOutError):
            store.flush(0.001)
        store.poll()
        store.flush()


def test_callbacks_and_listeners_must_not_flush():
    errors = []
    with counter() as store:
        store.define("n", "n")

        def flush():
            with pytest.raises(imd.ReentrantError) as caught:
                store.flush()
            errors.append(str(caught.value))

        observation = store.observe("n", lambda n: flush())
        observation.cancel()
        listener = store.listener()(lambda action, old, new: flush())
        store.dispatch("add", payload=1)
        store.flush()
        listener.cancel()
    assert errors == [
        "a callback cannot wait until all is handled; flush outside of callbacks",
        "the listener called flush, which waits for its own end",
    ]


def test_with_waits_for_listeners_even_after_an_exception():
    saved = []
    may_handle = threading.Event()
    with pytest.raises(KeyError), counter() as store:

        @store.listener()
        def save(action, old, new):
            may_handle.wait()
            saved.append(store.state["n"])

        store.dispatch("add", payload=1)
        threading.Timer(0, may_handle.set).start()
        raise KeyError
    assert saved == [1]


def test_with_does_not_wait_for_a_poll():
    outputs = []
    with counter() as store:
        store.define("n", "n")
        store.observe("n", outputs.append, when="queued")
        poller = threading.Thread(target=store.poll)
        poller.start()
        poller.join()
        store.listener()(lambda action, old, new: None)
        store.dispatch("add", payload=1)
    assert outputs == [0]


def test_async_with_waits_for_async_listeners():
    saved = []

    async def main():
        async with counter() as store:

            @store.listener()
            async def save(action, old, new):
                await asyncio.sleep(0)
                saved.append(store.state["n"])

            store.dispatch("add", payload=1)
            with pytest.raises(imd.ReentrantError) as caught:
                store.flush()
            assert str(caught.value) == (
                "flush would block the event loop that the listener runs on; write await "
                "asyncio.to_thread(store.flush)"
            )

    asyncio.run(main())
    assert saved == [1]


_PROGRAM = """
import signal, sys, threading
import immutabledata as imd

store = imd.Store(lambda state, action: state + 1, state=0)
ending = threading.Event()

@store.listener()
def save(action, old, new):
    ending.wait()
    if new == 100:
        print("saved", store.state, flush=True)

def end():
    threading.main_thread().join()
    ending.set()

for _ in range(100):
    store.dispatch("add")
threading.Thread(target=end).start()
"""


@pytest.mark.parametrize(
    ("end", "status"),
    [
        ("", 0),
        ("sys.exit(3)", 3),
        ("raise ValueError", 1),
        ("signal.raise_signal(signal.SIGINT)", -signal.SIGINT),
        ("store.close()", 0),
    ],
)
def test_the_end_of_the_program_loses_nothing(end, status):
    program = _PROGRAM + end
    if end == "store.close()":
        program = program.replace("store.state", "new")
    result = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=False
    )
    assert (result.stdout, result.returncode) == ("saved 100\n", status), result.stderr
