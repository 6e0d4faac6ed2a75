"""The store: a state, and the reducer that replaces it."""

from __future__ import annotations

import contextlib
import json
import os
import weakref
from collections.abc import Iterable, Mapping
from ctypes import addressof, c_size_t, c_void_p
from types import GenericAlias
from typing import TYPE_CHECKING, Any, Callable, Generic, NoReturn

from .. import _ffi
from .._ffi.waiting import PORTION
from .._values import (
    JSON,
    Default,
    Patch,
    Reference,
    Value,
    checked_default,
    converting,
    encode,
    encode_name,
    from_json,
    identical,
    quoted,
    refuse_unrepresentable,
    require_reducer,
    take,
    to_reference,
    to_text_or_reference,
    using,
)
from ..errors import (
    ClosedError,
    Error,
    InvalidJSONError,
    LimitError,
    ReentrantError,
    StorageError,
    warn,
    wrong_type,
)
from .action import ActionLike, Classes, to_mapping
from .base import Action_contra, State, call_unraisable_hook
from .dispatch_async import dispatch_async
from .effect_call import RunningTasks
from .history import HistoryMixin
from .listener import ListenerMixin
from .log import LogMixin
from .log_driver import with_driver
from .log_file import migrated
from .observation import end_observations
from .options import (
    arguments_reference,
    checked_options,
    encode_arguments,
    encode_file,
    encode_options,
    follows,
    require_known,
    scheme_of,
    shares,
    with_defaults,
)
from .outputs import OutputsMixin
from .preview import Preview
from .program_effects import ProgramEffectsMixin
from .reducer import (
    RegisteredReducer,
    call_outside_reducer,
    create,
    failed_dispatch,
    is_interrupting,
    is_reducing,
    refuse_interruption,
    send,
)
from .selectors import SelectorMixin, is_selecting, raised_by_selector
from .thread_state import IN_DRIVER, local
from .trace import TraceMixin

if TYPE_CHECKING:
    import asyncio

    from typing_extensions import Self

    from .log_check import LogCheck
    from .option_types import Clock, HistoryOptions, Inspect, Log, Strict, Trace

# How many types a store warns about, and how many it need not ask the slices about again.
_MAX_WARNED = 1000
_MAX_TAKEN = 1000

# The names of the options, of which one that is misspelled suggests another.
_OPTIONS = (
    "budget",
    "clock",
    "default",
    "depth",
    "history",
    "inspect",
    "log",
    "optimistic",
    "schema",
    "state",
    "strict",
    "trace",
)

# None is a valid payload: null.
_ABSENT: Any = object()


class Store(
    SelectorMixin,
    OutputsMixin,
    ListenerMixin[State],
    ProgramEffectsMixin,
    HistoryMixin,
    LogMixin,
    TraceMixin,
    Generic[State, Action_contra],
):
    """A state, and the reducer that replaces it.

    A type checker infers the types of the state and of the actions from the reducer: the states of
    a Store[Board, Added] read like a Board, and it dispatches an Added.

    As a context manager it closes itself, after its listeners have handled all earlier actions. It
    is also closed when it is deleted.

    Any thread may use it. Dispatches are serialized; selects never wait for a reducer.
    """

    __slots__ = (
        "__weakref__",
        "_close",
        "_handle",
        "_log",
        "_name",
        "_process",
        "_reducer",
    )

    if not TYPE_CHECKING:
        # Store[Board] is right, too: at run time, all types are optional.
        __class_getitem__ = classmethod(GenericAlias)

    def __init__(
        self,
        reducer: Callable[[State, Action_contra], Any],
        /,
        state: Any = _ABSENT,
        *,
        budget: int | None = None,
        depth: int | None = None,
        optimistic: bool = False,
        history: bool | HistoryOptions | None = None,
        log: Log | None = None,
        schema: Mapping[str, Any] | None = None,
        trace: Trace | None = None,
        inspect: Inspect | None = None,
        clock: Clock | None = None,
        strict: Strict | None = None,
        default: Default | None = None,
        **unknown: NoReturn,
    ) -> None:
        """Makes a store with a reducer of your own; see open for the store of a domain.

        The reducer is called with the state and an action, each a Value or a scalar (None, bool,
        int, float, str). If its action is annotated with a dataclass, a NamedTuple, a model of
        pydantic or a union of these, it gets instances, dispatch takes them, and the annotations
        are the schema. It returns the next state: a Value, a scalar or plain data; or the state
        it was given, for no change. It must not return None. If it raises an exception, the state
        does not change, and dispatch raises the exception. It must be pure: same input, same
        output. It must not use its store, nor dispatch to any store: the dispatch then raises
        ReentrantError. The store never calls it on two threads at the same time, except for replay.

        state: the initial state, plain data or a Value. By default the initial_state of the
            reducer, which slices and combined reducers have. A combined reducer adds the initial
            states of missing members. A str that contains a JSON object or array causes a
            LikelyMistakeWarning.
        budget: the units of work that an evaluation of an expression may take; None: limits.work.
        depth: how many dispatches may follow from one, each inside an observer of the one before: 1
            to 1,000,000 (default 1000), see observe.
        history: whether actions can be undone, see undo: True, or HistoryOptions.
        log: the path of a file that keeps the actions, the address of a server that does, or
            LogOptions; see sync and register_log. If the file exists,
            the store has the state that it had, and calls the reducer for the actions since the
            last snapshot.
        schema: what actions and the state look like, in JSON Schema: a mapping with "actions", the
            schemas of payloads by the types of actions, "state", the schema of the state,
            "arguments" and "effects", the schemas of arguments by the names of selectors and of
            effects, and "unknownActions", "allow" for actions of other types. Its members replace
            those that come from annotations. dispatch raises
            InvalidActionError for an action that does not fit, and ReducerFailedError if the next
            state does not.
        trace: what to write to standard error or to a file, for debugging; see set_trace.
        inspect: whether imd inspect and imd attach may look into the store while the program runs:
            True, or InspectOptions. By default, the variable IMMUTABLEDATA_INSPECT says so.
        clock: "manual" or "stepped" if the program moves the time, in tests; see advance.
        strict: True, or StrictOptions, in tests: the reducer and the functions of selectors run
            twice, and must return the same. A LikelyMistakeWarning names what the reducer calls
            that makes it impure, and results of a Value's methods that it drops. A function that
            takes longer than the limit is named on standard error, once.
        default: a function that is called with each object that cannot be JSON, such as a date, in
            the state, in actions and arguments, and in what the reducer and selectors return. It
            returns the data to use instead, or raises TypeError. It must be pure.

        With optimistic=True, the meta of an action may have a member "optimistic".
        {"begin": key} applies the action while its effect is in flight. A later action with
        {"succeed": key} confirms it; one with {"fail": key} undoes it, as if it had not happened.
        To undo it, the store calls the reducer again for the actions since then.

        Raises InvalidArgumentError: an option is unknown or has an invalid value.
        Raises TypeError: the reducer is an async function, or takes other parameters; a type in its
        annotations cannot be a schema.
        Raises StorageError: the log cannot be opened, or another store writes it.
        Raises UnavailableError, RefusedError: the server that keeps the log cannot be reached, or
        refuses.
        Raises CorruptError: the log is damaged, or is another kind of file.
        Raises ReducerFailedError: the reducer rejected an action of the log; its __cause__ is what
        the reducer raised.
        Raises what immutabledata.value does for state.
        """
        if isinstance(reducer, str):
            error = wrong_type("a reducer", "a function that takes a state and an action", reducer)
            raise TypeError(f"{error}; to open the store of a domain, use immutabledata.open")
        require_reducer(reducer, "a reducer", "a function that takes a state and an action")
        from .._types import merged, typed

        reducer = typed(reducer)
        require_known(unknown, _OPTIONS)
        default = checked_default(default)
        if state is _ABSENT:
            state = getattr(reducer, "initial_state", _ABSENT)
        if state is _ABSENT:
            raise TypeError("the initial state is missing: Store(reducer, state=…)")
        complete = getattr(reducer, "complete_state", None)
        if complete is not None:
            state = complete(state)
        if isinstance(state, str):
            _warn_if_json(state)
        with using(default):
            text = encode(state, "the state")
        given = log
        log = with_defaults(migrated(log, reducer), getattr(reducer, "log_defaults", {}))
        options = encode_options(
            budget=budget,
            depth=depth,
            optimistic=optimistic,
            history=history,
            log=log,
            schema=merged(getattr(reducer, "schema", None), schema),
            trace=trace,
            inspect=inspect,
            clock=clock,
            strict=strict,
            interruptible=True,
        )
        registered = RegisteredReducer(reducer, optimistic, shares(log))
        converted = converting(reducer, default, "what the reducer returned")
        if strict:
            from .strict import watched

            converted = watched(converted)
        registered.reducer = converted
        check: LogCheck | None = None
        if log is not None:
            from .log_check import LogCheck

            check = LogCheck(converted)
            registered.reducer = check
        handle = _ffi.imd_store_p()
        try:
            with_driver(log, lambda: create(registered, text, options, handle))
        except (InvalidJSONError, LimitError):
            refuse_unrepresentable(state, "the state")
            raise
        registered.reducer = converted
        self._own(handle, getattr(reducer, "__name__", type(reducer).__name__), registered)
        self._default = default
        self._tasks.are_inline = clock in ("manual", "stepped")
        if follows(log):
            self._follows = True
            self._receive_failures()
        if log is not None and check is not None:
            from .log_check import warn_of_missing

            path: Any = log["path"] if isinstance(log, Mapping) else log
            if scheme_of(log) is None:
                self._log = path
            else:
                path = self.select("@@log")["path"]  # Without credentials.
            missing = self.statistics()["log"].get("missingMembers", [])
            if missing:
                warn_of_missing(missing, path, given, self.state, reducer)
            check.warn(path)

    def _own(self, handle: Any, name: str, reducer: RegisteredReducer | None) -> None:
        """Takes ownership of a handle; reducer is None for the store of a domain."""
        self._handle: Any = handle
        # A dispatch that waits for room in a stream is repeated, see send.
        _ffi.imd_store_set_dispatch_timeout(handle, PORTION, _ffi.imd_error())
        self._process = os.getpid()
        self._name = name
        self._reducer = reducer
        self._log = None
        self._prepare()
        self._connect(
            _ffi.FUNCTIONS,
            addressof(handle.contents),
            0 if reducer is None else reducer.number,
            None if reducer is None else reducer.reducer,
            self._selectors,
            reducer is not None and reducer.is_optimistic,
            reducer is not None and reducer.shares_log,
            None if reducer is None else reducer.taken,
            _classes(reducer),
        )
        self._close = weakref.finalize(
            self, _end, repr(name), handle, self._reducer_number, self._numbers, self._tasks
        )

    def dispatch(
        self,
        action: ActionLike | Action_contra,
        /,
        payload: JSON = _ABSENT,
        *,
        meta: JSON = _ABSENT,
    ) -> None:
        """Dispatches an action, and returns after the state has changed.

            store.dispatch("added", {"title": "Write"})

        The action is an instance of a class in the annotation of the reducer; or a str, its type, to
        which a payload may be added; or a Mapping, the whole action: {"type": …, "payload": …,
        "meta": …}. Meta may be added to an instance and to a type. An action may contain Values
        anywhere, which may nest as deep as a value can. In the store of a domain, the type
        determines whether there is a payload, and meta is for your own use: no reducer sees it. A
        reducer of your own gets the whole action, or an instance.

        Raises InvalidActionError: not an action, or not one of this domain; with the option
        optimistic, an invalid member "optimistic" of meta.
        Raises InvalidArgumentError: data that cannot be JSON; the message says where.
        Raises InvalidJSONError: a key that contains U+0000.
        Raises LimitError: nesting too deep, an integer beyond 64 bits; or called inside an observer,
        and the observers dispatch in a circle, see observe.
        Raises ReducerFailedError: the reducer rejected the action, or returned None.
        Raises the exceptions of a reducer of your own.
        Raises ReentrantError: called inside a reducer, rule, filter or comparison of any store; or
        the reducer used its store.
        Raises ClosedError: the store is closed.
        Raises StorageError: the log cannot be written, see sync.
        Raises UnavailableError, RefusedError, DivergedError, OutdatedError: a server keeps the log.
        Raises what interrupted a callback, such as KeyboardInterrupt, see observe.
        If it raises, the state has not changed, except if the reducer rejected an outcome of an
        optimistic update, the log cannot be written, or a callback was interrupted.

        Complexity: that of the reducer, plus O(n), where n is the length of the action as JSON.
        """
        store = self._require_handle()
        reducer = self._reducer
        whole = _whole(action, payload, meta, _classes(reducer))
        before = self._state_before_new(whole.get("type"))
        try:
            with using(self._default):
                data = to_text_or_reference(whole, "the action")
            send(
                lambda: _dispatch(store, data),
                may_repeat=reducer is not None and reducer.may_repeat(whole),
            )
        except (InvalidJSONError, LimitError):
            refuse_unrepresentable(whole, "the action")
            raise
        self._warn_unless_taken(whole["type"], before)

    def dispatch_async(
        self,
        action: ActionLike | Action_contra,
        /,
        payload: JSON = _ABSENT,
        *,
        meta: JSON = _ABSENT,
    ) -> asyncio.Future[None]:
        """Dispatches an action on a thread of the library; a coroutine awaits the outcome.

            await store.dispatch_async("added", {"title": "Write"})

        It never waits, also inside a callback, and takes what dispatch takes. Actions are
        dispatched in the order of the calls. Those that have come meanwhile share the wait for a
        server that keeps the log. settle waits for them; close does not: an action that was not
        dispatched yet ends with a ClosedError. Who cancels the future no longer waits; the action
        may take effect.

        Raises RuntimeError: no event loop runs on this thread.
        Raises LimitError: 65,536 actions wait. What else dispatch raises, the future has; what a
        reducer of your own raises is a ReducerFailedError with its message.
        """
        whole = _whole(action, payload, meta, _classes(self._reducer))
        with using(self._default):
            data = encode(whole, "the action")
        return dispatch_async(self, self._require_handle(), data)

    def _dispatch_failed(self, whole: Any, error: bytes, raised: BaseException | None) -> NoReturn:
        """Raises the exception for a dispatch of the extension that failed."""
        local.state.selector_raised = None
        failure = _ffi.exception(_ffi.imd_error.from_buffer_copy(error))
        try:
            raise failed_dispatch(failure, raised)
        except (InvalidJSONError, LimitError):
            refuse_unrepresentable(whole, "the batch" if isinstance(whole, list) else "the action")
            raise
        finally:
            # The traceback refers to this frame; the frame must not refer back.
            del failure, raised

    def _dispatched(self) -> None:
        """Ends a dispatch of the extension."""
        local.state.selector_raised = None

    def _state_before_new(self, type: Any) -> Any:
        """The state, for a reducer that is no slice and was not called with a type yet."""
        reducer = self._reducer
        if reducer is None or reducer.takes is not None or not isinstance(type, str):
            return _ABSENT
        if type in reducer.taken or len(reducer.taken) >= _MAX_TAKEN:
            return _ABSENT
        try:
            return self.state
        except Error:  # The dispatch will say why.
            return _ABSENT

    def _warn_unless_taken(self, type: Any, before: Any) -> None:
        """Warns once about a type that no slice takes, or that is misspelled and changed nothing.

        Not if a rule or listener might take it.
        """
        reducer = self._reducer
        if reducer is None or type in reducer.taken:
            return
        if reducer.takes is None:
            if before is _ABSENT:
                return
            reducer.taken.add(type)
            try:
                after = self.state
            except Error:  # An observer has closed the store.
                return
            is_scalar = not isinstance(before, Value)
            if not (before == after if is_scalar else identical(before, after)):
                reducer.changing.add(type)
            elif self._rule is None and not self._listeners:
                from .known_types import warn_if_misspelled

                warn_if_misspelled(type, reducer.changing, reducer.reducer)
        elif reducer.takes(type):
            if len(reducer.taken) < _MAX_TAKEN:
                reducer.taken.add(type)
        elif type not in reducer.warned:
            if self._ignores(type) and len(reducer.warned) < _MAX_WARNED:
                reducer.warned.add(type)
                warn(f"no slice takes {quoted(type)}; the action changes nothing")

    def _ignores(self, type: Any) -> bool:
        """Whether no slice takes a type, and no rule or listener could."""
        takes = None if self._reducer is None else self._reducer.takes
        if takes is None or self._rule is not None or self._listeners:
            return False
        return not takes(type)

    def dispatch_batch(self, actions: Iterable[ActionLike | Action_contra], /) -> None:
        """Dispatches several actions atomically: all of them take effect, or none.

        No other action takes effect between them, and no intermediate state is visible. Each action
        is a str or a Mapping, as for dispatch. Without actions, nothing happens.

        Raises what dispatch does. The message of an immutabledata.Error says which action failed,
        unless a reducer in Python raised it, used its store or returned None.
        """
        store = self._require_handle()
        remedy = "dispatch_batch takes several actions; send one with dispatch"
        batch = _batch(actions, remedy, _classes(self._reducer))
        with using(self._default):
            data = to_text_or_reference(batch, "the batch")
        try:
            send(lambda: _dispatch_batch(store, data), may_repeat=self._reducer is not None)
        except (InvalidJSONError, LimitError):
            refuse_unrepresentable(batch, "the batch")
            raise

    def preview(self, actions: Iterable[ActionLike | Action_contra], /) -> Preview[State]:
        """Returns what actions would do: the state after them, and the JSON Patch that leads there.

            state, patch = store.preview([{"type": "cleared"}])

        The actions are reduced as dispatch_batch would reduce them, but nothing is committed: the
        state does not change, no effects begin, and no observers, streams and listeners are
        notified. The reducer is called, so it must be pure.

        Raises what dispatch_batch does; LimitError also if the patch exceeds immutabledata.limits,
        or takes more than limits.work.
        """
        store = self._require_handle()
        remedy = "preview takes several actions; put one into a list"
        batch = _batch(actions, remedy, _classes(self._reducer))
        with using(self._default):
            data = encode(batch, "the batch")
        out, text, length = c_void_p(), _ffi.text_p(), c_size_t()

        def call() -> None:
            _ffi.imd_store_preview(store, data, len(data), out, text, length, _ffi.imd_error())

        try:
            send(call, may_repeat=self._reducer is not None)
        except (InvalidJSONError, LimitError):
            refuse_unrepresentable(batch, "the batch")
            raise
        state: State = take(out)
        patch = from_json(_ffi.take_bytes(text, length)).to_python()
        return Preview(state, Patch(patch))

    def select(
        self,
        name: str,
        /,
        *,
        budget: int | None = None,
        arguments: Mapping[str, JSON] | None = None,
        **keywords: JSON,
    ) -> Any:
        """The output of a selector for the current state: a Value, or None, a bool, an int, a float
        or a str. immutabledata.to_python turns it into plain data.

        budget: the units of work that an evaluation of an expression may take, instead of the
            store's.
        keywords: the arguments of the selector.
        arguments: the same as a Mapping, also for arguments named "budget" or "arguments".

        Raises UnknownSelectorError: no such selector; the message suggests similar names.
        Raises InvalidArgumentError: an argument is missing, unknown or invalid.
        Raises InvalidSelectorError: the evaluation of an expression fails.
        Raises LimitError: an expression exceeds its budget.
        Raises what a function that was defined as a selector raises.
        Raises ClosedError: the store is closed.

        Complexity: that of the selector; O(1) if its output has not changed. Parts of the output
        are read on demand.
        """
        encoded = encode_name(name, "the name of a selector")
        return self._output(_ffi.imd_store_select_value, encoded, budget, arguments, keywords)

    def select_json(
        self,
        name: str,
        /,
        *,
        budget: int | None = None,
        arguments: Mapping[str, JSON] | None = None,
        **keywords: JSON,
    ) -> str:
        """The output of a selector as canonical JSON: equal outputs yield equal text.

        Raises what select does.
        """
        if budget is not None:
            return _canonical(self.select(name, budget=budget, arguments=arguments, **keywords))
        encoded = encode_name(name, "the name of a selector")
        with using(self._default):
            given = encode_arguments(arguments, keywords)
        try:
            return str(self._text(_ffi.imd_store_select, encoded, *given), "utf-8")
        except Error as error:
            raised = raised_by_selector(error, bool(self._selectors))
            if raised is error:
                raise
            raise raised from None

    def query(
        self,
        expression: str,
        /,
        *,
        budget: int | None = None,
        arguments: Mapping[str, JSON] | None = None,
        **keywords: JSON,
    ) -> Any:
        """Evaluates a JMESPath expression over the current state; "$name" refers to an argument.

        The compiled expression is cached. The output is cached until the state changes at a path
        that the expression can read; in the store of a domain, until the next action.

        budget, arguments, keywords: as for select.

        Raises InvalidSelectorError: the expression is invalid, or its evaluation fails; the message
        says where.
        Raises InvalidArgumentError: an argument is missing, or not used by the expression.
        Raises LimitError: the expression exceeds its budget, nests too deep, or produces a value
        that exceeds a limit.
        Raises ClosedError: the store is closed.
        """
        encoded = encode_name(expression, "the expression")
        return self._output(_ffi.imd_store_query_value, encoded, budget, arguments, keywords)

    def query_json(
        self,
        expression: str,
        /,
        *,
        budget: int | None = None,
        arguments: Mapping[str, JSON] | None = None,
        **keywords: JSON,
    ) -> str:
        """The output of a query as canonical JSON.

        Raises what query does.
        """
        if budget is not None:
            return _canonical(self.query(expression, budget=budget, arguments=arguments, **keywords))
        encoded = encode_name(expression, "the expression")
        with using(self._default):
            given = encode_arguments(arguments, keywords)
        return str(self._text(_ffi.imd_store_query, encoded, *given), "utf-8")

    @property
    def state(self) -> State:
        """The current state: a Value, or None, a bool, an int, a float or a str.

        This is a snapshot: later actions do not change it. O(1) for a reducer of your own; the
        state of a domain is converted to a Value.

        Raises ClosedError: the store is closed.
        """
        out = c_void_p()
        _ffi.imd_store_state(self._require_handle(), out, _ffi.imd_error())
        state: State = take(out)
        return state

    @property
    def confirmed_state(self) -> State:
        """The state to save: without the optimistic updates in flight, as if all had failed now.

        Otherwise it is like state. If updates are in flight, it waits for a running reducer, and
        calls the reducer for the other actions since the oldest of them; those that the reducer now
        rejects are left out.

        Raises ReentrantError: called inside a reducer, rule, filter or comparison of any store.
        Raises ClosedError: the store is closed.
        """
        store = self._require_handle()
        out = c_void_p()
        send(
            lambda: _ffi.imd_store_confirmed_state(store, out, _ffi.imd_error()),
            may_repeat=self._reducer is not None,
        )
        state: State = take(out)
        return state

    def statistics(self) -> dict[str, Any]:
        """Returns the counters of the store:

            selects: calls to select and query that returned an output
            evaluations: how many of them required an evaluation
            observations: observations that have not ended
            visits: how often a dispatch may have affected an observation, even if ignore, filter
                or dependencies then made its evaluation unnecessary
            deliveries: calls to observers
            overruns: actions that streams with overflow="block" took beyond their capacity
            optimisticUpdates: optimistic updates in flight; if the store can have them
            effects, effectsInFlight, failedEffects: effects that have begun; those that wait or
                that the program performs, at most 65,536; those that failed without an action for
                the failure, and failures of the rule; if the domain has effects or the store had a
                rule
            waitingEffects, cancelledEffects, lateOutcomes: effects of the rule that have not begun,
                or wait to be tried again; those that were cancelled; answers to cancelled effects,
                of functions that did not note the cancellation; if the store had a rule
            requestsInFlight: requests that the program performs; if the domain has effects
            droppedEvents: changes that a server sent faster than "animals" applied them, so that
                it fetches everything again; only with remote
            incremental: a dict of what expressions keep of their evaluations and how much they
                evaluated; if they have kept any
            log: a dict of the counters of the log, in a store that has one

        Raises ClosedError: the store is closed.
        """
        text = self._text(_ffi.imd_store_statistics)
        counts: dict[str, Any] = json.loads(text)
        return counts

    def backup(self, path: str | os.PathLike[str], /) -> None:
        """Copies the database of the store to a new file. No existing file is replaced.

        The store can be used meanwhile. The copy has the changes that were committed when it began;
        settle waits for those of effects in flight. The copy is one file, without a journal or log,
        and appears under its name when it is complete.

        Raises InvalidArgumentError: the store has no database; the path is invalid; or a file, or a
        journal or log of a database there, already exists.
        Raises StorageError: a file cannot be read or written.
        Raises CorruptError: the database is damaged.
        Raises ReentrantError: called inside a reducer of the store.
        Raises ClosedError: the store is closed.
        """
        store = self._require_handle()
        _ffi.imd_store_backup(store, encode_file(path), _ffi.imd_error())

    def close(self) -> None:
        """Closes the store. May be called twice.

        Calls in progress on other threads complete. Observations, streams and listeners end.
        Effects in flight are abandoned; to wait for them, call settle first. Inside a reducer of
        the store it stays open, and the dispatch fails.

        Raises StorageError: the log cannot be written, see sync, and no call has raised that yet;
        the message says which actions may be lost. The store is closed nonetheless. If it is closed at the end of the program, or when
        it is deleted, sys.unraisablehook gets the exception.
        """
        is_used = is_reducing(self._reducer_number) or is_selecting(self)
        if is_used and not is_interrupting():
            _ffi.imd_store_close(self._handle)  # The library records the violation.
            return
        closing = self._close.detach()
        failure = None if closing is None else _close(*closing[2][1:])
        self._handle = None
        self._disconnect()
        if failure is not None:
            raise failure

    @property
    def closed(self) -> bool:
        """Whether the store is closed.

        In the child of a fork, the stores of the parent are closed.
        """
        return self._handle is None or self._process != os.getpid()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        try:
            self._finish_listeners()
        finally:
            self.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *exception: object) -> None:
        import asyncio

        try:
            await asyncio.to_thread(self._finish_listeners)
        finally:
            self.close()

    def __repr__(self) -> str:
        state = "closed" if self.closed else "open"
        return f"<immutabledata.Store {self._name!r} {state}>"

    def _output(
        self,
        function: Any,
        text: bytes,
        budget: int | None,
        arguments: Mapping[str, JSON] | None,
        keywords: dict[str, JSON],
    ) -> Any:
        """Calls a function of the store that returns a value for a selector or an expression."""
        store = self._require_handle()
        with using(self._default):
            given = arguments_reference(arguments, keywords)
        options = None
        if budget is not None:
            options = to_reference(checked_options(budget=budget), "the options")
        handles = (None if each is None else each._handle for each in (given, options))
        out = c_void_p()
        try:
            function(store, text, *handles, out, _ffi.imd_error())
        except Error as error:
            raised = raised_by_selector(error, bool(self._selectors))
            if raised is error:
                raise
            raise raised from None
        return take(out)

    def _select_failed(self, error: bytes) -> NoReturn:
        """Raises the exception for a select or query of the extension that failed."""
        failure = _ffi.exception(_ffi.imd_error.from_buffer_copy(error))
        raise raised_by_selector(failure, bool(self._selectors))

    def _text(self, function: Any, *arguments: Any) -> bytes:
        """Calls a function of the store that returns text."""
        return _ffi.bytes_from(function, self._require_handle(), *arguments)

    @property
    def _reducer_number(self) -> int | None:
        return None if self._reducer is None else self._reducer.number

    @property
    def _reducer_function(self) -> Callable[..., Any] | None:
        return None if self._reducer is None else self._reducer.reducer

    def _require_handle(self) -> Any:
        number = local.state.running
        if number == IN_DRIVER:
            raise ReentrantError("the methods of a log driver must not use a store")
        if number is not None and (number == self._reducer_number or is_selecting(self)):
            refuse_interruption()
        # Another thread may close the store before the call; the library then fails it.
        return self._handle or self._raise_closed()

    def _raise_closed(self) -> NoReturn:
        """Raises ClosedError: the store is closed."""
        another = "open another with immutabledata.open"
        if self._reducer is not None:
            another = "make another with immutabledata.Store"
        raise ClosedError(f"the store {self._name!r} was closed; {another}")


_ffi.replace(Store, "dispatch", "dispatch_batch", "query", "select", "state")
_ffi.call_back("dispatch_failed", Store._dispatch_failed)
_ffi.call_back("dispatched", Store._dispatched)
_ffi.call_back("select_failed", Store._select_failed)


def _classes(reducer: RegisteredReducer | None) -> Classes:
    """The classes whose instances are actions of a store."""
    return {} if reducer is None else reducer.classes


def _batch(actions: Iterable[Any], remedy: str, classes: Classes) -> list[Any]:
    if isinstance(actions, (str, Mapping)) or type(actions) in classes:
        raise TypeError(remedy)
    return [to_mapping(action, classes) for action in actions]


def _canonical(output: Any) -> str:
    """The canonical JSON of an output."""
    reference = to_reference(output, "the output")  # Owns its handle.
    return str(_ffi.bytes_from(_ffi.imd_value_text, reference._handle), "utf-8")


def _whole(action: Any, payload: Any, meta: Any, classes: Classes) -> Any:
    """The action that the arguments of dispatch describe, as to_mapping returns it."""
    whole: Any
    if type(action) is str and action[:1] not in "{[":
        whole = {"type": action}  # Fast path.
    else:
        whole = to_mapping(action, classes)
    is_instance = type(action) in classes
    if payload is not _ABSENT or meta is not _ABSENT:
        if payload is not _ABSENT and is_instance:
            raise TypeError(f"the payload of an action is the {type(action).__name__} itself")
        if not isinstance(action, str) and not is_instance:
            raise TypeError("if the action is a Mapping, put payload and meta inside it")
        if payload is not _ABSENT:
            whole["payload"] = payload
        if meta is not _ABSENT:
            whole["meta"] = meta
    return whole


def _dispatch(store: Any, data: bytes | Reference) -> None:
    if isinstance(data, bytes):
        _ffi.imd_store_dispatch(store, data, _ffi.IMD_ZERO_TERMINATED, _ffi.imd_error())
    else:
        _ffi.imd_store_dispatch_value(store, data._handle, _ffi.imd_error())


def _dispatch_batch(store: Any, data: bytes | Reference) -> None:
    if isinstance(data, bytes):
        _ffi.imd_store_dispatch_batch(store, data, _ffi.IMD_ZERO_TERMINATED, _ffi.imd_error())
    else:
        _ffi.imd_store_dispatch_batch_value(store, data._handle, _ffi.imd_error())


def _warn_if_json(state: str) -> None:
    """Warns about a state that is the text of an object or array, not the object or array."""
    if state.lstrip().startswith(("{", "[")):
        with contextlib.suppress(Error):
            from_json(state)
            warn(
                "the state is a str that contains JSON; to begin with the data in it, pass "
                "immutabledata.from_json(text)"
            )


def _close(
    handle: Any, reducer_number: int | None, numbers: dict[int, None], tasks: RunningTasks
) -> StorageError | None:
    """Closes a store, cancels its coroutines, and ends its observations, oldest first.

    Returns the error if its log could not be written.
    """
    failure = None
    if is_reducing(reducer_number) or is_interrupting():
        # On another thread; a failure is then written to standard error.
        call_outside_reducer(reducer_number, _ffi.imd_store_close, handle)
    else:
        try:
            _ffi.imd_store_try_close(handle, _ffi.imd_error())
        except StorageError as error:
            failure = error
        except (ClosedError, ReentrantError):
            pass  # In the child of a fork it is closed already; a reducer must not close it.
    tasks.cancel()
    end_observations(numbers)
    return failure


def _end(name: str, *arguments: Any) -> None:
    """Closes a store that the program has not closed."""
    failure = _close(*arguments)
    if failure is not None:
        call_unraisable_hook(failure, f"the end of the store {name}")
