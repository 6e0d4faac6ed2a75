"""The optimistic updates of a store, by the member `meta` of its actions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

PENDING, CONFIRMED, ROLLED_BACK = "pending", "confirmed", "rolled back"
# Those of some authors of a shared log were rolled back; a commit does not say of which.
ENDED = "ended"

# With how many later actions the store confirms an update that has no outcome yet.
_LONGEST = 1_024


class OptimisticUpdates:
    """Those that wait for their outcome, oldest first."""

    def __init__(self) -> None:
        self._keys: dict[int, str] = {}
        """By the number of the commit that began the update."""

    @property
    def is_waiting(self) -> bool:
        """Whether there are any."""
        return bool(self._keys)

    def begin(self, number: int, action: Any) -> None:
        """Adds the update that a commit begins."""
        key = begun_by(action)
        if key is not None:
            self._keys[number] = key

    def ended(self, number: int, action: Any, is_shared: bool) -> Iterator[tuple[int, str]]:
        """The commits whose updates a commit ends, and what they become."""
        meta = _meta(action)
        if action.get("type") == "@@history/rolledBack":
            outcome, found = ENDED if is_shared else ROLLED_BACK, list(self._keys)
        elif "succeed" in meta:
            outcome, found = CONFIRMED, self._oldest(meta["succeed"])
        elif "fail" in meta:
            outcome, found = ROLLED_BACK, self._oldest(meta["fail"])
        else:
            outcome, found = CONFIRMED, []
        for begun in found:
            del self._keys[begun]
            yield begun, outcome
        while self._keys and (begun := next(iter(self._keys))) <= number - _LONGEST:
            del self._keys[begun]
            yield begun, CONFIRMED

    def _oldest(self, key: Any) -> list[int]:
        return [begun for begun, waiting in self._keys.items() if waiting == key][:1]


def begun_by(action: Any) -> str | None:
    """The key of the update that an action begins."""
    key = _meta(action).get("begin")
    return key if isinstance(key, str) else None


def _meta(action: Any) -> Mapping[str, Any]:
    meta = action.get("meta")
    update = meta.get("optimistic") if isinstance(meta, Mapping) else None
    return update if isinstance(update, Mapping) else {}
