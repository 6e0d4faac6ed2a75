"""Outputs of a selector for asynchronous code."""

from __future__ import annotations

import contextlib
import weakref
from collections import deque
from collections.abc import AsyncIterator, Mapping
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

    __slots__ = ("_arrived", "_is_awake", "_loop", "_outputs")

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
        self._arrived = asyncio.Event()
        self._outputs: deque[tuple[Any, Error | None]] = deque(maxlen=capacity)

    def _deliver(self, delivery: Any) -> None:
        if len(self._outputs) == self._outputs.maxlen:
            self._skipped += 1
        try:
            self._outputs.append((output_of(delivery, self._store()), None))
        except Error as error:
            self._outputs.append((None, error))
        self._wake()

    def _end(self) -> None:
        super()._end()
        self._wake()

    def _wake(self) -> None:
        if not self._is_awake:
            self._is_awake = True
            with contextlib.suppress(RuntimeError):  # The loop is closed, so the task is gone.
                self._loop.call_soon_threadsafe(self._arrived.set)

    async def next(self) -> Any:
        """Waits for the next output. Raises StopAsyncIteration: it was cancelled."""
        while not self._outputs:
            if self.cancelled:
                raise StopAsyncIteration
            await self._arrived.wait()
            # Before reading the queue: later outputs must wake the task again.
            self._is_awake = False
            self._arrived.clear()
        output, error = self._outputs.popleft()
        if error is not None:
            raise error
        return output


class Outputs(AsyncIterator[Any]):
    """The outputs of a selector, for "async for" and anext; made by Store.outputs."""

    __slots__ = ("__weakref__", "_begin", "_end", "_observation")

    def __init__(self, begin: Callable[[], _TaskObservation]) -> None:
        # Keeps the store alive, as long as there may be another output.
        self._begin: Callable[[], _TaskObservation] | None = begin
        self._observation: _TaskObservation | None = None
        self._end: weakref.finalize[..., Any] | None = None

    async def __anext__(self) -> Any:
        try:
            if self._begin is None:
                raise StopAsyncIteration
            if self._observation is None:
                self._observation = self._begin()
                self._end = weakref.finalize(self, Observation.cancel, self._observation)
                self._end.atexit = False
            return await self._observation.next()
        except Exception:
            self._close()
            raise
        finally:
            # The traceback of a task that was cancelled must not keep the observation.
            del self

    async def aclose(self) -> None:
        """Ends the observation and the iteration. May be called twice."""
        self._close()

    def _close(self) -> None:
        self._begin = None
        if self._end is not None:
            self._end()


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
    ) -> Outputs:
        """Iterates over the outputs of a selector: the present one, and those after each change.

            async for total in store.outputs("total"):
                ...

        If several outputs arrive while the task does something else, it gets the latest, or as many
        as the capacity allows. Observation begins with the first step, and ends when the iterator is
        closed or deleted. The iteration ends when the store is closed; until then it keeps the
        store alive. Any thread may dispatch.

        A step that is cancelled, for example by asyncio.wait_for, loses nothing: the next one goes
        on from there.

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

        options = encode_options(filter=filter_name)
        with using(self._default):
            encoded_arguments = encode_arguments(arguments, keywords)

        def begin() -> _TaskObservation:
            observation = _TaskObservation(self, selector, capacity, comparison, filter_function)
            self._observe(observation, name, encoded_arguments, options)
            return observation

        return Outputs(begin)
