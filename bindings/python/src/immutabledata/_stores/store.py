"""The store: one state, and the reducer that alone may replace it."""

from __future__ import annotations

import weakref
from collections.abc import Iterable, Mapping
from ctypes import c_size_t, c_void_p
from types import TracebackType
from typing import Any

from .. import _ffi
from .._values.draft import Reducer
from .._values.json_text import JSON, decode, encode, encode_name
from .._values.value import take
from ..errors import ClosedError
from .action import Action, Sent
from .action import whole as whole_action
from .effects import Effective
from .fetch import fetch
from .listener import Listened
from .observation import end_observations
from .options import encode_arguments, encode_options, encode_store_options
from .outputs import Observed
from .reducer import Host, call, call_again, reduce
from .run import Runner

# None is a payload: null.
_ABSENT: Any = object()


class Store(Observed, Listened, Runner, Effective):
    """One state, and the reducer that alone may replace it.

    A context manager that closes itself; a store that is dropped is closed too.

    Threads: any may use it. Dispatches take turns; selects never wait for a reducer.
    """

    __slots__ = ("__weakref__", "_close", "_handle", "_host", "_name")

    def __init__(
        self,
        reducer: Reducer,
        /,
        state: Any = _ABSENT,
        *,
        budget: int | None = None,
        **options: JSON,
    ) -> None:
        """Makes a store of a reducer of your own; open opens one of a domain.

        The reducer is called with the state and an action, each a Value or a scalar (None, bool,
        int, float, str), and returns the next state: a Value, a scalar or plain data. Or it
        returns the very state that it was given, for no change. It may not return None. If it
        raises, the state stays as it is, and dispatch raises what it raised. It has to be pure:
        same input, same output. It must not use its store, nor dispatch to any store: the
        dispatch then raises ReentrantError. It never runs on two threads at once for one store.

        The state is data that JSON can hold; without one it is the reducer's initial_state, which
        a Slice and what combine makes have.

        budget: the units of work that evaluating an expression over the state may take; None:
            limits.work.

        With the option optimistic=True the meta of an action may have a member "optimistic":
        {"begin": key} shows what the action does while its effect is in flight; an action with
        {"succeed": key} has it stay, one with {"fail": key} makes the state as if it had not
        happened. For that the reducer is given later actions again.

        Raises InvalidArgumentError: an option that is unknown or of the wrong shape.
        Raises what immutabledata.value does for state.
        """
        if not callable(reducer):
            raise TypeError(
                f"a reducer is called with a state and an action; {type(reducer).__name__} cannot "
                "be called. To open a store of a domain by name, use immutabledata.open"
            )
        if state is _ABSENT:
            state = getattr(reducer, "initial_state", _ABSENT)
        if state is _ABSENT:
            raise TypeError("the state to begin with is missing: Store(reducer, state=…)")
        text = encode(state, "the state")
        host = Host(reducer, bool(options.get("optimistic")))
        handle = _ffi.imd_store_p()
        _ffi.imd_store_create(
            text,
            len(text),
            reduce,
            host.number,
            _ffi.imd_release(),
            *encode_store_options(budget, options),
            handle,
            _ffi.imd_error(),
        )
        self._own(handle, getattr(reducer, "__name__", type(reducer).__name__), host)

    def _own(self, handle: Any, name: str, host: Host | None) -> None:
        self._handle: Any = handle
        self._name = name
        self._host = host
        self._prepare()
        self._close = weakref.finalize(self, _end, handle, self._numbers)

    def dispatch(self, action: Action, /, *, payload: JSON = _ABSENT, meta: JSON = _ABSENT) -> None:
        """Sends one action, and returns when the new state is in place.

        A str is the action's type, to which payload and meta may be added. A Mapping is the whole
        action: {"type": …, "payload": …, "meta": …}. In a store of a domain the payload is there
        if the type takes one, and meta is yours and reaches no reducer. A reducer of your own
        gets the action whole, whatever its type and payload are. Values may stand anywhere in it;
        the library writes them, however deep they nest.

        Raises InvalidActionError: no action, or none of this domain; in a store with the option
        optimistic, a member "optimistic" of meta that has another shape.
        Raises InvalidArgumentError: data that JSON has nothing for; the message says where.
        Raises InvalidJSONError: a key with U+0000 in it.
        Raises LimitError: nesting too deep, an integer beyond 64 bits.
        Raises ReducerFailedError: the reducer refused, in its own words; or it returned None.
        Raises what a reducer of your own raised.
        Raises ReentrantError: called inside a reducer, of this or any other store; or the reducer
        used its store.
        Raises ClosedError: the store was closed.
        If it raises, the state is as before.

        Complexity: that of the reducer, plus the length of the action as JSON.
        """
        store = self._open_handle()
        whole: Any = whole_action(action)
        if payload is not _ABSENT or meta is not _ABSENT:
            if not isinstance(action, str):
                raise TypeError("payload and meta of an action that is a Mapping go inside it")
            if payload is not _ABSENT:
                whole["payload"] = payload
            if meta is not _ABSENT:
                whole["meta"] = meta
        host = self._host
        if host is not None and host.is_optimistic and "meta" in whole:
            text = encode(whole, "the action")
            call_again(_ffi.imd_store_dispatch, store, text, len(text), _ffi.imd_error())
            return
        if host is None:
            sent, text = None, encode(whole, "the action")
        else:
            sent = Sent(whole)
            text = sent.text
        call(_ffi.imd_store_dispatch, sent, store, text, len(text), _ffi.imd_error())

    def dispatch_batch(self, actions: Iterable[Action], /) -> None:
        """Sends several actions as one: all of them happen, or none.

        No other action comes between them, and no state in between is seen. Each is a str or a
        Mapping, as for dispatch.

        Raises what dispatch does; the message of an error of this package's says which action
        failed.
        """
        store = self._open_handle()
        if isinstance(actions, (str, Mapping)):
            raise TypeError("dispatch_batch takes several actions; send one with dispatch")
        text = encode([whole_action(action) for action in actions], "the batch")
        call_again(_ffi.imd_store_dispatch_batch, store, text, len(text), _ffi.imd_error())

    def select(
        self,
        name: str,
        /,
        *,
        budget: int | None = None,
        arguments: Mapping[str, JSON] | None = None,
        **more: JSON,
    ) -> Any:
        """Reads the output of a selector for the current state, as plain Python data.

        budget: the units of work that evaluating an expression may take, in place of the store's.
        arguments, more: the arguments of the selector, by keyword; in a Mapping those that are
            called "budget" or "arguments".

        Raises UnknownSelectorError: the message lists the names that are near.
        Raises InvalidArgumentError: an argument that is missing, unknown or of the wrong shape.
        Raises LimitError: an expression takes more work than its budget; or the output nests too
        deep for Python's json, for which select_json has no limit.
        Raises ClosedError: the store was closed.

        Complexity: that of the selector, plus the length of the output as JSON.
        """
        text = self.select_json(name, budget=budget, arguments=arguments, **more)
        return decode(text, "select_json")

    def select_json(
        self,
        name: str,
        /,
        *,
        budget: int | None = None,
        arguments: Mapping[str, JSON] | None = None,
        **more: JSON,
    ) -> str:
        """Reads what select does as JSON, to hand on or to compare: equal outputs are equal text.

        Raises what select does.
        """
        selector = encode_name(name, "the name of a selector")
        given = encode_arguments(arguments, more)
        if budget is None:
            return self._text(_ffi.imd_store_select, selector, *given)
        return self._text(
            _ffi.imd_store_select_with, selector, *given, *encode_options(budget=budget)
        )

    def query(
        self,
        expression: str,
        /,
        *,
        budget: int | None = None,
        arguments: Mapping[str, JSON] | None = None,
        **more: JSON,
    ) -> Any:
        """Evaluates a JMESPath expression over the current state; "$name" in it is an argument.

        An expression is compiled once. What it gave is kept for as long as nothing changes under
        the paths that it can read.

        budget, arguments, more: as select takes them.

        Raises InvalidSelectorError: an expression that cannot be read or evaluated; the message
        has the position.
        Raises InvalidArgumentError: an argument that is missing, or that the expression has not.
        Raises LimitError: the expression takes more work than its budget, nests too deep or makes
        what no value may be; or the output nests too deep for Python's json, for which query_json
        has no limit.
        Raises ClosedError: the store was closed.
        """
        text = self.query_json(expression, budget=budget, arguments=arguments, **more)
        return decode(text, "query_json")

    def query_json(
        self,
        expression: str,
        /,
        *,
        budget: int | None = None,
        arguments: Mapping[str, JSON] | None = None,
        **more: JSON,
    ) -> str:
        """Evaluates what query does to JSON.

        Raises what query does.
        """
        name = encode_name(expression, "the expression")
        given = encode_arguments(arguments, more)
        if budget is None:
            return self._text(_ffi.imd_store_query, name, *given)
        return self._text(_ffi.imd_store_query_with, name, *given, *encode_options(budget=budget))

    def define(self, name: str, expression: str, /) -> None:
        """Gives a JMESPath expression a name, by which select then takes it.

        Raises InvalidArgumentError: the name is empty or taken.
        Raises InvalidSelectorError: an expression that cannot be read.
        """
        store = self._open_handle()
        _ffi.imd_store_define_selector(
            store,
            encode_name(name, "the name of a selector"),
            encode_name(expression, "the expression"),
            _ffi.imd_error(),
        )

    @property
    def state(self) -> Any:
        """The current state: a Value, or None, a bool, an int, a float or a str.

        A snapshot, in which later actions do not show. O(1) for a reducer of your own; the state
        of a domain is written as JSON would have it.

        Raises ClosedError: the store was closed.
        """
        out = c_void_p()
        _ffi.imd_store_state(self._open_handle(), out, _ffi.imd_error())
        return take(out.value)

    def statistics(self) -> dict[str, int]:
        """How often selectors and queries were asked for, and how often that took an evaluation;
        how many observations there are, how often one had to look at a dispatch, and how often a
        callback was told:
        {"selects": 7, "evaluations": 2, "observations": 3, "visits": 5, "deliveries": 4}; of a
        domain that has effects, how many there were ("effects"), and how many of them failed
        ("failedEffects").

        Raises ClosedError: the store was closed.
        """
        text, length = _ffi.text_p(), c_size_t()
        _ffi.imd_store_statistics(self._open_handle(), text, length, _ffi.imd_error())
        counts: dict[str, int] = decode(_ffi.take(text, length), "_ffi.imd_store_statistics")
        return counts

    def close(self) -> None:
        """Closes the store; a second time does nothing.

        Calls that other threads have under way finish first or answer as if they had. Observations,
        streams and listeners end. Effects in flight are given up; settle waits for them.
        """
        self._close()
        self._handle = None
        if self._host is not None:
            self._host.made = None

    @property
    def closed(self) -> bool:
        """Whether the store was closed."""
        return self._handle is None

    def __enter__(self) -> Store:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        state = "closed" if self.closed else "open"
        return f"<immutabledata.Store {self._name!r} {state}>"

    def _text(self, function: Any, *arguments: Any) -> str:
        """What a function of the store hands out as text."""
        text, length = _ffi.text_p(), c_size_t()
        function(self._open_handle(), *arguments, text, length, _ffi.imd_error())
        return _ffi.take(text, length)

    @property
    def _reducer_number(self) -> int | None:
        return None if self._host is None else self._host.number

    def _open_handle(self) -> Any:
        # Another thread may still close the store before the call: the library then says so.
        handle = self._handle
        if handle is None:
            another = "open another with immutabledata.open"
            if self._host is not None:
                another = "make another with immutabledata.Store"
            raise ClosedError(f"the store {self._name!r} was closed; {another}")
        return handle


def _end(handle: Any, numbers: dict[int, None]) -> None:
    """Closes a store, and ends its observations in the order in which they began."""
    _ffi.imd_store_close(handle)
    end_observations(numbers)


def open(domain: str, /, *, budget: int | None = None, **options: JSON) -> Store:
    """Opens a store of a domain by name.

    Every domain takes the options state, the initial state, and budget, the units of work that
    evaluating an expression may take (None: limits.work); domains() lists the others. What its
    effects want of the network fetch does; see Store.set_fetch.

    Raises UnknownDomainError: the message lists the names there are.
    Raises InvalidArgumentError: an option that is unknown or of the wrong shape.
    Raises StorageError, CorruptError: a file that an option names cannot be opened, or is not what
    it should be.
    """
    handle = _ffi.imd_store_p()
    name = encode_name(domain, "the name of a domain")
    given = encode_store_options(budget, options)
    _ffi.imd_store_open(name, *given, handle, _ffi.imd_error())
    store = Store.__new__(Store)
    store._own(handle, domain, None)
    store.set_fetch(fetch)
    return store
