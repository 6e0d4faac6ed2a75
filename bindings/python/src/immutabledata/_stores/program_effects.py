"""Effects that the program performs, and the rule that asks for them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from ctypes import c_size_t
from typing import Any, Callable, NoReturn, Optional, TypeVar, overload

from .. import _ffi
from .._ffi.waiting import wait
from .._values import (
    Value,
    encode_name,
    plain,
    read,
    refuse_coroutine,
    require_function,
    to_reference,
)
from ..errors import (
    InvalidArgumentError,
    ReducerFailedError,
    ReentrantError,
    add_note,
    wrong_type,
)
from .base import store_of
from .effect_call import C_EFFECT, EffectFunction, RegisteredEffect, RunningTasks, current_call
from .effect_failures import EffectFailures
from .event_loop import running_loop
from .interrupting import keep_interruption, raising_interruptions
from .options import require_known
from .reducer import code_of, keep_reducer_interruption, message_of
from .requests import RequestsMixin
from .thread_state import PURE, entry, local

Rule = Callable[[Any, Any, Any], Optional[Iterable[Mapping[str, Any]]]]

_Decorated = TypeVar("_Decorated", bound=EffectFunction)
_EffectFunction = TypeVar("_EffectFunction", bound=Optional[EffectFunction])
_Rule = TypeVar("_Rule", bound=Optional[Rule])

_ASYNC_RULE = "only the function of an effect can be async: see set_effect"

# None removes a function.
_ABSENT: Any = object()


class ProgramEffectsMixin(RequestsMixin):
    """Effects that the program performs, and the rule that asks for them."""

    __slots__ = ()

    def _prepare(self) -> None:
        super()._prepare()
        self._effects: dict[str, RegisteredEffect] = {}
        self._failures = EffectFailures()
        self._tasks = RunningTasks()
        # The rule, and what makes the instances that it takes as its action, by their types.
        self._asked: tuple[Rule | None, dict[str, Any]] = (None, {})

    @property
    def _rule(self) -> Rule | None:
        return self._asked[0]

    @overload
    def set_effect(self, name: str, /) -> Callable[[_Decorated], _Decorated]: ...

    @overload
    def set_effect(self, name: str, function: _EffectFunction, /) -> _EffectFunction: ...

    def set_effect(self, name: str, function: Any = _ABSENT, /) -> Any:
        """Sets the function that performs the effects with a name; None removes it.

            store.set_effect("roll", lambda arguments: random.randint(1, arguments["sides"]))

            @store.set_effect("confirm")
            def confirm(arguments): ...

        It is called with the arguments of the effect, a Value or a scalar, and its result becomes
        the result of the effect: a Value, a scalar or plain data. If it raises an exception, the
        effect is rejected with its message. It may take long: each call has a thread of its own. An
        async function runs on the event loop that is running when set_effect is called, and fails
        after that loop has ended; if none is running, on its own loop and thread. A coroutine that
        is running is cancelled when the effect is, and when the store is closed or deleted; another
        function calls immutabledata.cancelled.

        An effect without a function is rejected. A rule asks for effects, see set_rule, and so may
        a domain: its description lists "effects".

        Returns the function; without one, a decorator that sets a function and returns it.

        Raises InvalidArgumentError: the name is empty, or the domain of the store asks for no such
        effect.
        Raises ClosedError: the store is closed.
        """
        if callable(name):
            raise TypeError(
                "the name of an effect must be a str; as a decorator write "
                '@store.set_effect("name")'
            )
        text = encode_name(name, "the name of an effect")
        if not text:
            raise InvalidArgumentError("the name of an effect must not be empty")
        name = plain(name)
        if function is _ABSENT:
            self._require_handle()
            return lambda decorated: self.set_effect(name, decorated)
        if function is not None:
            expected = "a function that takes the arguments of the effect, or None"
            require_function(function, "an effect", expected, 1, may_await=True)
        store = self._require_handle()
        effect = self._effects.get(name)
        if effect is None:
            effect = RegisteredEffect(name, self._failures, self._tasks)
            effect = self._effects.setdefault(name, effect)
        previous = effect.function, effect.loop
        effect.use(function)
        try:
            c_function = _ffi.imd_effect_function() if function is None else C_EFFECT
            _ffi.imd_store_set_effect(
                store, text, c_function, effect.number, _ffi.imd_release(), _ffi.imd_error()
            )
        except BaseException:
            effect.function, effect.loop = previous
            raise
        return function

    def set_rule(self, rule: _Rule, /) -> _Rule:
        """Sets the rule of a store with your own reducer; None removes it.

            @store.set_rule
            def ask(action, old, new):
                if action["type"] == "started":
                    return [{"effect": "timer", "arguments": {"seconds": 5}, "success": "fired"}]

        The rule is called after each action, before the observers, with the action and the states
        before and after it, in the order of the dispatches, one call at a time. If its action is
        annotated with classes of actions, as that of a reducer may be, it is called for these
        alone, with instances. It returns the effects that the action asks for, or None. Each is a
        mapping:

            effect: the name of the function that performs it, see set_effect
            arguments: any JSON; None if left out
            success: the type of the action that has the result as its payload
            failure: the type of the action whose payload is {"reason": "..."}

        Instead of a type, success and failure may be a mapping with a type and a meta. Without
        success, the result is dropped. Further members, with times in whole milliseconds, say when
        an effect begins and when it is given up:

            key: what it has in common with other effects of the store, of any name
            mode: what it does if others of its key are in flight: "latest", the default, cancels
                them; "first" is cancelled itself; "queue" begins when they have ended
            delay: how long it waits before it begins; with "latest" this is a debounce
            interval: how long it waits after the last one of its key with an interval has begun: a
                throttle
            timeout: how long each attempt may take; then it is cancelled, and has failed
            retry: {"times": 3, "delay": 200, "factor": 2, "max": 1000}: how often it is tried again
                after it was rejected or took too long, and the pause before that
            cancelled: the type of the action that follows if it is cancelled

        {"cancel": key} in place of an effect cancels all effects of a key. A cancelled effect has
        no other outcome.

        on_error gets the exceptions of the rule, and of the function of an effect that has no
        failure; and an Error for effects of another shape, and for an outcome that the reducer
        rejects. These count as failedEffects, and do not affect the action. What interrupts the
        rule, such as KeyboardInterrupt, reaches the dispatch, see observe. An exception of the
        function of an effect gets a note with the name of the effect, in its __notes__.

        A rule must be quick and pure, because the dispatch waits for it. If it dispatches, that
        raises ReentrantError.

        Returns the rule.

        Raises InvalidArgumentError: the store is one of a domain.
        Raises TypeError: the rule is an async function, or takes other parameters.
        Raises ClosedError: the store is closed.
        """
        if rule is not None:
            expected = "a function that takes the action, the old state and the new state, or None"
            require_function(rule, "a rule", expected, 3, _ASYNC_RULE, may_yield=True)
        store = self._require_handle()
        number = self._number_for_callbacks()
        from .._types import reads_of

        asked = rule, ({} if rule is None else reads_of(rule))
        previous, self._asked = self._asked, asked
        try:
            c_rule = _ffi.imd_rule() if rule is None else _C_RULE
            _ffi.imd_store_set_rule(store, c_rule, number, _ffi.imd_release(), _ffi.imd_error())
        except BaseException:
            self._asked = previous
            raise
        self._receive_failures()
        return rule

    def _receive_failures(self) -> None:
        """Passes failed effects to on_error from now on.

        A store of a domain calls it when it is opened, and one that follows a log, whose end it
        passes, too. Another store calls it when a rule is set, because it has no effects without
        one.
        """
        _ffi.imd_store_set_effect_error_handler(
            self._require_handle(),
            _C_ERROR_HANDLER,
            self._number_for_callbacks(),
            _ffi.imd_release(),
            _ffi.imd_error(),
        )

    def settle(self, timeout: float | None = None, **unknown: NoReturn) -> None:
        """Waits until no effect is in flight, for up to timeout seconds; None waits without limit.

        The effects of all earlier actions have then finished, and their actions have been reduced.
        It blocks its thread. If async functions of set_effect run on the event loop of this thread,
        call it on another: await asyncio.to_thread(store.settle).

        Raises TimedOutError: an effect is still in flight.
        Raises InvalidArgumentError: the timeout is negative or NaN.
        Raises ReentrantError: called inside a callback or the function of an effect of this store,
        or on an event loop that an async function of set_effect needs.
        Raises ClosedError: the store is closed.
        """
        require_known(unknown, ("timeout",))
        store = self._require_handle()
        self._refuse_to_wait_for_this_thread()
        wait(
            timeout,
            lambda milliseconds: raising_interruptions(
                lambda: _ffi.imd_store_settle(store, milliseconds, _ffi.imd_error())
            ),
            "an effect is still in flight after",
        )

    def advance(self, milliseconds: int = 0) -> None:
        """Moves the clock of a store with clock="manual" or "stepped", for tests that take no time.

        The clock begins in 1970, and stands still between the calls. The times of commits and
        entries, the within of a history, the times of effects and the timers of a domain follow it.
        The effects of such a store run inside this call, settle and receive: what is due now and
        then, in the order of their times, what becomes due. A function of set_effect that is not
        async runs on the calling thread. With "stepped", outcomes of effects wait for receive.

        Raises InvalidArgumentError: the clock is that of the system, or milliseconds is negative.
        Raises LimitError: effects begin each other without end: 1,000 times the option depth steps
            ran at one moment of the clock. settle and receive raise it, too.
        Raises ReentrantError: called inside a callback or the function of an effect.
        Raises ClosedError: the store is closed.
        """
        if isinstance(milliseconds, bool) or not isinstance(milliseconds, int):
            raise wrong_type("milliseconds", "an int", milliseconds)
        store = self._require_handle()
        self._refuse_to_wait_for_this_thread("advance")
        if not -(2**31) <= milliseconds < 2**31:
            raise InvalidArgumentError(f"milliseconds must be less than 2**31, not {milliseconds}")
        raising_interruptions(
            lambda: _ffi.imd_store_advance(store, milliseconds, _ffi.imd_error())
        )

    def receive(self) -> int:
        """Dispatches the outcome that has waited longest, in a store with clock="stepped".

        Returns how many waited; 0 if there was none to dispatch.

        Raises InvalidArgumentError: outcomes do not wait in this store.
        Raises ReentrantError, ClosedError: as advance does.
        """
        store = self._require_handle()
        self._refuse_to_wait_for_this_thread("receive")
        waiting = c_size_t()
        raising_interruptions(lambda: _ffi.imd_store_receive(store, waiting, _ffi.imd_error()))
        return waiting.value

    def _refuse_to_wait_for_this_thread(self, name: str = "settle", arguments: str = "") -> None:
        """Raises ReentrantError: a call with a name would wait for what its own thread must do.

        arguments: what asyncio.to_thread gets besides the function, for the message.
        """
        call = current_call()
        if call is not None and call.effect.tasks is self._tasks:
            raise ReentrantError(
                f'the function of the effect "{call.effect.name}" called {name}, which waits for '
                "the end of this effect"
            )
        loop = running_loop()
        if loop is None:
            return
        names = [effect.name for effect in list(self._effects.values()) if effect.loop is loop]
        names += self._tasks.names_on(loop)
        if names:
            raise ReentrantError(
                f'{name} would block the event loop that the effect "{names[0]}" runs on; write '
                f"await asyncio.to_thread(store.{name}{arguments})"
            )

    def _ask(self, action: Any, old: Any, new: Any, out: Any, error: Any) -> int:
        rule, reads = self._asked
        if rule is None:
            return 0
        thread = local.state
        outer = thread.running
        try:
            thread.running = PURE
            action = read(action)
            if self._failures:
                self._forget_failure(action)
            if reads:
                if action["type"] not in reads:
                    return 0
                action = reads[action["type"]](action)
            effects = rule(action, read(old), read(new))
            if effects is not None:
                refuse_coroutine(effects, "the rule", _ASYNC_RULE, may_yield=True)
                is_iterator = isinstance(effects, Iterable) and not isinstance(
                    effects, (Value, list, tuple, Mapping, str)
                )
                reference = to_reference(
                    list(effects) if is_iterator else effects, "what the rule returned"
                )
                out[0] = _ffi.imd_value_retain(reference._handle)
            return 0
        except BaseException as raised:
            if keep_interruption(raised, "the rule"):
                return 0
            message = message_of(raised)
            failure = _ffi.imd_error.from_address(error)
            failure.message, failure.code = message, code_of(raised)
            self._failures.add(raised, rule, "the rule", message)
            return ReducerFailedError.status
        finally:
            thread.running = outer

    def _forget_failure(self, action: Any) -> None:
        """Drops the exception of an effect that became a failure action."""
        payload = action.get("payload")
        reason = payload.get("reason") if isinstance(payload, Mapping) else None
        if isinstance(reason, str):
            self._failures.forget(reason.encode())

    def _report_failure(self, error: Any) -> None:
        failure = self._failures.take(error.message)
        if failure is not None:
            add_note(failure.error, failure.role)
            return self._report(failure.error, failure.callback, failure.role)
        reported = _ffi.exception(error)
        if self._follows:
            return self._report(reported, None, "following the log")
        reducer = self._reducer_function
        if reducer is not None and isinstance(reported, ReducerFailedError):
            # It rejected an outcome.
            if keep_reducer_interruption(error.message):
                return None
            return self._report(reported, reducer, "the reducer")
        if self._rule is not None:
            return self._report(reported, self._rule, "the rule")
        # An effect of the domain, whose failure is usually in the state.
        if self._on_error is not None:
            self._report(reported, None, "an effect")


@entry
def _call_rule(context: Any, action: Any, old: Any, new: Any, out: Any, error: Any) -> int:
    store = store_of(context)
    return 0 if store is None else store._ask(action, old, new, out, error)


def _call_error_handler(context: Any, error: Any) -> None:
    store = store_of(context)
    if store is not None:
        store._report_failure(error[0])


# The C functions of every store. Globals, so that they are never freed while the library may call
# them.
_C_RULE = _ffi.imd_rule(_ffi.guarded(_call_rule, keep_interruption, 0))
_C_ERROR_HANDLER = _ffi.imd_effect_error_handler(_call_error_handler)
