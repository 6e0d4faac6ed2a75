"""Outputs of a selector for asynchronous code."""

from __future__ import annotations

import asyncio
import contextlib
from collections import deque
from collections.abc import AsyncGenerator, Mapping
from typing import Any, NoReturn

from .._values import JSON, encode_name
from ..errors import Error
from .observation import ARGUMENTS_HINT, Observation, ObservationMixin, output_of
from .options import check_capacity, encode_arguments, encode_options, require_known


class _TaskObservation(Observation):
    """An observation that queues the latest outputs for a task, and wakes the task."""

    __slots__ = ("_is_awake", "_loop", "arrived", "outputs")

    def __init__(self, store: ObservationMixin, selector: str, capacity: int) -> None:
        super().__init__(store, selector, None)
        self._loop = asyncio.get_running_loop()
        # Whether the task is already awake, or about to be.
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
            with contextlib.suppress(RuntimeError):  # The loop is closed, so the task is gone.
                self._loop.call_soon_threadsafe(self.arrived.set)

    def sleep(self) -> None:
        self._is_awake = False
        self.arrived.clear()


class OutputsMixin(ObservationMixin):
    """Observation by asynchronous iteration."""

    __slots__ = ()

    def outputs(
        self,
        selector: str,
        /,
        *,
        capacity: int = 1,
        arguments: Mapping[str, JSON] | None = None,
        **unknown: NoReturn,
    ) -> AsyncGenerator[Any, None]:
        """Yields the output of a selector, now and whenever it changes.

            async for total in store.outputs("total"):
                ...

        If several outputs arrive while the task does something else, it gets the latest, or as many
        as the capacity allows. Observation begins with the first step of the generator and ends
        with the iteration, also if the task is cancelled. The iteration ends when the store is
        closed; until then it keeps the store alive. Any thread may dispatch.

        capacity: how many outputs may wait for the task; beyond it, the oldest is skipped.
        arguments: the arguments of the selector, by name.

        Raises InvalidArgumentError: an option is unknown or has an invalid value.
        The first step raises what observe does, and later ones the failure of the selector if a
        state has no output.
        """
        name = encode_name(selector, "the name of a selector")
        require_known(unknown, ("arguments", "capacity"), ARGUMENTS_HINT)
        encoded_arguments = encode_arguments(arguments)
        return self._outputs(selector, name, encoded_arguments, check_capacity(capacity))

    async def _outputs(
        self,
        selector: str,
        name: bytes,
        encoded_arguments: tuple[bytes | None, int],
        capacity: int,
    ) -> AsyncGenerator[Any, None]:
        observation = _TaskObservation(self, selector, capacity)
        self._observe(observation, name, encoded_arguments, encode_options())
        with observation:
            while True:
                await observation.arrived.wait()
                # Before reading the queue: later outputs must wake the task again.
                observation.sleep()
                while observation.outputs:
                    output, error = observation.outputs.popleft()
                    if error is not None:
                        raise error
                    yield output
                if observation.cancelled:
                    return
