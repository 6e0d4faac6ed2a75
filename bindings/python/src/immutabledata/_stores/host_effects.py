"""Effects that the program performs, and the rule that asks for them."""

from __future__ import annotations

import asyncio
import collections
import contextlib
import itertools
import threading
import weakref
from collections.abc import Awaitable, Iterable, Mapping
from typing import Any, Callable, Optional, TypeVar

from .. import _ffi
from .._values import Value, encode_name, read, require_function, to_reference
from ..errors import ClosedError, ReducerFailedError
from .effects import EffectsMixin
from .listener import is_async
from .reducer import message_of

EffectFunction = Callable[[Any], "Awaitable[object] | object"]
Rule = Callable[[Any, Any, Any], "Iterable[Mapping[str, Any]] | None"]

_EffectFunction = TypeVar("_EffectFunction", bound=Optional[EffectFunction])
_Rule = TypeVar("_Rule", bound=Optional[Rule])


class _Effect:
    """The function for the effects of one name, and the number by which the library calls it."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.function: EffectFunction | None = None
        # The event loop of an async function; None for one of its own.
        self.loop: asyncio.AbstractEventLoop | None = None
        self.number = next(_numbers)
        self._tasks: set[tuple[asyncio.AbstractEventLoop, asyncio.Task[Any]]] = set()
        _effects[self.number] = self

    def use(self, function: EffectFunction | None) -> None:
        loop = None
        if function is not None and is_async(function):
            with contextlib.suppress(RuntimeError):
                loop = asyncio.get_running_loop()
        self.function, self.loop = function, loop

    def start(self, handle: Any, arguments: Any) -> None:
        """Calls the function: an async function on its loop, another one on a new thread."""
        function, loop = self.function, self.loop
        try:
            if function is None:
                raise ClosedError("the function of the effect was removed from the store")
            if not is_async(function):
                self._start_thread(self._perform, function, handle, arguments)
            elif loop is None:
                self._start_thread(self._run_loop, function, handle, arguments)
            else:
                loop.call_soon_threadsafe(self._start_task, function, handle, arguments)
        except BaseException as error:  # The loop was closed, or the system has no more threads.
            _reject(handle, error)

    def _start_thread(self, target: Callable[..., object], *arguments: Any) -> None:
        threading.Thread(
            target=target, args=arguments, name=f"effect {self.name}", daemon=True
        ).start()

    def _perform(self, function: EffectFunction, handle: Any, arguments: Any) -> None:
        try:
            result = function(arguments)
        except BaseException as error:
            _reject(handle, error)
        else:
            self._resolve(handle, result)

    def _run_loop(self, function: EffectFunction, handle: Any, arguments: Any) -> None:
        with contextlib.suppress(asyncio.CancelledError):
            asyncio.run(self._perform_async(function, handle, arguments))

    def _start_task(self, function: EffectFunction, handle: Any, arguments: Any) -> None:
        asyncio.ensure_future(self._perform_async(function, handle, arguments))

    async def _perform_async(self, function: Any, handle: Any, arguments: Any) -> None:
        task: Any = asyncio.current_task()
        running = (asyncio.get_running_loop(), task)
        self._tasks.add(running)
        try:
            result = await function(arguments)
        except BaseException as error:
            _reject(handle, error)
        else:
            self._resolve(handle, result)
        finally:
            self._tasks.discard(running)

    def _resolve(self, handle: Any, result: Any) -> None:
        try:
            reference = to_reference(result, f'the result of the effect "{self.name}"')
            _ffi.imd_effect_resolve(handle, reference._handle, _ffi.imd_error())
        except ClosedError:
            pass
        except Exception as error:  # It is not JSON, or exceeds a limit.
            _reject(handle, error)

    def cancel(self) -> None:
        """Cancels the coroutines that are running."""
        for loop, task in list(self._tasks):
            with contextlib.suppress(RuntimeError):  # The loop was closed.
                loop.call_soon_threadsafe(task.cancel)


def _reject(handle: Any, error: BaseException) -> None:
    try:
        reason = str(error) or type(error).__name__
    except Exception:
        reason = type(error).__name__
    text = reason.encode("utf-8", "replace").replace(b"\0", b"")
    with contextlib.suppress(ClosedError):
        _ffi.imd_effect_reject(handle, text, _ffi.imd_error())


class HostEffectsMixin(EffectsMixin):
    """Effects that the program performs, and the rule that asks for them."""

    __slots__ = ()

    def _prepare(self) -> None:
        super()._prepare()
        self._effects: dict[str, _Effect] = {}
        self._rule: Rule | None = None
        self._rule_number: int | None = None
        # What the rule raised, with its message for the library.
        self._raised: collections.deque[tuple[bytes, BaseException]] = collections.deque()

    def set_effect(self, name: str, function: _EffectFunction, /) -> _EffectFunction:
        """Sets the function that performs the effects with a name; None removes it.

            store.set_effect("roll", lambda arguments: random.randint(1, arguments["sides"]))

        It is called with the arguments of the effect, a Value or a scalar, and its result becomes
        the result of the effect: a Value, a scalar or plain data. If it raises an exception, the
        effect is rejected with its message. It may take long: each call has a thread of its own. An
        async function runs on the event loop that is running when it is set; without one, on its
        own loop and thread. A coroutine that is running is cancelled when the store is closed.

        An effect without a function is rejected. A rule asks for effects, see set_rule, and so may
        a domain: its description lists "effects".

        Returns the function.

        Raises InvalidArgumentError: the name is empty.
        Raises ClosedError: the store is closed.
        """
        text = encode_name(name, "the name of an effect")
        if function is not None:
            expected = "a function that takes the arguments of the effect, or None"
            require_function(function, "an effect", expected, 1)
        store = self._open_handle()
        effect = self._effects.get(name) or self._effects.setdefault(name, _Effect(name))
        effect.use(function)
        c_function = _ffi.imd_effect_function() if function is None else _C_EFFECT
        _ffi.imd_store_set_effect(
            store, text, c_function, effect.number, _ffi.imd_release(), _ffi.imd_error()
        )
        return function

    def set_rule(self, rule: _Rule, /) -> _Rule:
        """Sets the rule of a store with your own reducer; None removes it.

            @store.set_rule
            def ask(action, old_state, new_state):
                if action["type"] == "started":
                    return [{"effect": "timer", "arguments": {"seconds": 5}, "success": "fired"}]

        The rule is called after each action, with the action and the states before and after it,
        in the order of the dispatches, one call at a time. It returns the effects that the action
        asks for, or None. Each is a mapping:

            effect: the name of the function that performs it, see set_effect
            arguments: any JSON; None if left out
            success: the type of the action that has the result as its payload
            failure: the type of the action whose payload is {"reason": "..."}

        Instead of a type, success and failure may be a mapping with a type and a meta. Without
        success, the result is dropped.

        on_error gets the exceptions of the rule, and an Error for effects of another shape, for an
        outcome that the reducer rejects, and for an effect that fails and has no failure. These
        count as failedEffects, and do not affect the action.

        A rule must be quick and pure, because the dispatch waits for it. It must not dispatch.

        Returns the rule.

        Raises InvalidArgumentError: the store is one of a domain.
        Raises ClosedError: the store is closed.
        """
        if rule is not None:
            expected = "a function that takes the action, the old state and the new state, or None"
            require_function(rule, "a rule", expected, 3)
        store = self._open_handle()
        if self._rule_number is None:
            self._rule_number = next(_numbers)
            _stores[self._rule_number] = self
        number = self._rule_number
        previous, self._rule = self._rule, rule
        try:
            c_rule = _ffi.imd_rule() if rule is None else _C_RULE
            _ffi.imd_store_set_rule(store, c_rule, number, _ffi.imd_release(), _ffi.imd_error())
        except BaseException:
            self._rule = previous
            raise
        _ffi.imd_store_set_effect_error_handler(
            store, _C_ERROR_HANDLER, number, _ffi.imd_release(), _ffi.imd_error()
        )
        return rule

    def _cancel_effects(self) -> None:
        for effect in list(self._effects.values()):
            effect.cancel()

    def _ask(self, action: Any, old_state: Any, new_state: Any, out: Any, error: Any) -> int:
        rule = self._rule
        if rule is None:
            return 0
        try:
            effects = rule(read(action), read(old_state), read(new_state))
            if effects is not None:
                if not isinstance(effects, (Value, list, tuple, Mapping, str)):
                    effects = list(effects)
                reference = to_reference(effects, "what the rule returned")
                out[0] = _ffi.imd_value_retain(reference._handle)
            return 0
        except BaseException as raised:
            message = message_of(raised)
            _ffi.imd_error.from_address(error).message = message
            self._raised.append((message, raised))
            return ReducerFailedError.status

    def _report_failure(self, error: Any) -> None:
        failure: BaseException = _ffi.exception(error)
        if self._raised and self._raised[0][0] == error.message:
            failure = self._raised.popleft()[1]
        self._report(failure, self._rule or self.set_rule, "an effect")


# By the number that the library passes.
_effects: weakref.WeakValueDictionary[int, _Effect] = weakref.WeakValueDictionary()
_stores: weakref.WeakValueDictionary[int, HostEffectsMixin] = weakref.WeakValueDictionary()
_numbers = itertools.count(1)


def _call_effect(context: Any, handle: Any, arguments: Any) -> None:
    effect = _effects.get(context)
    if effect is None:
        _reject(handle, ClosedError("the store was deleted"))
    else:
        effect.start(handle, read(arguments))


def _call_rule(context: Any, action: Any, old: Any, new: Any, out: Any, error: Any) -> int:
    store = _stores.get(context)
    return 0 if store is None else store._ask(action, old, new, out, error)


def _call_error_handler(context: Any, error: Any) -> None:
    store = _stores.get(context)
    if store is not None:
        store._report_failure(error[0])


# The C functions of every store. Globals, so that they are never freed while the library may call
# them.
_C_EFFECT = _ffi.imd_effect_function(_call_effect)
_C_RULE = _ffi.imd_rule(_call_rule)
_C_ERROR_HANDLER = _ffi.imd_effect_error_handler(_call_error_handler)
