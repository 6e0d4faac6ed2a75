"""Observation: being told of the output of a selector whenever it changes."""

from __future__ import annotations

import itertools
import weakref
from collections.abc import Mapping
from ctypes import c_int, c_size_t
from types import TracebackType
from typing import Any, Callable, TypeVar, overload

from .. import _ffi
from .._values.json_text import JSON, encode, encode_name
from .._values.value import read
from ..errors import Error, NotFoundError
from .callbacks import Caller
from .options import Names, encode_arguments, encode_options
from .reducer import is_reducing

Callback = Callable[[Any], object]
_AnyCallback = TypeVar("_AnyCallback", bound=Callback)


class Patch(list[dict[str, Any]]):
    """What changed from the output that was told of before: the operations of a JSON Patch.

    apply_patch applies it to plain data, Value.patch to a Value.
    """

    __slots__ = ()

    def to_json(self) -> str:
        """The text of the patch, as Value.to_json gives that of an output."""
        return encode(self, "the patch").decode()


class Observation:
    """A callback that is told of a selector's output; made by Store.observe.

    It goes on until it is cancelled or its store is closed, whether or not it is kept. A context
    manager that cancels itself.
    """

    __slots__ = (
        "__weakref__",
        "_callback",
        "_handle",
        "_is_over",
        "_number",
        "_selector",
        "_skipped",
        "_store",
    )

    def __init__(self, store: Caller, selector: str, callback: Callback | None) -> None:
        self._handle = _ffi.imd_observation_p()
        self._number = next(_numbers)
        self._store = weakref.ref(store)
        self._selector = selector
        self._callback: Callback | None = callback
        self._skipped = 0
        self._is_over = False
        _observations[self._number] = self

    def cancel(self) -> None:
        """Ends it; a second time, and after the store was closed, it does nothing.

        When this returns, the callback neither runs nor will run. Inside a callback, its own or
        another, it does not wait: a run that is under way goes on to its end. Inside a reducer of
        its store it has no effect, and the dispatch fails.
        """
        store = self._store()
        if store is not None and is_reducing(store._reducer_number):
            _ffi.imd_observation_cancel(self._handle)  # The library records the violation.
            return
        self._is_over = True
        _ffi.imd_observation_cancel(self._handle)
        self._end()

    @property
    def cancelled(self) -> bool:
        """Whether it has ended: it was cancelled, or its store was closed."""
        return self._is_over

    @property
    def skipped(self) -> int:
        """How many outputs were not told of so far, as they gave way to later ones."""
        return self._skipped

    def __enter__(self) -> Observation:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.cancel()

    def __repr__(self) -> str:
        state = "cancelled" if self.cancelled else "open"
        return f"<immutabledata.Observation of {self._selector!r} {state}>"

    def _end(self) -> None:
        self._is_over = True
        self._callback = None
        store = self._store()
        if store is not None:
            store._observations.pop(self._number, None)
            store._numbers.pop(self._number, None)

    def _deliver(self, delivery: Any) -> None:
        # Whoever led here holds the store.
        store, callback = self._store(), self._callback
        if store is None or callback is None:
            return
        self._skipped += delivery.skipped
        try:
            callback(output_of(delivery))
        except BaseException as error:
            store._report(error, callback)


def output_of(delivery: Any) -> Any:
    """What an observer is told; raises what the selector failed with."""
    if delivery.kind == _ffi.IMD_DELIVERY_FAILURE:
        failure: Error = _ffi.exception(delivery.error[0])
        raise failure
    output = read(delivery.value)
    if delivery.kind == _ffi.IMD_DELIVERY_PATCH:
        return Patch(output.to_python())
    return output


# By the numbers that the library has of them.
_observations: weakref.WeakValueDictionary[int, Observation] = weakref.WeakValueDictionary()
_numbers = itertools.count(1)


def end_observations(numbers: dict[int, None]) -> None:
    """Ends the observations of a store that was closed."""
    for number in list(numbers):
        observation = _observations.get(number)
        if observation is not None:
            observation._end()


def _tell(context: Any, delivery: Any) -> None:
    observation = _observations.get(context)
    if observation is not None and not observation._is_over:
        observation._deliver(delivery[0])


# The observer of every observation, for good: the library never calls what was freed.
_observer = _ffi.imd_observer(_tell)


class Observable(Caller):
    """The part of a store that has to do with observation."""

    __slots__ = ()

    @overload
    def observe(self, selector: str, callback: Callback, /, **options: Any) -> Observation: ...

    @overload
    def observe(
        self, selector: str, /, **options: Any
    ) -> Callable[[_AnyCallback], _AnyCallback]: ...

    def observe(
        self,
        selector: str,
        callback: Callback | None = None,
        /,
        *,
        initial: bool = True,
        deliver: str = "value",
        when: str = "inline",
        coalesce: bool = False,
        filter: Names = (),
        dependencies: Names = (),
        label: str | None = None,
        capacity: int | None = None,
        overflow: str | None = None,
        budget: int | None = None,
        arguments: Mapping[str, JSON] | None = None,
        **more: JSON,
    ) -> Any:
        """Has a callback be told of the output of a selector, now and whenever it changes.

            store.observe("total", print)

            @store.observe("total", initial=False)
            def show(total): ...

        Without a callback it is a decorator, which leaves the function as it is; observation(show)
        is then the Observation.

        The callback gets the output: a Value, or None, a bool, an int, a float or a str. Callbacks
        are told in the order of the dispatches (a batch is one), and of one dispatch in the order
        in which they began to observe. An action costs nothing for an observation unless it
        changed what the selector reads.

        A callback may use the store. What it dispatches takes effect at once, and is delivered
        after the action before. It may observe, and cancel. Inside it no call waits for another
        thread that delivers. What it raises goes to on_error, as does
        what the selector fails with if a state has no output.

        initial: True: the current output is told of first. False: changes alone.
        deliver: "value": the output. "patch": the output the first time, then a Patch from the
            output that was told of before.
        when: "inline": before the dispatch returns, on its thread or on that of a dispatch under
            way at the same time. "queued": in poll.
        coalesce: True: only the latest output, for the state at the time of the delivery.
        filter: patterns of action types that cannot concern it: ["mouse*"], "*" for any text.
        dependencies: names of selectors; the output is computed only if one of theirs changed.
        capacity: how many outputs wait for a poll at most (default 1024); beyond it
        overflow: "dropOldest" (default): the oldest gives way. "coalesce": all that wait do.
        label: what messages call it.
        budget: the units of work that evaluating an expression may take, each time, in place of
            the store's. Beyond it this call raises LimitError; after a dispatch, on_error gets it.
            The current output takes none of it if it is cached.
        arguments, more: the arguments of the selector, by keyword; in a Mapping those that have
            the name of an option.

        Raises what select does for the current state, also with initial=False: the current output
        is needed to find what changes.
        Raises InvalidArgumentError: an option of a value that it cannot have.
        """
        name = encode_name(selector, "the name of a selector")
        given = encode_arguments(arguments, more)
        options = encode_options(
            initial=initial,
            deliver=deliver,
            when=when,
            coalesce=coalesce,
            filter=filter,
            dependencies=dependencies,
            label=label,
            capacity=capacity,
            overflow=overflow,
            budget=budget,
        )

        def begin(callback: Callback) -> Observation:
            if not callable(callback):
                raise TypeError(
                    "a callback is called with the output of a selector; "
                    f"{type(callback).__name__} cannot be called"
                )
            observation = Observation(self, selector, callback)
            self._observe(observation, name, given, options)
            return observation

        def decorate(callback: _AnyCallback) -> _AnyCallback:
            begin(callback)
            return callback

        return decorate if callback is None else begin(callback)

    def observation(self, callback: Callback, /) -> Observation:
        """The Observation of a callback: of several the one that began last.

        Raises NotFoundError: the callback observes nothing of this store, or not any more.
        """
        for observation in reversed(list(self._observations.values())):
            if observation._callback == callback:
                return observation
        raise NotFoundError(f"{callback!r} observes nothing of this store")

    def poll(self) -> int:
        """Tells observers with when="queued" of what waits for them, on the calling thread.

        What comes in meanwhile is left for the next call. Returns how often a callback was told: 0
        inside such a callback, and while another thread polls this store.

        Raises ClosedError: the store was closed.
        """
        delivered = c_size_t()
        _ffi.imd_store_poll(self._open_handle(), delivered, _ffi.imd_error())
        return delivered.value

    def fileno(self) -> int:
        """A file descriptor that is readable while something waits for poll.

        So select.select([store], [], []) waits for that, and an event loop polls by itself after
        loop.add_reader(store, store.poll). It is closed with the store: stop watching it before.
        It is not to be read or closed.

        Raises LimitError: the process has no descriptors left.
        Raises ClosedError: the store was closed.
        """
        out = c_int()
        _ffi.imd_store_fd(self._open_handle(), out, _ffi.imd_error())
        return out.value

    def _observe(
        self,
        observation: Observation,
        selector: bytes,
        arguments: tuple[bytes | None, int],
        options: tuple[bytes | None, int],
    ) -> None:
        store = self._open_handle()
        # Before the first call of the callback, which may be before the function returns.
        self._observations[observation._number] = observation
        self._numbers[observation._number] = None
        try:
            _ffi.imd_store_observe(
                store,
                selector,
                *arguments,
                *options,
                _observer,
                observation._number,
                _ffi.imd_release(),
                observation._handle,
                _ffi.imd_error(),
            )
        except BaseException:
            observation._end()
            raise
