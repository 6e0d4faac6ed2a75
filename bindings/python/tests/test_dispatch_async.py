"""Actions that a coroutine awaits."""

from __future__ import annotations

import asyncio
import gc
import weakref
from typing import Any

import immutabledata as imd
import pytest
from memory_logs import MemoryLogs


def reduce(state: int, action: dict[str, Any]) -> int:
    if action["type"] != "added":
        raise ValueError("what is that?")
    return state * 10 + action["payload"]


def run(coroutine: Any) -> Any:
    return asyncio.run(coroutine)


def test_awaits() -> None:
    async def main() -> None:
        with imd.Store(reduce, state=0) as store:
            assert await store.dispatch_async("added", 1) is None
            assert store.state == 1
            await store.dispatch_async({"type": "added", "payload": imd.from_json("2")})
            assert store.state == 12

    run(main())


def test_keeps_the_order() -> None:
    async def main() -> None:
        with imd.Store(lambda state, action: [*state, action["payload"]], state=[]) as store:
            await asyncio.gather(*(store.dispatch_async("added", number) for number in range(200)))
            assert store.state == list(range(200))

    run(main())


def test_errors() -> None:
    async def main() -> None:
        store = imd.Store(reduce, state=0)
        with pytest.raises(imd.ReducerFailedError, match="what is that"):
            await store.dispatch_async("removed")
        with pytest.raises(imd.InvalidArgumentError):
            store.dispatch_async("added", object())
        with pytest.raises(imd.InvalidActionError):
            await store.dispatch_async("@@added")
        store.close()
        with pytest.raises(imd.ClosedError):
            store.dispatch_async("added", 1)

    run(main())
    with imd.Store(reduce, state=0) as store, pytest.raises(RuntimeError, match="event loop"):
        store.dispatch_async("added", 1)
    with imd.open("counter") as counter, pytest.raises(RuntimeError):
        counter.dispatch_async("didTapIncrementButton")


def test_a_listener_lets_a_coroutine_dispatch() -> None:
    async def main() -> None:
        loop = asyncio.get_running_loop()
        done = loop.create_future()
        with imd.Store(reduce, state=0) as store:

            async def go_on() -> None:
                await store.dispatch_async("added", 2)
                done.set_result(None)

            def listen(output: int) -> None:
                if output == 1:
                    asyncio.run_coroutine_threadsafe(go_on(), loop)

            store.define("all", "@")
            store.observe("all", listen)
            await store.dispatch_async("added", 1)
            await done
            assert store.state == 12

    run(main())


def test_a_store_is_kept_until_the_outcome() -> None:
    async def main() -> None:
        seen = []

        def note(state: int, action: Any) -> int:
            seen.append(action["payload"])
            return state + 1

        store = imd.Store(note, state=0)
        kept = weakref.ref(store)
        future = store.dispatch_async("added", 7)
        del store
        gc.collect()
        await future
        assert seen == [7]
        gc.collect()
        assert kept() is None

    run(main())


def test_one_that_is_cancelled_takes_effect() -> None:
    async def main() -> None:
        with imd.Store(reduce, state=0) as store:
            store.dispatch_async("added", 1).cancel()
            await store.dispatch_async("added", 2)
            assert store.state == 12

    run(main())


def test_a_loop_that_has_ended_hears_nothing() -> None:
    store = imd.Store(reduce, state=0)

    async def begin() -> None:
        store.dispatch_async("added", 1)

    run(begin())
    store.settle()
    assert store.state == 1
    store.close()


def test_a_log_that_a_server_keeps() -> None:
    async def main() -> None:
        imd.register_log("memory", MemoryLogs())
        with imd.Store(
            lambda state, action: [*state, action["payload"]], state=[], log="memory://host/async"
        ) as store:
            await asyncio.gather(*(store.dispatch_async("added", number) for number in range(100)))
            assert store.state == list(range(100))

    run(main())
