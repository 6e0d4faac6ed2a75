"""The effects of a store, as its test sees them."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from .._values import Value, is_async
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

    def in_flight(self) -> str:
        """The end of a message: all effects in flight."""
        found = [f"in flight: {effect}" for effect in self.captured]
        found += [f"waits for its time or turn: {effect}" for effect in self.waiting]
        return ":" + lines(found) if found else "; no effect is in flight"

    def _begun(self, effect: CapturedEffect) -> None:
        self._captured.append(effect)
        self._waiting.remove(effect.name, effect.arguments)

    def _noted(self, name: str, function: EffectFunction) -> EffectFunction:
        """The function; when it begins, the effect does not wait any more."""
        waiting = self._waiting
        if is_async(function):
            coroutine: Any = function

            @functools.wraps(function)
            async def perform(arguments: Any) -> object:
                waiting.remove(name, arguments)
                return await coroutine(arguments)

            return perform

        @functools.wraps(function)
        def call(arguments: Any) -> object:
            waiting.remove(name, arguments)
            return function(arguments)

        return call
