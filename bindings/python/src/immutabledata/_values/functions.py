"""Checks functions that the package will call later."""

from __future__ import annotations

import functools
import types
from typing import TYPE_CHECKING, Any, Callable

from ..errors import wrong_type

if TYPE_CHECKING:
    import inspect

# Importing inspect takes as long as a third of this package. So it is imported for functions that
# are no plain ones, and for messages.


def require_function(function: Any, role: str, expected: str, count: int) -> None:
    """Raises TypeError unless function can be called with count positional arguments.

    Otherwise the mistake would appear only in the first call, far from its cause.

    Functions written in C are not checked: reading their parameters takes 0.2 ms.
    """
    if not callable(function):
        raise wrong_type(role, expected, function)
    if isinstance(function, types.BuiltinFunctionType):
        return
    if _is_plain(function) and _takes(function, count):
        return
    parameters = _parameters(function)
    if parameters is None:
        return
    try:
        parameters.bind(*range(count))
    except TypeError:
        name = getattr(function, "__name__", type(function).__name__)
        raise TypeError(f"{role} must be {expected}, not {name}{parameters}") from None


def _is_plain(function: Any) -> bool:
    """Whether a function says nothing else of itself than its code does."""
    return type(function) is types.FunctionType and vars(function).keys() <= {"__wrapped__"}


def _takes(function: Any, count: int) -> bool:
    """Whether a plain function can be called with count positional arguments."""
    code = function.__code__
    required = code.co_argcount - len(function.__defaults__ or ())
    is_optional = code.co_kwonlyargcount == len(function.__kwdefaults__ or ())
    takes_more = bool(code.co_flags & _VARIABLE_ARGUMENTS)
    return required <= count and is_optional and (count <= code.co_argcount or takes_more)


# Flags of code, see inspect.CO_VARARGS and the others.
_VARIABLE_ARGUMENTS = 0x04
_COROUTINE = 0x80
_ASYNCHRONOUS_GENERATOR = 0x200


def _parameters(function: Callable[..., Any]) -> inspect.Signature | None:
    import inspect

    try:
        # The parameters of the wrapper, not of the wrapped function: a decorator may change them.
        return inspect.signature(function, follow_wrapped=False)
    except (TypeError, ValueError):
        return None


# ---- Asynchronous by mistake ---------------------------------------------------------------------


def is_async(function: Callable[..., Any]) -> bool:
    """Whether a function is a coroutine function, an object with one, or a partial of either."""
    if _is_plain(function):
        return bool(function.__code__.co_flags & _COROUTINE)
    import inspect

    return any(map(inspect.iscoroutinefunction, _called_functions(function)))


def refuse_async(function: Callable[..., Any], role: str, advice: str) -> None:
    """Raises TypeError if a function is async, and nothing would await it."""
    if is_async(function) or _is_async_generator(function):
        raise TypeError(f"{role} must not be an async function; {advice}")


def _is_async_generator(function: Callable[..., Any]) -> bool:
    if _is_plain(function):
        return bool(function.__code__.co_flags & _ASYNCHRONOUS_GENERATOR)
    import inspect

    return any(map(inspect.isasyncgenfunction, _called_functions(function)))


def _called_functions(function: Any) -> tuple[Any, Any]:
    """What a call may run: the function without its partials, or the method of the object."""
    while isinstance(function, functools.partial):
        function = function.func
    return function, getattr(function, "__call__", None)  # noqa: B004


def refuse_coroutine(result: object, role: str, advice: str) -> None:
    """Raises TypeError if a function that is not async returned a coroutine."""
    if isinstance(result, types.CoroutineType):
        result.close()  # Otherwise the interpreter warns that it was never awaited.
        raise TypeError(f"{role} returned a coroutine; {advice}")


ASYNC_REDUCER = "await in a thunk, a listener or the function of an effect, and dispatch the result"
"""What to do instead of an async reducer, for refuse_async and refuse_coroutine."""


def require_reducer(function: Any, role: str, expected: str) -> None:
    """Raises TypeError unless function can be called as a reducer."""
    require_function(function, role, expected, 2)
    refuse_async(function, role, ASYNC_REDUCER)
