"""Outputs of a selector for asynchronous code."""

from __future__ import annotations

import asyncio
import contextlib
from collections import deque
from collections.abc import AsyncGenerator, Mapping
from typing import Any

from .._values.json_text import JSON, encode_name
from ..errors import Error
from .callbacks import Caller
from .observation import Observable, Observation, output_of
from .options import check_capacity, encode_arguments, encode_options


class _Waiting(Observation):
    """An observation that keeps the latest outputs for a task, which it wakes."""

    __slots__ = ("_is_awake", "_loop", "arrived", "outputs")

    def __init__(self, store: Caller, selector: str, capacity: int) -> None:
        super().__init__(store, selector, None)
        self._loop = asyncio.get_running_loop()
        # Whether the task was told already that it will find something.
        self._is_awake = False
        self.arrived = asyncio.Event()
        self.outputs: deque[tuple[Any, Error | None]] = deque(maxlen=capacity)

    def _deliver(self, delivery: Any) -> None:
        if len(self.outputs) == self.outputs.maxlen:
            self._skipped += 1
        try:
            self.outputs.append((output_of(delivery), None))
        except Error as error:
            self.outputs.append((None, error))
        self._wake()

    def _end(self) -> None:
        super()._end()
        self._wake()

    def _wake(self) -> None:
        if not self._is_awake:
            self._is_awake = True
            with contextlib.suppress(RuntimeError):  # The loop is closed, and its tasks are gone.
                self._loop.call_soon_threadsafe(self.arrived.set)

    def sleep(self) -> None:
        self._is_awake = False
        self.arrived.clear()


class Observed(Observable):
    """Observation by callbacks, and by asynchronous iteration."""

    __slots__ = ()

    async def outputs(
        self,
        selector: str,
        /,
        *,
        capacity: int = 1,
        arguments: Mapping[str, JSON] | None = None,
        **more: JSON,
    ) -> AsyncGenerator[Any, None]:
        """The output of a selector, now and whenever it changes, for asynchronous code.

            async for total in store.outputs("total"):
                ...

        The latest wins: of the outputs that came while the task did something else it gets the
        last one, or as many as the capacity says. It is a generator: observation begins with the
        first step, and ends with the iteration, also if the task is cancelled. The iteration ends
        when the store is closed; until then it keeps the store. The actions may be dispatched by
        any thread.

        Raises what observe does, and what the selector fails with if a state has no output.
        """
        name = encode_name(selector, "the name of a selector")
        given = encode_arguments(arguments, more)
        waiting = _Waiting(self, selector, check_capacity(capacity))
        self._observe(waiting, name, given, encode_options())
        with waiting:
            while True:
                await waiting.arrived.wait()
                # First, as what comes from here on has to wake the task again.
                waiting.sleep()
                while waiting.outputs:
                    output, error = waiting.outputs.popleft()
                    if error is not None:
                        raise error
                    yield output
                if waiting.cancelled:
                    return
