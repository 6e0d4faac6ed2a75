"""Reducers of Python's, as the library calls them."""

from __future__ import annotations

import itertools
import threading
import weakref
from typing import Any

from . import _raw
from ._draft import Reducer
from ._share import share
from ._value import read
from .errors import Error, ReducerFailedError


class Host:
    """A reducer, and the number by which the library calls it.

    The library keeps no reference: a reducer that refers to its own store would otherwise keep both
    for ever. A store keeps its host, and each call that may lead to the reducer keeps the store.
    """

    def __init__(self, reducer: Reducer) -> None:
        self.reducer = reducer
        self.number = next(_numbers)
        _hosts[self.number] = self


_hosts: weakref.WeakValueDictionary[int, Host] = weakref.WeakValueDictionary()
_numbers = itertools.count(1)

# What a reducer raised, on its way over the library to the dispatch that led there: both are of
# one thread.
_raised = threading.local()


def call(function: Any, *arguments: Any) -> None:
    """Calls a function that may lead to a reducer; raises what the reducer raised, as it is."""
    _raised.error = None
    try:
        function(*arguments)
        return
    except Error:
        if _raised.error is None:
            raise
    # Out of the handler: the library's error is not what led to this one.
    error, _raised.error = _raised.error, None
    try:
        raise error
    finally:
        # The error refers to this frame; without a way back there is no cycle.
        del error


def _reduce(context: Any, state: Any, action: Any, out: Any, error: Any) -> int:
    try:
        out[0] = _reduced(_hosts[context].reducer, state, action)
        return 0
    except BaseException as raised:
        _raised.error = raised
        error[0].message = _message(raised)
        return ReducerFailedError.status


# The reducer of every store that Python makes; context is the number of its host. One for all, and
# for good: the library never calls what was freed.
reduce = _raw.imd_reducer(_reduce)


def _reduced(reducer: Reducer, state: int, action: int) -> int:
    before = read(state)
    after = reducer(before, read(action))
    if after is before:
        return state
    if after is None:
        raise ReducerFailedError(
            "the reducer returned None; it has to return the next state, or the one it was given "
            "if nothing changes"
        )
    made = share(after, "what the reducer returned")
    if made._handle == state:
        return state
    kept: int = _raw.imd_value_retain(made._handle)
    return kept


def _message(raised: BaseException) -> bytes:
    """What a dispatch by other means than Python says."""
    try:
        text = f"{type(raised).__name__}: {raised}"
    except Exception:  # What str raises must not get into C.
        text = type(raised).__name__
    return text.encode("utf-8", "replace")[:255].decode("utf-8", "ignore").encode()
