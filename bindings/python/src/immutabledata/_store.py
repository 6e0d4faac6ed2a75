"""The store: one state, and the reducer that alone may replace it."""

from __future__ import annotations

import weakref
from collections.abc import Iterable, Mapping
from ctypes import c_size_t
from types import TracebackType
from typing import Any, Union

from . import _raw
from ._json import JSON, decode, encode, encode_name
from .errors import ClosedError

Action = Union[str, Mapping[str, JSON]]

# None is a payload: null.
_ABSENT: Any = object()


class Store:
    """One state, and the reducer that alone may replace it.

    A context manager that closes itself; a store that is dropped is closed too.

    Threads: any may use it. Dispatches take turns; selects never wait for a reducer.
    """

    __slots__ = ("__weakref__", "_close", "_domain", "_handle")

    def __init__(self, domain: str, /, **options: JSON) -> None:
        """Opens a store; see open."""
        handle = _raw.imd_store_p()
        name = encode_name(domain, "domain")
        _raw.imd_store_open(name, *_object(options, "the options"), handle, _raw.imd_error())
        self._domain = domain
        self._handle = handle
        self._close = weakref.finalize(self, _raw.imd_store_close, handle)

    def dispatch(self, action: Action, /, *, payload: JSON = _ABSENT, meta: JSON = _ABSENT) -> None:
        """Sends one action, and returns when the new state is in place.

        A str is the action's type, to which payload and meta may be added. A Mapping is the whole
        action: {"type": …, "payload": …, "meta": …}. The payload is there if the type takes one;
        meta is yours and reaches no reducer.

        Raises InvalidActionError: no action of this domain.
        Raises InvalidArgumentError: data that JSON has nothing for; the message says where.
        Raises InvalidJSONError: a key with U+0000 in it.
        Raises LimitError: nesting too deep, an integer beyond 64 bits.
        Raises ReducerFailedError: the reducer refused, in its own words.
        Raises ReentrantError: called from a reducer of this very store.
        Raises ClosedError: the store was closed.
        If it raises, the state is as before.

        Complexity: that of the reducer, plus the length of the action as JSON.
        """
        store = self._open_handle()
        whole = _whole(action)
        if whole is action and (payload is not _ABSENT or meta is not _ABSENT):
            raise TypeError("payload and meta of an action that is a Mapping go inside it")
        if payload is not _ABSENT:
            whole["payload"] = payload
        if meta is not _ABSENT:
            whole["meta"] = meta
        text = encode(whole, "the action")
        _raw.imd_store_dispatch(store, text, len(text), _raw.imd_error())

    def dispatch_batch(self, actions: Iterable[Action], /) -> None:
        """Sends several actions as one: all of them happen, or none.

        No other action comes between them, and no state in between is seen. Each is a str or a
        Mapping, as for dispatch.

        Raises what dispatch does; the message says which action failed.
        """
        store = self._open_handle()
        if isinstance(actions, (str, Mapping)):
            raise TypeError("dispatch_batch takes several actions; send one with dispatch")
        text = encode([_whole(action) for action in actions], "the batch")
        _raw.imd_store_dispatch_batch(store, text, len(text), _raw.imd_error())

    def select(self, name: str, /, **arguments: JSON) -> Any:
        """Reads the output of a selector for the current state, as plain Python data.

        Raises UnknownSelectorError: the message lists the names that are near.
        Raises InvalidArgumentError: an argument that is missing, unknown or of the wrong shape.
        Raises LimitError: the output nests too deep for Python's json; select_json has no limit.
        Raises ClosedError: the store was closed.

        Complexity: that of the selector, plus the length of the output as JSON.
        """
        return decode(self.select_json(name, **arguments))

    def select_json(self, name: str, /, **arguments: JSON) -> str:
        """Reads what select does as JSON, to hand on or to compare: equal outputs are equal text.

        Raises what select does.
        """
        store = self._open_handle()
        text, length = _raw.text_p(), c_size_t()
        selector = encode_name(name, "selector")
        _raw.imd_store_select(
            store, selector, *_object(arguments, "the arguments"), text, length, _raw.imd_error()
        )
        return _raw.take(text, length)

    def close(self) -> None:
        """Closes the store; a second time does nothing.

        Calls that other threads have under way finish first or answer as if they had.
        """
        self._close()

    @property
    def closed(self) -> bool:
        """Whether the store was closed."""
        return not self._close.alive

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
        return f"<immutabledata.Store {self._domain!r} {state}>"

    def _open_handle(self) -> Any:
        # Another thread may still close the store before the call: the library then says so.
        if self.closed:
            raise ClosedError(
                f"the store {self._domain!r} was closed; open another with immutabledata.open"
            )
        return self._handle


def open(domain: str, /, **options: JSON) -> Store:
    """Opens a store of a domain by name.

    Every domain takes the option state, the initial state; domains() lists the others.

    Raises UnknownDomainError: the message lists the names there are.
    Raises InvalidArgumentError: an option that is unknown or of the wrong shape.
    """
    return Store(domain, **options)


def _whole(action: Action) -> Any:
    if isinstance(action, str):
        return {"type": action}
    if isinstance(action, Mapping):
        return action
    raise TypeError(f"an action is a str (its type) or a Mapping, not {type(action).__name__}")


def _object(members: Mapping[str, JSON], what: str) -> tuple[bytes | None, int]:
    """The two C arguments of an optional JSON object."""
    if not members:
        return None, 0
    text = encode(members, what)
    return text, len(text)
