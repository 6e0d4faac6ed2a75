"""Async functions of effects, and settle on their event loops."""

import asyncio
import gc
import queue
import threading

import pytest
from effects import ask, ask_for_payload, log, outcomes

import immutabledata as imd


def test_an_async_function_on_the_running_loop(asking):
    loops = []

    async def main():
        started, fire = asyncio.Event(), asyncio.Event()

        async def timer(arguments):
            loops.append(asyncio.get_running_loop())
            started.set()
            await fire.wait()
            return arguments

        asking.set_effect("timer", timer)
        ask(asking, "timer", arguments=5)
        await started.wait()
        fire.set()
        await asyncio.get_running_loop().run_in_executor(None, asking.settle, 60)
        return asyncio.get_running_loop()

    assert asyncio.run(main()) is loops[0]
    assert outcomes(asking) == [("done", 5)]
    # The loop is closed.
    ask(asking, "timer")
    asking.settle(10)
    reason = (
        'the event loop of the effect "timer" has ended; set its function again, on the loop that '
        "is running"
    )
    assert outcomes(asking)[1] == ("failed", {"reason": reason})


def test_an_async_function_without_a_loop(asking):
    async def double(arguments):
        await asyncio.sleep(0)
        return arguments * 2

    asking.set_effect("double", double)
    ask(asking, "double", arguments=21)
    asking.settle(10)
    assert outcomes(asking) == [("done", 42)]


def endless_effect():
    """Returns a coroutine function that waits, and the events of its start and its cancellation."""
    started, cancelled = threading.Event(), threading.Event()

    async def wait(arguments):
        started.set()
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            cancelled.set()
            raise

    return wait, started, cancelled


def test_close_cancels_coroutines(asking):
    wait, started, cancelled = endless_effect()
    asking.set_effect("wait", wait)
    ask(asking, "wait")
    assert started.wait(60)
    asking.close()
    assert cancelled.wait(60)


def test_a_deleted_store_cancels_coroutines():
    wait, started, cancelled = endless_effect()
    store = imd.Store(log, state=[])
    store.set_effect("wait", wait)
    store.set_rule(ask_for_payload)
    ask(store, "wait")
    assert started.wait(60)
    del store
    gc.collect()
    assert cancelled.wait(60)


def test_settle_on_the_loop_of_an_effect(asking):
    async def main():
        asking.set_effect("timer", asyncio.sleep)
        ask(asking, "timer", arguments=0)
        for timeout in None, 10:
            with pytest.raises(imd.ReentrantError) as caught:
                asking.settle(timeout)
            assert str(caught.value) == (
                'settle would block the event loop that the effect "timer" runs on; write await '
                "asyncio.to_thread(store.settle)"
            )
        await asyncio.to_thread(asking.settle, 60)
        assert outcomes(asking) == [("done", None)]
        asking.set_effect("timer", lambda arguments: 1)
        ask(asking, "timer")
        asking.settle(10)

    asyncio.run(main())
    assert outcomes(asking)[1] == ("done", 1)


def test_settle_on_the_loop_of_a_coroutine_whose_function_was_replaced(asking):
    async def main():
        started, end = asyncio.Event(), asyncio.Event()

        async def wait(arguments):
            started.set()
            await end.wait()

        asking.set_effect("wait", wait)
        ask(asking, "wait")
        await started.wait()
        asking.set_effect("wait", None)
        with pytest.raises(imd.ReentrantError, match='the effect "wait" runs on'):
            asking.settle()
        end.set()
        await asyncio.to_thread(asking.settle, 60)

    asyncio.run(main())


@pytest.mark.parametrize("is_async", [False, True])
def test_settle_in_the_function_of_an_effect(asking, is_async):
    caught = queue.Queue()

    def settle(arguments):
        with imd.Store(log, state=[]) as another:
            another.settle()  # It does not wait for this effect.
        try:
            asking.settle()
        except imd.ReentrantError as error:
            caught.put(str(error))

    async def settle_async(arguments):
        settle(arguments)
        await asyncio.to_thread(settle, arguments)

    asking.set_effect("e", settle_async if is_async else settle)
    ask(asking, "e")
    asking.settle(60)
    assert [caught.get_nowait() for _ in range(1 + is_async)] == [
        'the function of the effect "e" called settle, which waits for the end of this effect'
    ] * (1 + is_async)
    assert outcomes(asking) == [("done", None)]


def test_a_task_that_outlives_its_effect_may_settle(asking):
    async def main():
        tasks = []

        async def settle():
            await asyncio.to_thread(asking.settle, 60)
            return "settled"

        async def start(arguments):
            tasks.append(asyncio.ensure_future(wait()))

        async def wait():
            await ended.wait()
            return await settle()

        ended = asyncio.Event()
        asking.set_effect("start", start)
        ask(asking, "start")
        await settle()
        ended.set()
        assert await tasks[0] == "settled"

    asyncio.run(main())
