"""Asynchronous iteration over streams."""

import asyncio
import gc
import os
from threading import Thread

import pytest
from reducers import merge


def test_asynchronous_reading(app):
    async def main():
        seen = []
        with app.stream() as stream:
            merge(app, a=1)
            async for action, old, new in stream:
                seen.append((action["payload"]["a"], old["a"], new["a"]))
                if len(seen) == 3:
                    return seen
                asyncio.get_running_loop().call_soon(lambda: merge(app, a=len(seen) + 1))

    assert asyncio.run(main()) == [(1, 0, 1), (2, 1, 2), (3, 2, 3)]


def test_asynchronous_reading_while_another_thread_dispatches(app):
    async def main():
        stream = app.stream(capacity=16, overflow="block")
        thread = Thread(target=lambda: [merge(app, a=n) for n in range(500)] and app.close())
        thread.start()
        seen = [action["payload"]["a"] async for action, _, _ in stream]
        thread.join()
        return seen

    assert asyncio.run(main()) == list(range(500))


@pytest.mark.parametrize("which", ["app", "stream"])
@pytest.mark.parametrize("in_thread", [True, False])
def test_closing_wakes_an_asynchronous_reader(app, which, in_thread):
    async def main():
        arrived = asyncio.Event()
        stream = app.stream()
        waiting = asyncio.ensure_future(collect(stream, arrived))
        merge(app, a=1)
        await arrived.wait()
        closes = {"app": app, "stream": stream}[which].close
        if in_thread:
            thread = Thread(target=closes)
            thread.start()
            thread.join()
        else:
            closes()
        await waiting
        assert [_ async for _ in stream] == []

    async def collect(stream, arrived):
        async for element in stream:
            seen.append(element)
            arrived.set()

    seen = []
    asyncio.run(main())
    assert len(seen) == 1


def test_closing_the_loop_of_a_reader_leaves_nothing(app, monkeypatch):
    def dup(descriptor):
        copies.append(os_dup(descriptor))
        return copies[-1]

    async def read():
        async for _ in app.stream():
            pass

    copies, os_dup = [], os.dup
    monkeypatch.setattr(os, "dup", dup)
    loop = asyncio.new_event_loop()
    task = loop.create_task(read())
    task._log_destroy_pending = False
    while not copies:
        loop.run_until_complete(asyncio.sleep(0))
    (descriptor,) = copies
    os.fstat(descriptor)
    loop.close()
    del loop, task
    gc.collect()
    with pytest.raises(OSError, match="Bad file descriptor"):
        os.fstat(descriptor)


def test_cancelling_a_reader_leaves_nothing(app):
    async def main():
        loop, is_waiting = asyncio.get_running_loop(), asyncio.Event()
        loop.add_reader = watch(loop.add_reader, 1, is_waiting)
        loop.remove_reader = watch(loop.remove_reader, -1, is_waiting)
        stream = app.stream()
        task = asyncio.ensure_future(read(stream))
        await is_waiting.wait()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert sum(watched.values()) == 0
        (descriptor,) = watched
        with pytest.raises(OSError, match="Bad file descriptor"):
            os.fstat(descriptor)
        merge(app, a=1)
        async for commit in stream:
            return commit.action["payload"]

    async def read(stream):
        async for _ in stream:
            pass

    def watch(function, by, is_waiting):
        def call(descriptor, *arguments):
            watched[descriptor] = watched.get(descriptor, 0) + by
            is_waiting.set()
            return function(descriptor, *arguments)

        return call

    watched = {}
    assert asyncio.run(main()) == {"a": 1}
