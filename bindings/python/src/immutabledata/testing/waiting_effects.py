"""The names of effects that wait for their time or their turn."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from .._values import JSON, Value, quoted
from .._values.equality import equal
from .differences import shown


class WaitingEffects:
    """The effects that a rule has asked for and that have not begun, for messages.

    The store counts those that wait; which they are follows here from the keys and modes.
    """

    __slots__ = ("_effects",)

    def __init__(self) -> None:
        self._effects: list[dict[str, JSON]] = []

    def add(self, effects: Iterable[Any]) -> None:
        """Adds what a rule has returned. The store refuses what is no effect."""
        for effect in effects:
            if not isinstance(effect, Mapping):
                continue
            key = effect.get("cancel", effect.get("key"))
            if "cancel" in effect or effect.get("mode", "latest") == "latest":
                self._effects = [
                    each for each in self._effects if key is None or each.get("key") != key
                ]
            if "effect" in effect:
                self._effects.append(dict(effect))

    def remove(self, name: str, arguments: Any) -> None:
        """Removes an effect that begins."""
        for at, effect in enumerate(self._effects):
            if effect["effect"] == name and equal(effect.get("arguments"), arguments):
                del self._effects[at]
                return

    def describe(self, count: int) -> list[str]:
        """The effects that wait, of which there are as many as the store has counted."""
        named = self._effects[-count:] if count > 0 else []
        others = count - len(named)
        return [
            *map(_described, named),
            *([f"{others} that will be tried again"] if others > 0 else []),
        ]


def _described(effect: Mapping[str, Any]) -> str:
    members = {
        name: part.to_python() if isinstance(part, Value) else part
        for name, part in effect.items()
        if name in ("arguments", "key", "mode", "delay", "interval")
    }
    return quoted(str(effect["effect"])) + (f" with {shown(members)}" if members else "")
