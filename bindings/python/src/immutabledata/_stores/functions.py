"""Checks functions that may be asynchronous by mistake."""

from __future__ import annotations

import functools
import inspect
from typing import Any, Callable


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
