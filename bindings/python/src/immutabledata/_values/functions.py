"""Checks functions that the package will call later."""

from __future__ import annotations

import functools
import types
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Callable

from ..errors import wrong_type

if TYPE_CHECKING:
    import inspect

# Importing inspect takes as long as a third of this package. So it is imported for functions that
# are no plain ones, and for messages.


PLAIN = "use a plain function"
"""What to do instead of an async function, if there is nothing better."""


def require_function(
    function: Any,
    role: str,
    expected: str,
    count: int | None,
    advice: str = PLAIN,
    *,
    may_await: bool = False,
    may_yield: bool = False,
) -> None:
    """Raises TypeError unless a call of function with count positional arguments does what the
    caller expects of it.

    Otherwise the mistake would appear only in the first call, far from its cause; or never, because
    a call of a generator function or an async function runs nothing of it.

    count: None if the caller checks the parameters.
    advice: what to do instead of an async function.
    may_await: whether an async function is awaited.
    may_yield: whether what a generator function yields is used.

    Functions written in C are not checked: reading their parameters takes 0.2 ms.
    """
    if _is_plain(function) and count is not None and _takes(function, count):
        if not function.__code__.co_flags & _DEFERRED:
            return  # The most frequent case, quickly.
    if not callable(function):
        raise wrong_type(role, expected, function)
    if isinstance(function, types.BuiltinFunctionType):
        return
    if isinstance(function, type) and not issubclass(function, _DATA):
        raise TypeError(f"{role} must be {expected}, not the class {function.__name__}")
    if count is not None:
        _require_parameters(function, role, expected, count)
    flags = _flags(function)
    if flags & _ASYNCHRONOUS_GENERATOR or (flags & _COROUTINE and not may_await):
        raise TypeError(f"{role} must not be an async function; {advice}")
    if flags & _GENERATOR and not may_yield:
        raise TypeError(
            f"{role} must not be a generator function, of which a call runs nothing; use return in "
            "place of yield"
        )


# A class whose objects are data can be called as a function: bool, str, list.
_DATA = (type(None), bool, int, float, str, Mapping, Sequence)


def _require_parameters(function: Any, role: str, expected: str, count: int) -> None:
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
    if type(function) is not types.FunctionType:
        return False
    return not function.__dict__ or function.__dict__.keys() <= {"__wrapped__"}


def _takes(function: Any, count: int) -> bool:
    """Whether a plain function can be called with count positional arguments."""
    code = function.__code__
    required = code.co_argcount - len(function.__defaults__ or ())
    is_optional = code.co_kwonlyargcount == len(function.__kwdefaults__ or ())
    takes_more = bool(code.co_flags & _VARIABLE_ARGUMENTS)
    return required <= count and is_optional and (count <= code.co_argcount or takes_more)


# Flags of code, see inspect.CO_VARARGS and the others.
_VARIABLE_ARGUMENTS = 0x04
_GENERATOR = 0x20
_COROUTINE = 0x80
_ASYNCHRONOUS_GENERATOR = 0x200
_DEFERRED = _GENERATOR | _COROUTINE | _ASYNCHRONOUS_GENERATOR


def _parameters(function: Callable[..., Any]) -> inspect.Signature | None:
    import inspect

    try:
        # The parameters of the wrapper, not of the wrapped function: a decorator may change them.
        return inspect.signature(function, follow_wrapped=False)
    except (TypeError, ValueError):
        return None


# ---- What a call runs ----------------------------------------------------------------------------


def is_async(function: Callable[..., Any]) -> bool:
    """Whether a function is a coroutine function, an object with one, or a partial of either."""
    return bool(_flags(function) & _COROUTINE)


def _flags(function: Callable[..., Any]) -> int:
    """The flags of a function that say that a call runs nothing of it."""
    if _is_plain(function):
        flags: int = function.__code__.co_flags
        return flags
    import inspect

    flags = 0
    for called in _called_functions(function):
        flags |= _COROUTINE if inspect.iscoroutinefunction(called) else 0
        flags |= _ASYNCHRONOUS_GENERATOR if inspect.isasyncgenfunction(called) else 0
        flags |= _GENERATOR if inspect.isgeneratorfunction(called) else 0
    return flags


def _called_functions(function: Any) -> tuple[Any, Any]:
    """What a call may run: the function without its partials, or the method of the object."""
    while isinstance(function, functools.partial):
        function = function.func
    return function, getattr(function, "__call__", None)  # noqa: B004


def refuse_coroutine(
    result: object, role: str, advice: str = PLAIN, *, may_yield: bool = False
) -> None:
    """Raises TypeError if a function that is not async returned a coroutine or, unless it may, a
    generator.
    """
    if isinstance(result, types.CoroutineType):
        result.close()  # Otherwise the interpreter warns that it was never awaited.
        raise TypeError(f"{role} returned a coroutine; {advice}")
    if isinstance(result, _GENERATORS) and not may_yield:
        raise TypeError(f"{role} returned a generator, which has not run; return a result")


_GENERATORS = (types.GeneratorType, types.AsyncGeneratorType)

ASYNC_REDUCER = "await in a thunk, a listener or the function of an effect, and dispatch the result"
"""What to do instead of an async reducer, for require_function and refuse_coroutine."""


def require_reducer(function: Any, role: str, expected: str) -> None:
    """Raises TypeError unless function can be called as a reducer."""
    require_function(function, role, expected, 2, ASYNC_REDUCER)
