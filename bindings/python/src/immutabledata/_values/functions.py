"""Checks functions that the package will call later."""

from __future__ import annotations

import functools
import inspect
from typing import Any, Callable

from ..errors import wrong_type


def require_function(function: Any, role: str, expected: str, count: int) -> None:
    """Raises TypeError unless function can be called with count positional arguments.

    Otherwise the mistake would appear only in the first call, far from its cause.

    Functions written in C are not checked: reading their parameters takes 0.2 ms.
    """
    if not callable(function):
        raise wrong_type(role, expected, function)
    if inspect.isbuiltin(function):
        return
    parameters = _parameters(function)
    if parameters is None:
        return
    try:
        parameters.bind(*range(count))
    except TypeError:
        name = getattr(function, "__name__", type(function).__name__)
        raise TypeError(f"{role} must be {expected}, not {name}{parameters}") from None


def _parameters(function: Callable[..., Any]) -> inspect.Signature | None:
    try:
        # The parameters of the wrapper, not of the wrapped function: a decorator may change them.
        return inspect.signature(function, follow_wrapped=False)
    except (TypeError, ValueError):
        return None


# ---- Asynchronous by mistake ---------------------------------------------------------------------


def is_async(function: Callable[..., Any]) -> bool:
    """Whether a function is a coroutine function, an object with one, or a partial of either."""
    return any(map(inspect.iscoroutinefunction, _called_functions(function)))


def refuse_async(function: Callable[..., Any], role: str, advice: str) -> None:
    """Raises TypeError if a function is async, and nothing would await it."""
    if is_async(function) or any(map(inspect.isasyncgenfunction, _called_functions(function))):
        raise TypeError(f"{role} must not be an async function; {advice}")


def _called_functions(function: Any) -> tuple[Any, Any]:
    """What a call may run: the function without its partials, or the method of the object."""
    while isinstance(function, functools.partial):
        function = function.func
    return function, getattr(function, "__call__", None)  # noqa: B004


def refuse_coroutine(result: object, role: str, advice: str) -> None:
    """Raises TypeError if a function that is not async returned a coroutine."""
    if inspect.iscoroutine(result):
        result.close()  # Otherwise the interpreter warns that it was never awaited.
        raise TypeError(f"{role} returned a coroutine; {advice}")


ASYNC_REDUCER = "await in a thunk, a listener or the function of an effect, and dispatch the result"
"""What to do instead of an async reducer, for refuse_async and refuse_coroutine."""


def require_reducer(function: Any, role: str, expected: str) -> None:
    """Raises TypeError unless function can be called as a reducer."""
    require_function(function, role, expected, 2)
    refuse_async(function, role, ASYNC_REDUCER)
