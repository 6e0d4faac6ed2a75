"""Asynchronous listeners, on the running event loop and on their own."""

import asyncio
import gc
import threading
import weakref

import pytest
from listening import finish
from reducers import merge, reduce

import immutabledata as imd


def test_without_a_running_loop(app):
    seen = []

    @app.listener()
    async def log(action, old, new):
        seen.append(("begin", action["payload"]["a"]))
        await asyncio.sleep(0)
        assert threading.current_thread() is log._thread
        seen.append(("end", action["payload"]["a"]))

    for number in range(50):
        merge(app, a=number)
    app.close()
    finish(log)
    assert seen == [(what, number) for number in range(50) for what in ("begin", "end")]


def test_on_the_running_loop(app):
    async def main():
        thread, seen, done = threading.current_thread(), [], asyncio.Event()

        @app.listener("go")
        async def log(action, old, new):
            assert threading.current_thread() is thread
            await asyncio.sleep(0)
            seen.append(action["payload"]["a"])
            if len(seen) == 3:
                done.set()

        for number in range(3):
            app.dispatch("go", payload={"a": number})
        await done.wait()
        app.close()
        await log._task
        assert log.cancelled
        return seen

    assert asyncio.run(main()) == [0, 1, 2]
    assert app._listeners == set()


def test_a_listener_ends_with_its_loop(app):
    async def main():
        begun = asyncio.Event()

        @app.listener()
        async def log(action, old, new):
            begun.set()
            await asyncio.Event().wait()

        merge(app, a=1)
        await begun.wait()
        return log

    log = asyncio.run(main())
    assert log.cancelled
    assert app._listeners == set()
    merge(app, a=2)


def test_a_listener_ends_with_a_loop_that_never_ran_it(app):
    async def main():
        return app.listener()(wait_forever)

    log = asyncio.run(main())
    assert log.cancelled
    assert log.join()
    assert app._listeners == set()


async def wait_forever(action, old, new):
    await asyncio.Event().wait()


def test_join_on_the_running_loop(app):
    seen = []

    async def main():
        @app.listener()
        async def log(action, old, new):
            await asyncio.sleep(0)
            seen.append(action["payload"]["a"])

        for number in range(100):
            merge(app, a=number)
        app.close()
        message = r"write await asyncio.to_thread\(listener.join\)$"
        with pytest.raises(imd.ReentrantError, match=message):
            log.join()
        assert await asyncio.to_thread(log.join)
        assert seen == list(range(100))
        assert log.join()

    asyncio.run(main())


def test_a_listener_of_a_loop_does_not_keep_its_store_alive():
    async def main():
        app = imd.Store(reduce, state={"a": 0})
        returned = asyncio.Event()

        @app.listener()
        async def act(action, old, new):
            assert app.state == new
            asyncio.current_task().add_done_callback(lambda task: returned.set())

        merge(app, a=1)
        await returned.wait()
        return weakref.ref(app), act._task

    async def follow():
        app, task = await main()
        gc.collect()
        assert app() is None
        await task

    asyncio.run(follow())
