"""Outputs of a selector for asynchronous code."""

from __future__ import annotations

import contextlib
from collections import deque
from collections.abc import AsyncGenerator, Mapping
from typing import TYPE_CHECKING, Any, Callable

from .._values import JSON, encode_name, using
from ..errors import Error, InvalidArgumentError
from .observation import (
    Observation,
    ObservationMixin,
    checked_comparison,
    checked_filter,
    output_of,
)
from .options import (
    OBSERVE_OPTIONS,
    check_capacity,
    encode_arguments,
    encode_options,
    split_arguments,
)

if TYPE_CHECKING:
    from .option_types import Comparison, Filter

_OPTIONS = "arguments", "capacity", "did_change", "filter"


class _TaskObservation(Observation):
    """An observation that queues the latest outputs for a task, and wakes the task."""

    __slots__ = ("_is_awake", "_loop", "arrived", "outputs")

    def __init__(
        self,
        store: ObservationMixin,
        selector: str,
        capacity: int,
        did_change: Comparison | None,
        filter: Filter | None,
    ) -> None:
        import asyncio

        super().__init__(store, selector, None, did_change=did_change, filter=filter)
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
        did_change: Comparison | None = None,
        filter: str | Filter | None = None,
        arguments: Mapping[str, JSON] | None = None,
        **keywords: JSON,
    ) -> AsyncGenerator[Any, None]:
        """Yields the output of a selector, now and whenever it changes.

            async for total in store.outputs("total"):
                ...

        If several outputs arrive while the task does something else, it gets the latest, or as many
        as the capacity allows. Observation begins with the first step of the generator and ends
        with the iteration, also if the task is cancelled. The iteration ends when the store is
        closed; until then it keeps the store alive. Any thread may dispatch.

        capacity: how many outputs may wait for the task; beyond it, the oldest is skipped.
        did_change, filter: as for observe. The output delivered last is the last that arrived, even
            if the task skipped it.
        keywords, arguments: the arguments of the selector, as for select.

        Raises InvalidArgumentError: an option is unknown or has an invalid value.
        The first step raises what observe does, and later ones the failure of the selector if a
        state has no output.
        """
        name = encode_name(selector, "the name of a selector")
        for option in keywords:
            if option in OBSERVE_OPTIONS:
                raise InvalidArgumentError(f'unknown option "{option}"; it is an option of observe')
        split_arguments(dict(keywords), _OPTIONS)
        check_capacity(capacity)
        comparison = checked_comparison(did_change)
        filter_name, filter_function = checked_filter(filter)

        def begin() -> _TaskObservation:
            return _TaskObservation(self, selector, capacity, comparison, filter_function)

        options = encode_options(filter=filter_name)
        with using(self._default):
            encoded_arguments = encode_arguments(arguments, keywords)
        return self._outputs(name, encoded_arguments, options, begin)

    async def _outputs(
        self,
        name: bytes,
        arguments: tuple[bytes | None, int],
        options: tuple[bytes | None, int],
        begin: Callable[[], _TaskObservation],
    ) -> AsyncGenerator[Any, None]:
        observation = begin()
        self._observe(observation, name, arguments, options)
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
