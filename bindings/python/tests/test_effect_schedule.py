"""Effects that wait, are cancelled, and run on a clock that the program moves."""

from __future__ import annotations

import asyncio
import threading
from typing import Any

import pytest

import immutabledata as imd


@imd.drafting
def reduce(draft: Any, action: Any) -> None:
    draft["types"].append(action["type"])


def make_store(**options: Any) -> imd.Store[Any, Any]:
    store: imd.Store[Any, Any] = imd.Store(reduce, {"types": []}, **options)

    @store.set_rule
    def ask(action: Any, old: Any, new: Any) -> Any:
        return action["payload"] if action["type"] == "ask" else None

    return store


def work(arguments: Any = None, **members: Any) -> list[dict[str, Any]]:
    effect = {"effect": "work", "arguments": arguments, "success": "done", "cancelled": "stopped"}
    return [effect | members]


def types(store: imd.Store[Any, Any]) -> list[str]:
    return [kind for kind in store.state["types"].to_python() if kind != "ask"]


def test_functions_run_where_the_clock_is_moved() -> None:
    calls: list[tuple[Any, threading.Thread]] = []
    with make_store(clock="manual") as store:
        store.set_effect("work", lambda text: calls.append((text, threading.current_thread())))
        for text in ("a", "ab"):
            store.dispatch("ask", work(text, key="search", delay=300))
        store.advance(299)
        assert calls == [] and types(store) == ["stopped"]
        store.advance(1)
        assert calls == [("ab", threading.current_thread())]
        assert types(store) == ["stopped", "done"]
        assert store.statistics()["cancelledEffects"] == 1


def test_outcomes_wait_to_be_received() -> None:
    with make_store(clock="stepped") as store:
        store.set_effect("work", lambda text: text)
        store.dispatch("ask", work(1) + work(2))
        store.advance()
        assert types(store) == []
        assert [store.receive(), store.receive(), store.receive()] == [2, 1, 0]
        assert types(store) == ["done", "done"]


def test_wrong_calls_of_the_clock() -> None:
    with make_store() as store:
        with pytest.raises(imd.InvalidArgumentError, match="clock of the system"):
            store.advance(1)
        with pytest.raises(imd.InvalidArgumentError, match='"clock":"stepped"|clock of the system'):
            store.receive()
    with make_store(clock="manual") as store:
        with pytest.raises(TypeError, match="milliseconds must be an int"):
            store.advance(1.5)  # type: ignore[arg-type]
        with pytest.raises(imd.InvalidArgumentError, match="must not be negative"):
            store.advance(-1)
        with pytest.raises(imd.InvalidArgumentError, match="less than 2"):
            store.advance(2**31)
        errors: list[BaseException] = []

        @store.set_effect("work")
        def move(arguments: Any) -> None:
            with pytest.raises(imd.ReentrantError, match="called advance") as raised:
                store.advance(1)
            errors.append(raised.value)

        store.dispatch("ask", work())
        store.advance()
        assert len(errors) == 1
    with pytest.raises(imd.InvalidArgumentError, match="options/clock"):
        make_store(clock="moved")


def test_a_coroutine_is_cancelled() -> None:
    async def main() -> None:
        events: list[str] = []
        started = asyncio.Event()
        ended = asyncio.Event()
        with make_store() as store:

            @store.set_effect("work")
            async def wait(arguments: Any) -> None:
                started.set()
                try:
                    await asyncio.Event().wait()
                except asyncio.CancelledError:
                    events.append("cancelled")
                    raise
                finally:
                    ended.set()

            await store.dispatch_async("ask", work(key="a"))
            await started.wait()
            await store.dispatch_async("ask", [{"cancel": "a"}])
            await ended.wait()
            await asyncio.to_thread(store.settle)
            assert events == ["cancelled"]
            assert types(store) == ["stopped"]

    asyncio.run(main())


def test_a_function_asks_whether_it_was_cancelled() -> None:
    began, go_on = threading.Event(), threading.Event()
    answers: list[bool] = []
    ended = threading.Event()
    with make_store() as store:

        @store.set_effect("work")
        def wait(arguments: Any) -> str:
            answers.append(imd.cancelled())
            began.set()
            go_on.wait()
            answers.append(imd.cancelled())
            ended.set()
            return "late"

        store.dispatch("ask", work(key="a"))
        began.wait()
        store.dispatch("ask", [{"cancel": "a"}])
        store.settle()
        go_on.set()
        ended.wait()
        assert answers == [False, True]
        assert types(store) == ["stopped"]
    with pytest.raises(RuntimeError, match="outside of the function of an effect"):
        imd.cancelled()


def test_a_late_result_is_counted() -> None:
    began, go_on = threading.Event(), threading.Event()
    with make_store() as store:

        @store.set_effect("work")
        def wait(arguments: Any) -> None:
            began.set()
            go_on.wait()

        store.dispatch("ask", work(key="a"))
        began.wait()
        store.dispatch("ask", [{"cancel": "a"}])
        thread = next(t for t in threading.enumerate() if t.name == "effect work")
        go_on.set()
        thread.join()
        assert store.statistics()["lateOutcomes"] == 1


def test_a_retried_function_raises_until_it_succeeds() -> None:
    attempts: list[int] = []
    with make_store(clock="manual") as store:

        @store.set_effect("work")
        def fail_twice(arguments: Any) -> str:
            attempts.append(1)
            if len(attempts) < 3:
                raise OSError("unreachable")
            return "reached"

        store.dispatch("ask", work(retry={"times": 2, "delay": 100, "factor": 2}))
        store.advance(100)
        assert len(attempts) == 2
        store.advance(200)
        assert types(store) == ["done"]


def test_an_interrupted_function_interrupts_the_call_that_runs_it() -> None:
    with make_store(clock="manual") as store:

        @store.set_effect("work")
        def interrupt(arguments: Any) -> None:
            raise KeyboardInterrupt("pressed")

        store.on_error = lambda error, function: None
        store.dispatch("ask", work() + work())
        with pytest.raises(KeyboardInterrupt, match="pressed"):
            store.advance()
        store.advance()
        assert store.statistics()["failedEffects"] == 2
