"""Reducers that change a draft of the state."""

from __future__ import annotations

import functools
from typing import Any, Callable, TypeVar

from .. import _ffi
from ..errors import ReducerFailedError
from .draft import Draft, Scope, make_draft
from .functions import ASYNC_REDUCER, refuse_coroutine, require_reducer
from .value import Value, value

_State = TypeVar("_State")
_Action = TypeVar("_Action")

Reducer = Callable[[_State, Any], _State]
"""A function of a state and an action that returns the next state: Reducer[Board]."""


def drafting(
    reducer: Callable[[_State, _Action], object], /
) -> Callable[[_State, _Action], _State]:
    """Turns a function that changes a draft of the state into a reducer.

        @imd.drafting
        def reduce(draft, action):
            if action["type"] == "renamed":
                draft["names"][action["payload"]["id"]] = action["payload"]["name"]

    Use a draft like a dict or list; its objects and arrays are drafts too. Dicts and lists that you
    put into it may still be changed. The keys of an object are in ascending order. The next state
    shares all unchanged parts with the state; if nothing changed, it is the state itself.

    Return None or the draft; or leave the draft unchanged and return another next state. A draft
    that is used after its reducer has returned raises ClosedError. To keep its content, call
    immutabledata.value(draft).

    If a reducer is called with a draft, it changes that draft, so one reducer can call another with
    a part of its own. A state that is not an object or array is passed as it is; the function must
    return the next one then.

    Complexity: O(k log n), where k is the number of parts that were read, changed, inserted or
    removed; plus O(r / 64) for each insertion before the end of an array and each deletion in it,
    where r is the number of those before in this array.
    """
    expected = "a function that takes a draft and an action"
    require_reducer(reducer, "a drafting reducer", expected)

    @functools.wraps(reducer)
    def reduce(state: Any, action: Any) -> Any:
        return produce(reducer, state, action)

    return reduce


def produce(recipe: Callable[..., Any], state: Any, *arguments: Any) -> Any:
    """Calls a recipe with a draft of the state, and returns the next state; see drafting."""
    if isinstance(state, Value):
        before: Any = state
    else:
        before = state if isinstance(state, Draft) else value(state)
        if not isinstance(before, Value):
            result = recipe(before, *arguments)
            if result is None and isinstance(before, Draft):
                return before
            if result is None and before is not None:
                raise ReducerFailedError(
                    "the reducer returned None; its state is a scalar, which cannot change as a "
                    "draft does, so it must return the next state, or its argument if nothing "
                    "changes"
                )
            return result
    scope: Scope = [None]
    draft = make_draft(before, scope)
    try:
        return _end(draft, recipe(draft, *arguments))
    finally:
        scope.clear()


def _end(draft: Draft, result: Any) -> Any:
    """The next state, from the draft and the result of a recipe."""
    after = draft._finish()
    if result is None or result is draft:
        return after
    refuse_coroutine(result, "the reducer", ASYNC_REDUCER)
    if after is not draft._original:
        raise ReducerFailedError(
            "the reducer changed its draft and returned another state; do only one of the two"
        )
    # While the scope is open: the result may contain drafts.
    return value(result)


if _ffi.FUNCTIONS is not None:
    _ffi.call_back("produce", produce)
    _ffi.call_back("end", _end)
    produce = _ffi.FUNCTIONS.produce


def peek(container: Any, step: str | int) -> Any:
    """The part at a key or index, without making a draft of it."""
    return container._peek(step) if isinstance(container, Draft) else container[step]
