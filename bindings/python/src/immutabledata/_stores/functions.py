"""Checks functions that may be asynchronous by mistake."""

from __future__ import annotations

import inspect
from typing import Any, Callable


def is_async(function: Callable[..., Any]) -> bool:
    """Whether a function is a coroutine function, or an object with one."""
    return inspect.iscoroutinefunction(function) or inspect.iscoroutinefunction(
        getattr(function, "__call__", None)  # noqa: B004
    )


def refuse_async(function: Callable[..., Any], role: str, advice: str) -> None:
    """Raises TypeError if a function is async, and nothing would await it."""
    if is_async(function) or inspect.isasyncgenfunction(function):
        raise TypeError(f"{role} must not be an async function; {advice}")


def refuse_coroutine(result: object, role: str, advice: str) -> None:
    """Raises TypeError if a function that is not async returned a coroutine."""
    if inspect.iscoroutine(result):
        result.close()  # Otherwise the interpreter warns that it was never awaited.
        raise TypeError(f"{role} returned a coroutine; {advice}")
