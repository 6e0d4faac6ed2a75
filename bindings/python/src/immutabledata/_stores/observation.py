"""Observation: callbacks that are called whenever the output of a selector changes."""

from __future__ import annotations

import itertools
import os
import weakref
from collections.abc import Iterable, Mapping, Sequence
from ctypes import c_int, c_size_t
from typing import TYPE_CHECKING, Any, Callable, Literal, TypeVar, overload

from .. import _ffi
from .._values import (
    JSON,
    Patch,
    encode_name,
    quoted,
    read,
    refuse_coroutine,
    require_function,
    using,
)
from ..errors import Error, NotFoundError
from .base import StoreBase
from .interrupting import keep_interruption, raising_interruptions
from .options import (
    OBSERVE_OPTIONS,
    encode_arguments,
    encode_options,
    split_arguments,
)
from .reducer import call_outside_reducer, is_interrupting, is_reducing
from .selectors import is_selecting, raised_by_selector, with_cause
from .thread_state import PURE, entry, local

if TYPE_CHECKING:
    from .option_types import Comparison, Filter

_ASYNC_OBSERVER = 'to await outputs, write "async for" with store.outputs'
_ASYNC_PREDICATE = "use a plain function that returns a bool"

Observer = Callable[[Any], object]
_AnyObserver = TypeVar("_AnyObserver", bound=Observer)

# None is a mistake, such as print() for print.
_ABSENT: Any = object()


class Observation:
    """A callback that observes the output of a selector; made by Store.observe.

    It lasts until it is cancelled or its store is closed, even if the program keeps no reference to
    it. As a context manager it cancels itself.
    """

    __slots__ = (
        "__weakref__",
        "_callback",
        "_dependency_changes",
        "_did_change",
        "_filter",
        "_handle",
        "_is_cancelled",
        "_is_queued",
        "_label",
        "_number",
        "_process",
        "_selector",
        "_skipped",
        "_store",
    )

    def __init__(
        self,
        store: ObservationMixin,
        selector: str,
        callback: Observer | None,
        label: str | None = None,
        did_change: Comparison | None = None,
        filter: Filter | None = None,
        dependency_changes: Sequence[Comparison | None] | None = None,
    ) -> None:
        self._handle = _ffi.imd_observation_p()
        self._number = next(_numbers)
        self._store = weakref.ref(store)
        self._selector = selector
        self._label = label
        self._callback: Observer | None = callback
        self._did_change = did_change
        self._filter = filter
        # The comparisons of the dependencies, in their order; None if there is none.
        self._dependency_changes = dependency_changes
        self._skipped = 0
        self._is_cancelled = False
        self._is_queued = False
        self._process = os.getpid()
        _observations[self._number] = self

    def cancel(self) -> None:
        """Ends the observation; does nothing if it has ended.

        When this returns, the callback is not running and will not be called again. Inside a
        callback, its own or another, this does not wait: a call that is running finishes. Inside a
        reducer of the store this has no effect, and the dispatch fails.
        """
        store = self._store()
        number = None if store is None else store._reducer_number
        if store is not None and (is_reducing(number) or is_selecting(store)):
            if not is_interrupting():
                _ffi.imd_observation_cancel(self._handle)  # The library records the violation.
                return
        self._is_cancelled = True
        call_outside_reducer(number, _ffi.imd_observation_cancel, self._handle)
        self._end()

    @property
    def cancelled(self) -> bool:
        """Whether the observation was cancelled or its store was closed.

        In the child of a fork, the observations of the parent are cancelled.
        """
        return self._is_cancelled or self._process != os.getpid()

    @property
    def skipped(self) -> int:
        """How many outputs were not delivered so far because newer ones replaced them."""
        return self._skipped

    def __enter__(self) -> Observation:
        return self

    def __exit__(self, *exception: object) -> None:
        self.cancel()

    def __repr__(self) -> str:
        state = "cancelled" if self.cancelled else "open"
        return f"<immutabledata.Observation of {self._selector!r} {state}>"

    def _end(self) -> None:
        self._is_cancelled = True
        self._callback = self._did_change = self._filter = self._dependency_changes = None
        store = self._store()
        if store is not None:
            store._observations.pop(self._number, None)
            store._numbers.pop(self._number, None)

    def _deliver(self, delivery: Any) -> None:
        # The call into the library, such as a dispatch, keeps the store alive.
        store, callback = self._store(), self._callback
        if store is None or callback is None:
            return
        self._skipped += delivery.skipped
        try:
            result = callback(output_of(delivery, store))
            if result is not None:
                refuse_coroutine(result, self._role("observer"), _ASYNC_OBSERVER)
        except BaseException as error:
            cause = error.__cause__
            if isinstance(error, Error) and cause is not None:
                # The selector was interrupted.
                if keep_interruption(cause, f"the selector {quoted(self._selector)}"):
                    return
            store._report(error, callback, self._role("observer"))

    def _ask(self, predicate: Callable[..., object] | None, kind: str, *values: Any) -> bool:
        """Calls the comparison or the filter. An exception counts as True: nothing is lost."""
        store = self._store()
        if store is None or predicate is None:
            return True
        thread = local.state
        outer = thread.running
        try:
            thread.running = PURE
            answer = predicate(*map(read, values))
            refuse_coroutine(answer, f"the {kind}", _ASYNC_PREDICATE)
            return bool(answer)
        except BaseException as error:
            store._report(error, predicate, self._role(kind))
            return True
        finally:
            thread.running = outer

    def _role(self, kind: str) -> str:
        if self._label is not None:
            return f"the {kind} {quoted(self._label)}"
        observer = "" if kind == "observer" else "the observer "
        return f"the {kind} of {observer}{quoted(self._selector)}"


def output_of(delivery: Any, store: Any) -> Any:
    """The output in an imd_delivery. Raises the error if the selector failed."""
    if delivery.kind == _ffi.IMD_DELIVERY_FAILURE:
        raise with_cause(_ffi.exception(delivery.error[0]), store)
    output = read(delivery.value)
    if delivery.kind == _ffi.IMD_DELIVERY_PATCH:
        return Patch(output.to_python())
    return output


# By the number that the library passes.
_observations: weakref.WeakValueDictionary[int, Observation] = weakref.WeakValueDictionary()
_numbers = itertools.count(1)


def end_observations(numbers: dict[int, None]) -> None:
    """Ends the observations of a closed store."""
    for number in list(numbers):
        observation = _observations.get(number)
        if observation is not None:
            observation._end()


def _call_observer(context: Any, delivery: Any) -> None:
    observation = _observations.get(context)
    if observation is not None and not observation._is_cancelled:
        observation._deliver(delivery[0])


@entry
def _call_comparison(context: Any, delivered: Any, output: Any) -> int:
    observation = _observations.get(context)
    if observation is None:
        return 1
    return observation._ask(observation._did_change, "comparison", delivered, output)


@entry
def _call_dependency_comparison(context: Any, index: int, last: Any, output: Any) -> int:
    observation = _observations.get(context)
    changes = None if observation is None else observation._dependency_changes
    if observation is None or changes is None:
        return 1
    return observation._ask(changes[index], "comparison", last, output)


@entry
def _call_filter(context: Any, action: Any, old: Any, new: Any) -> int:
    observation = _observations.get(context)
    if observation is None:
        return 1
    return observation._ask(observation._filter, "filter", action, old, new)


# The C functions of every observation. Globals, so that they are never freed while the library may
# call them.
_C_OBSERVER = _ffi.imd_observer(_ffi.guarded(_call_observer, keep_interruption))
_C_COMPARISON = _ffi.imd_comparison(_ffi.guarded(_call_comparison, keep_interruption, 1))
_C_FILTER = _ffi.imd_filter(_ffi.guarded(_call_filter, keep_interruption, 1))
_C_DEPENDENCY_COMPARISON = _ffi.imd_dependency_comparison(
    _ffi.guarded(_call_dependency_comparison, keep_interruption, 1)
)


def checked_comparison(did_change: Any, role: str = "did_change") -> Comparison | None:
    """Returns the option did_change. Raises TypeError: it is neither a function nor None."""
    if did_change is None:
        return None
    _require_predicate(did_change, role, "the delivered and the new output", 2)
    comparison: Comparison = did_change
    return comparison


def checked_dependencies(dependencies: Any) -> tuple[Any, Sequence[Comparison | None] | None]:
    """Returns the option dependencies as names and, if there are any, their comparisons.

    Raises TypeError: a comparison is neither a function nor None.
    """
    if not isinstance(dependencies, Mapping):
        return dependencies, None
    changes = [
        checked_comparison(change, "the comparison of a dependency")
        for change in dependencies.values()
    ]
    return list(dependencies), changes


def checked_filter(filter: Any) -> tuple[str | None, Filter | None]:
    """Returns the option filter as a name and a function. At most one of them is set.

    Raises TypeError: it is none of these.
    """
    if filter is None or isinstance(filter, str):
        return filter, None
    _require_predicate(filter, "filter", "the action, the old state and the new state", 3)
    return None, filter


def _require_predicate(function: Any, role: str, arguments: str, count: int) -> None:
    """Raises TypeError unless a function takes these arguments, and is not async."""
    require_function(function, role, f"a function that takes {arguments}", count, _ASYNC_PREDICATE)


class ObservationMixin(StoreBase):
    """Observation by callbacks."""

    __slots__ = ()

    def _prepare(self) -> None:
        super()._prepare()
        self._observations: dict[int, Observation] = {}
        # Their numbers, oldest first. The finalizer of the store ends the observations by number:
        # it must not refer to the callbacks, which may refer to the store.
        self._numbers: dict[int, None] = {}

    @overload
    def observe(
        self,
        selector: str,
        callback: Observer,
        /,
        *,
        initial: bool = ...,
        deliver: Literal["value", "patch"] = ...,
        when: Literal["inline", "queued"] = ...,
        coalesce: bool = ...,
        ignore: Iterable[str] = ...,
        filter: str | Filter | None = ...,
        did_change: Comparison | None = ...,
        dependencies: Iterable[str] | Mapping[str, Comparison | None] = ...,
        label: str | None = ...,
        capacity: int | None = ...,
        overflow: Literal["dropOldest", "coalesce"] | None = ...,
        budget: int | None = ...,
        arguments: Mapping[str, JSON] | None = ...,
        **keywords: Any,
    ) -> Observation: ...

    @overload
    def observe(
        self,
        selector: str,
        /,
        *,
        initial: bool = ...,
        deliver: Literal["value", "patch"] = ...,
        when: Literal["inline", "queued"] = ...,
        coalesce: bool = ...,
        ignore: Iterable[str] = ...,
        filter: str | Filter | None = ...,
        did_change: Comparison | None = ...,
        dependencies: Iterable[str] | Mapping[str, Comparison | None] = ...,
        label: str | None = ...,
        capacity: int | None = ...,
        overflow: Literal["dropOldest", "coalesce"] | None = ...,
        budget: int | None = ...,
        arguments: Mapping[str, JSON] | None = ...,
        **keywords: Any,
    ) -> Callable[[_AnyObserver], _AnyObserver]: ...

    def observe(self, selector: str, callback: Observer = _ABSENT, /, **options: Any) -> Any:
        """Calls a callback with the output of a selector, now and whenever the output changes.

            store.observe("total", print)

            @store.observe("total", initial=False)
            def show(total): ...

        Without a callback it is a decorator, which returns the function unchanged; then
        observation(show) is the Observation.

        The callback gets the output: a Value, or None, a bool, an int, a float or a str. Callbacks
        are called in the order of the dispatches (a batch is one), and for one dispatch in the
        order in which the observations began. An action that does not change what the selector
        reads costs the observation nothing. There are two exceptions: a store of a domain evaluates
        expressions, and selectors that do not declare what they read, after each action; and an
        observation that has ignored a change (ignore, filter) examines each action until one
        passes.

        A callback is a plain function: dispatch could not await an async one. For asynchronous
        code, see outputs.

        A callback may use the store. An action that it dispatches takes effect immediately, and is
        delivered after the current one. It may begin and cancel observations. No call inside it
        waits for another thread that is delivering. Its exceptions go to on_error, as does the
        failure of the selector if a state has no output.

        What is no Exception, such as KeyboardInterrupt after Ctrl+C and SystemExit, interrupts a
        callback. It reaches the call on that thread that led to the callback, such as dispatch,
        undo, observe, poll, flush, advance, receive or settle, after the other callbacks were
        called; the action has been dispatched. Of several, the first is raised, with notes about
        the others. This holds for observers, comparisons, filters, rules and trace functions; and
        in advance, receive and settle for the functions of effects, and for the reducer, whose
        action is then lost. Without such a call, as on a thread of the library, on_error gets it.

        Observers that dispatch in a circle must end it: by comparing before they dispatch, for
        example. If more than 1000 dispatches (the option depth of the store) follow from one, each
        inside an observer of the one before, the next one raises LimitError in its observer; the
        message names the observers of the circle. Those of poll, effects and dispatch_async begin
        anew: they do not keep a dispatch from returning.

        filter and did_change must be quick and pure: same arguments, same result. If one
        dispatches, that raises ReentrantError. Its exceptions go to on_error too, and the result
        counts as True.

        initial: True (default): deliver the current output first. False: deliver changes only.
        deliver: "value" (default): the output. "patch": the output the first time, then a Patch
            relative to the output delivered before, or the output again if computing a patch would
            exceed the budget or a limit.
        when: "inline" (default): before the dispatch returns, on its thread or on one that
            dispatches or observes at the same time; on a thread of the library after an outcome of
            an effect, or a change by another store or program. "queued": in poll.
        coalesce: True: deliver only the latest output. Inline: the one for the state at the time of
            the call. Queued: the last one waiting.
        ignore: patterns of action types to ignore: ["mouse*"]; "*" is any text. A change by an
            ignored action is delivered after the next action that is not ignored.
        filter: which actions may change the output; a change by another action is treated as one by
            an ignored action. The name of a filter of the domain, which receives the selector's
            arguments that it declares; or, in a store with your own reducer, a function of the
            action and the states before and after it, which returns a bool.
        did_change: a function of two outputs, the one delivered last and a new one, that returns
            whether the output has changed. Small steps add up, because the first is always the one
            delivered last, or the last that waits for poll. It is called only for outputs that are
            not equal. A failure is always a change.
        dependencies: names of selectors; recompute the output only if one of their outputs changes.
            Or a Mapping from each name to a function of two of its outputs, the last that counted
            as a change and a new one, that returns whether it has changed; None compares them.
        capacity: with when="queued", how many outputs may wait for poll: 1 to 1,048,576 (default
            1024).
        overflow: beyond the capacity, "dropOldest" (default) drops the oldest output, "coalesce"
            drops all but the latest.
        label: the name of the observation in messages.
        budget: the units of work that an evaluation of an expression may take, instead of the
            store's. If the budget is exceeded, this call raises LimitError; after a dispatch,
            on_error gets it. A cached output takes no work.
        keywords, arguments: the arguments of the selector, as for select.

        Raises what select does for the current state, even with initial=False: changes are found by
        comparison with the current output.
        Raises InvalidArgumentError: an option is unknown or has an invalid value.
        Raises TypeError: the callback is an async function, or takes other parameters.
        """
        name = encode_name(selector, "the name of a selector")
        keywords = split_arguments(options, OBSERVE_OPTIONS)
        did_change = checked_comparison(options.pop("did_change", None))
        filter_name, filter_function = checked_filter(options.pop("filter", None))
        with using(self._default):
            arguments = encode_arguments(options.pop("arguments", None), keywords)
        dependencies, dependency_changes = checked_dependencies(options.pop("dependencies", None))
        encoded_options = encode_options(
            **options, filter=filter_name, dependencies=dependencies
        )

        def begin(callback: Observer) -> Observation:
            expected = "a function that takes the output"
            require_function(callback, "a callback", expected, 1, _ASYNC_OBSERVER)
            observation = Observation(
                self,
                selector,
                callback,
                options.get("label"),
                did_change,
                filter_function,
                dependency_changes,
            )
            observation._is_queued = options.get("when") == "queued"
            self._observe(observation, name, arguments, encoded_options)
            return observation

        def decorate(callback: _AnyObserver) -> _AnyObserver:
            begin(callback)
            return callback

        return decorate if callback is _ABSENT else begin(callback)

    def _has_queued_observers(self) -> bool:
        return any(observation._is_queued for observation in list(self._observations.values()))

    def observation(self, callback: Observer, /) -> Observation:
        """The latest Observation of a callback.

        Raises NotFoundError: the callback is not an observer of this store.
        """
        for observation in reversed(list(self._observations.values())):
            if observation._callback == callback:
                return observation
        raise NotFoundError(f"{callback!r} is not an observer of this store")

    def poll(self) -> int:
        """Calls the observers with when="queued" for all outputs that wait, on this thread.

        Outputs that arrive meanwhile wait for the next call. Returns the number of calls: 0 inside
        such a callback, and while another thread polls this store.

        Raises what interrupted an observer, such as KeyboardInterrupt, after the others were
        called; see observe.
        Raises ClosedError: the store is closed.
        """
        store, delivered = self._require_handle(), c_size_t()
        raising_interruptions(lambda: _ffi.imd_store_poll(store, delivered, _ffi.imd_error()))
        return delivered.value

    def fileno(self) -> int:
        """A file descriptor that is readable while outputs wait for poll.

        Use select.select([store], [], []) to wait for outputs, or loop.add_reader(store,
        store.poll) to poll in an event loop. Closing the store closes the descriptor: stop watching
        it first. Do not read or close it.

        Raises LimitError: the process has no descriptors left.
        Raises ClosedError: the store is closed.
        """
        out = c_int()
        _ffi.imd_store_fd(self._require_handle(), out, _ffi.imd_error())
        return out.value

    def _observe(
        self,
        observation: Observation,
        selector: bytes,
        arguments: tuple[bytes | None, int],
        options: tuple[bytes | None, int],
    ) -> None:
        store = self._require_handle()
        # Before the call: the callback may be called before the function returns.
        self._observations[observation._number] = observation
        self._numbers[observation._number] = None
        functions = _ffi.imd_observer_functions(
            _C_OBSERVER,
            _ffi.imd_comparison() if observation._did_change is None else _C_COMPARISON,
            _ffi.imd_filter() if observation._filter is None else _C_FILTER,
            _ffi.imd_dependency_comparison()
            if observation._dependency_changes is None
            else _C_DEPENDENCY_COMPARISON,
        )
        try:
            raising_interruptions(
                lambda: _ffi.imd_store_observe_with_functions(
                    store,
                    selector,
                    *arguments,
                    *options,
                    functions,
                    observation._number,
                    _ffi.imd_release(),
                    observation._handle,
                    _ffi.imd_error(),
                )
            )
        except BaseException as error:
            if not isinstance(error, Exception) and observation._handle:
                # A callback was interrupted, and the observation had begun.
                _ffi.imd_observation_cancel(observation._handle)
            observation._end()
            raised = error
            if isinstance(error, Error):
                raised = raised_by_selector(error, bool(self._selectors))
            if raised is error:
                raise
            raise raised from None
