"""The effects of a store, as its test sees them."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from .._values import Value, is_async, quoted
from .._values.names import similar_names
from .captured_effect import Capture, CapturedEffect
from .differences import lines
from .waiting_effects import WaitingEffects

if TYPE_CHECKING:
    from .._stores import Store
    from .._stores.effect_call import EffectFunction
    from .._stores.program_effects import Rule


class WatchedEffects:
    """The effects of a store: those that the test performs, and those that wait."""

    def __init__(self, store: Store[Any, Any], functions: Mapping[str, EffectFunction]) -> None:
        """functions: perform some of the effects, by their names."""
        self._store = store
        self._captured: list[CapturedEffect] = []
        # None for a name with a function.
        self._captures: dict[str, Capture | None] = dict.fromkeys(functions)
        self._uncalled = set(functions)
        self._waiting = WaitingEffects()
        for name, function in functions.items():
            store.set_effect(name, self._noted(name, function))

    def watch(self, rule: Rule) -> Rule:
        """The rule; what it asks for is noted, and captured if it has no function."""

        @functools.wraps(rule)
        def watched(action: Any, old: Any, new: Any) -> Any:
            effects = rule(action, old, new)
            if not isinstance(effects, Iterable) or isinstance(effects, (Mapping, str)):
                return effects  # None, or what the store refuses.
            asked = effects if isinstance(effects, Value) else list(effects)
            for effect in asked:
                if isinstance(effect, Mapping):
                    self.capture(effect.get("effect"))
            self._waiting.add(asked)
            return asked

        return watched

    def capture(self, name: Any) -> None:
        """Captures the effects with a name, unless they have a function."""
        if isinstance(name, str) and name and name not in self._captures:
            self._captures[name] = Capture(self._store, name, self._begun)

    @property
    def captured(self) -> list[CapturedEffect]:
        """The captured effects that the test has not ended, in the order in which they began."""
        self._captured = [
            each for each in self._captured if not each.has_ended and not each.is_cancelled
        ]
        return self._captured

    @property
    def waiting(self) -> list[str]:
        """The effects that wait for their time or turn, as messages name them."""
        return self._waiting.describe(self._store.statistics().get("waitingEffects", 0))

    def running(self, or_cancelled: bool) -> list[str]:
        """The names of the effects whose async functions have not returned."""
        calls = self._store._tasks.calls()
        return [call.effect.name for call in calls if or_cancelled or not call.is_cancelled]

    def uncalled(self, name: str) -> str:
        """The end of a message about an effect without a function: one of a similar name."""
        similar = similar_names(name, self._uncalled)
        return f"; there is a function for {quoted(similar[0])}" if similar else ""

    def in_flight(self) -> str:
        """The end of a message: all effects in flight."""
        found = [f"in flight: {effect}" for effect in self.captured]
        found += [f"waits for its time or turn: {effect}" for effect in self.waiting]
        found += [
            f"runs in an async function, settle() the store first: {quoted(name)}"
            for name in self.running(False)
        ]
        return ":" + lines(found) if found else "; no effect is in flight"

    def _begun(self, effect: CapturedEffect) -> None:
        self._captured.append(effect)
        self._waiting.remove(effect.name, effect.arguments)

    def _noted(self, name: str, function: EffectFunction) -> EffectFunction:
        """The function; when it begins, the effect does not wait any more."""

        def begin(arguments: Any) -> None:
            self._uncalled.discard(name)
            self._waiting.remove(name, arguments)

        if is_async(function):
            coroutine: Any = function

            @functools.wraps(function)
            async def perform(arguments: Any) -> object:
                begin(arguments)
                return await coroutine(arguments)

            return perform

        @functools.wraps(function)
        def call(arguments: Any) -> object:
            begin(arguments)
            return function(arguments)

        return call
