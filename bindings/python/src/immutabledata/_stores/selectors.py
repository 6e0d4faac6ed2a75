"""Selectors that a program defines: expressions, and functions written in Python."""

from __future__ import annotations

import itertools
import json
import weakref
from collections.abc import Iterable
from typing import Any, Callable, TypeVar, overload

from .. import _ffi
from .._values import (
    converting,
    encode,
    encode_name,
    quoted,
    read,
    refuse_coroutine,
    require_function,
    to_reference,
)
from ..errors import Error, InvalidSelectorError, ReentrantError, warn, wrong_type
from .base import StoreBase
from .reducer import code_of, message_of
from .thread_state import PURE, entry, local

_AnyFunction = TypeVar("_AnyFunction", bound=Callable[..., Any])

_ASYNC_SELECTOR = "use a plain function: a select cannot await it"

# None is a mistake, such as a function that was called.
_ABSENT: Any = object()


class RegisteredSelector:
    """A function, and the number by which the library calls it.

    Only its store keeps it alive: if the library had a reference, a function that refers to its own
    store would leak both.
    """

    __slots__ = ("__weakref__", "arguments", "function", "number", "raised", "store")

    def __init__(
        self, store: SelectorMixin, function: Callable[..., Any], arguments: list[str]
    ) -> None:
        self.store = weakref.ref(store)
        self.function = function
        self.arguments = arguments
        # What the function raised, and the message that the library got, if a queued observer may
        # be called with the failure later.
        self.raised: tuple[str, BaseException] | None = None
        self.number = next(_numbers)
        _selectors[self.number] = self


_selectors: weakref.WeakValueDictionary[int, RegisteredSelector] = weakref.WeakValueDictionary()
_numbers = itertools.count(1)


@entry
def _select(context: Any, inputs: Any, count: int, arguments: Any, out: Any, error: Any) -> int:
    # A signal handler may raise anywhere here, also before the first statement. Then *out is not
    # set, so the evaluation fails, whatever status ctypes returns.
    thread = local.state
    outer, outer_running = thread.selecting, thread.running
    registered: RegisteredSelector | None = None
    try:
        thread.running = PURE
        registered = _selectors[context]
        thread.selecting = (*outer, id(registered.store()))
        values = [read(inputs[index]) for index in range(count)]
        named = {}
        if registered.arguments:
            given = read(arguments)
            named = {name: given[name] for name in registered.arguments}
        output = registered.function(*values, **named)
        refuse_coroutine(output, "the selector", _ASYNC_SELECTOR)
        reference = to_reference(output, "what the selector returned")
        out[0] = _ffi.imd_value_retain(reference._handle)
        registered.raised = None
        return 0
    except BaseException as raised:
        message = message_of(raised)
        # The message of an imd_error ends at a NUL.
        thread.selector_raised = message.partition(b"\0")[0].decode(), raised
        store = None if registered is None else registered.store()
        if registered is not None and store is not None and store._has_queued_observers():
            registered.raised = thread.selector_raised
        failure = _ffi.imd_error.from_address(error)
        failure.message, failure.code = message, code_of(raised)
        return InvalidSelectorError.status
    finally:
        thread.selecting, thread.running = outer, outer_running


def _release(context: Any) -> None:
    registered = _selectors.get(context)
    store = None if registered is None else registered.store()
    if store is not None:
        store._selectors.pop(context, None)


# The C functions of every selector. Globals, so that they are never freed while the library may
# call them.
_C_SELECTOR = _ffi.imd_selector(_select)
_C_RELEASE = _ffi.imd_release(_release)


def is_selecting(store: object) -> bool:
    """Whether this thread is inside a selector of a store."""
    return id(store) in local.state.selecting


# What the library says of a function that sets neither an output nor a message. _select always sets
# one of them, unless an exception of a signal handler leaves it.
_INTERRUPTIONS = "it returned no value; set *out, to null if need be", " and no message"


def raised_by_selector(error: Error, has_functions: bool = False) -> BaseException:
    """The exception for an evaluation that failed on this thread: what a function raised, if it
    did; with the violation, if it used its store.

    has_functions: whether functions in Python may have been called.
    """
    thread = local.state
    message, raised = thread.selector_raised or ("", None)
    thread.selector_raised = None
    if has_functions and isinstance(error, InvalidSelectorError):
        if error.message.endswith(_INTERRUPTIONS):
            thread.selecting, thread.running = (), None
            return KeyboardInterrupt(
                "a signal handler interrupted a selector; its exception went to sys.unraisablehook"
            )
    # The message of the error may be cut.
    if raised is None or message[:100] not in str(error):
        return error
    if isinstance(error, ReentrantError) and not isinstance(raised, ReentrantError):
        error.__cause__ = raised
        return error
    return raised


def with_cause(error: Error, store: SelectorMixin | None) -> Error:
    """The failure of an observed selector, with what a function raised as its cause.

    Its traceback ends in that function, because sys.unraisablehook prints no cause.
    """
    raised = raised_by_selector(error)
    if raised is error and store is not None:
        for registered in list(store._selectors.values()):
            message, late = registered.raised or ("", None)
            if late is not None and message[:100] in str(error):
                raised = late
    if raised is not error and error.__cause__ is None:
        error.__cause__ = raised
        error.__traceback__ = raised.__traceback__
    return error


class SelectorMixin(StoreBase):
    """Selectors that the program defines."""

    __slots__ = ()

    def _prepare(self) -> None:
        super()._prepare()
        self._selectors = {}

    def define(
        self,
        name: str,
        selector: str | Callable[..., Any],
        /,
        *,
        inputs: Iterable[str] = (),
        each: str | None = None,
    ) -> None:
        """Defines a selector: a name for a JMESPath expression or for a function.

            store.define("open", "todos[?!done]")
            store.define("total", lambda items, rate: sum(items) * rate, inputs=["prices", "rate"])

        A function is called with its inputs, in their order, and only if one of them has changed.
        Its result, which may be a Value or plain data, is the output. If it equals the last output,
        the output has not changed, and no observer is called. The function must be pure: same
        input, same output. It may run on several threads at once, and again for the same inputs. It
        must not use its store, nor dispatch to any: name what it needs as an input.

        Its keyword-only parameters without a default are arguments of the selector, as are the
        arguments of its inputs:

            def by_owner(todos, *, owner): return [todo for todo in todos if todo["owner"] == owner]
            store.define("by_owner", by_owner, inputs=["todos"])
            store.select("by_owner", owner="Ada")

        A name can be defined again, except for one of the domain: observers of it, and of functions
        that have it as an input, are called if their output changes. An exception of a function is
        raised by select; an observer fails with an InvalidSelectorError, whose cause is the exception.

        inputs: the names of selectors, or expressions over the state. A name means the selector
            that is defined at this time, if there is one; otherwise it is an expression. Without
            inputs and each, the function gets the state.
        each: a further input, an array or an object. The function gets one of its elements or
            members, and then the other inputs. It is called for those that changed, or for all if
            another input did. The output is the array or object of the results; of None, None.

        If an expression can only be empty for the current state, because it names a member that
        nothing in the state has, a LikelyMistakeWarning says so.

        Raises InvalidArgumentError: the name is empty, or is that of a selector of the domain; or
        the function would be its own input, by way of others.
        Raises InvalidSelectorError: the expression, or an input, is invalid.
        Raises LimitError: functions nest deeper than 64.
        Raises TypeError: the function takes other parameters, or is async.
        """
        store = self._require_handle()
        encoded = encode_name(name, "the name of a selector")
        if isinstance(selector, str):
            if inputs or each is not None:
                raise TypeError("only a function has inputs; an expression reads the state")
            expression = encode_name(selector, "the expression")
            _ffi.imd_store_define_selector(store, encoded, expression, _ffi.imd_error())
            for mistake in self.check_expression(selector):
                if not mistake.startswith(f"{quoted(name)} is a selector"):
                    warn(f"the selector {quoted(name)}: {mistake}")
            return
        if isinstance(inputs, str) or not isinstance(inputs, Iterable):
            raise wrong_type("inputs", "a list of names or expressions", inputs)
        inputs = list(inputs)
        all_inputs = [*([] if each is None else [each]), *inputs]
        for each_input in all_inputs:
            if not isinstance(each_input, str):
                raise wrong_type("an input", "the name of a selector or an expression", each_input)
        arguments = _arguments(name, selector, all_inputs)
        options: dict[str, Any] = {"inputs": inputs, "arguments": arguments}
        if each is not None:
            options["each"] = each
        text = encode(options, "the options")
        function = converting(selector, self._default, "what the selector returned")
        registered = RegisteredSelector(self, function, arguments)
        # Before the call: the function may be called before it returns.
        self._selectors[registered.number] = registered
        try:
            _ffi.imd_store_define_function(
                store,
                encoded,
                text,
                len(text),
                _C_SELECTOR,
                registered.number,
                _C_RELEASE,
                _ffi.imd_error(),
            )
        except Error:
            # An exception of a signal handler may come after the function was defined.
            self._selectors.pop(registered.number, None)
            raise
        finally:
            local.state.selector_raised = None
        self._warn_of_inputs(name, all_inputs)

    def check_expression(self, expression: str, /) -> list[str]:
        """Returns what is probably a mistake in an expression, as sentences for people.

            store.check_expression("todos[].tilte")  # ['none of 3 objects has a member "tilte"']

        An expression that can only be empty for the current state is valid, and fails nowhere. So
        this looks for members that nothing in the state has, and for text that is compared by < or
        >, which order only numbers. define warns of them by itself.

        Raises InvalidSelectorError: the expression is invalid.
        Raises LimitError: it nests too deep.
        Raises ClosedError: the store is closed.
        """
        encoded = encode_name(expression, "the expression")
        check = _ffi.bytes_from(_ffi.imd_store_check_expression, self._require_handle(), encoded)
        mistakes: list[str] = json.loads(check)
        return mistakes

    def _warn_of_inputs(self, name: str, inputs: list[str]) -> None:
        selectors: set[str] | None = None
        for text in inputs:
            try:
                mistakes = self.check_expression(text)
            except InvalidSelectorError:
                continue  # the name of a selector, such as "@@history"
            if mistakes and selectors is None:
                selectors = {selector["name"] for selector in self.describe()["selectors"]}
            if mistakes and (text == name or text not in (selectors or ())):
                for mistake in mistakes:
                    warn(f"the selector {quoted(name)}: the input {quoted(text)}: {mistake}")

    @overload
    def selector(self, function: _AnyFunction, /) -> _AnyFunction: ...

    @overload
    def selector(
        self, name: str = ..., /, *, inputs: Iterable[str] = (), each: str | None = None
    ) -> Callable[[_AnyFunction], _AnyFunction]: ...

    def selector(
        self,
        function: Any = _ABSENT,
        /,
        *,
        inputs: Iterable[str] = (),
        each: str | None = None,
    ) -> Any:
        """Defines a function as a selector, as a decorator; see define.

            @store.selector(inputs=["prices", "rate"])
            def total(prices, rate):
                return sum(prices) * rate

        The function is returned unchanged. The selector has its name; to give it another one, write
        @store.selector("name", inputs=[…]).
        """
        name = function if isinstance(function, str) else None

        def decorate(function: _AnyFunction) -> _AnyFunction:
            own = getattr(function, "__name__", "") if name is None else name
            self.define(own, function, inputs=inputs, each=each)
            return function

        if function is _ABSENT or isinstance(function, str):
            return decorate
        return decorate(function)

    def describe(self) -> dict[str, Any]:
        """Describes the store: what domains() says of its domain, and its "selectors", with the
        expression or the inputs of each that the program defined, and whether an expression is
        "incremental".

        Raises ClosedError: the store is closed.
        """
        text = _ffi.bytes_from(_ffi.imd_store_describe, self._require_handle())
        description: dict[str, Any] = json.loads(text)
        return description


def _arguments(name: str, function: Any, inputs: list[str]) -> list[str]:
    """The names of the arguments of a selector. Raises TypeError: it does not take the inputs."""
    require_function(function, "a selector", "an expression or a function", None, _ASYNC_SELECTOR)
    import inspect

    try:
        signature = inspect.signature(function, follow_wrapped=False)
    except (TypeError, ValueError):
        return []  # A function written in C.
    arguments = [
        parameter.name
        for parameter in signature.parameters.values()
        if parameter.kind is parameter.KEYWORD_ONLY and parameter.default is parameter.empty
    ]
    try:
        signature.bind(*(inputs or ["state"]), **dict.fromkeys(arguments))
    except TypeError:
        own = getattr(function, "__name__", type(function).__name__)
        listed = ", ".join(map(quoted, inputs)) or "the state"
        raise TypeError(
            f"the selector {quoted(name)} gets {listed}, but the function is {own}{signature}"
        ) from None
    return arguments
