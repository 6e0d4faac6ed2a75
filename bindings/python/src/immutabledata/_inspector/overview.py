"""The counters of a store, in groups that a person can read, with their limits."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from .database import MOST_BYTES, MOST_COMMITS
from .states import MOST_KEYFRAMES

LIMITS = {
    "commits": MOST_COMMITS,
    "database": MOST_BYTES,
    "keyframes": MOST_KEYFRAMES,
    # That of the library: commits of a store that wait for an inspector.
    "waiting": 8_192,
}

# The counters with their labels, and the limits that the library has for what they count.
_GROUPS: Mapping[str, Mapping[str, tuple[str, str | None]]] = {
    "Observers": {
        "observations": ("observations", None),
        "visits": ("visits by dispatches", None),
        "deliveries": ("calls to observers", None),
        "overruns": ("actions for full streams", None),
    },
    "Optimistic updates": {"optimisticUpdates": ("in flight", "1,024 actions")},
    "Selectors": {"selects": ("selects", None), "evaluations": ("evaluations", None)},
    "Effects": {
        "effects": ("effects begun", None),
        "effectsInFlight": ("effects in flight", "65,536"),
        "waitingEffects": ("effects that wait", None),
        "cancelledEffects": ("cancelled effects", None),
        "lateOutcomes": ("late outcomes", None),
        "failedEffects": ("failed effects", None),
        "requestsInFlight": ("requests in flight", "65,536"),
        "droppedEvents": ("dropped events", None),
    },
}
_TITLES = {
    "incremental": "Incremental results",
    "log": "Log",
    "process": "Memory of the program",
}
_LIMITS_INSIDE = {("incremental", "bytes"): "64 MiB"}


def groups(statistics: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Groups with a title and facts: a label, a value, and the limit if there is one. The kind of a
    value is bytes, time (milliseconds since 1970), or none of these.
    """
    return [{"title": title, "facts": facts} for title, facts in _groups(statistics) if facts]


def _groups(statistics: Mapping[str, Any]) -> Iterator[tuple[str, list[dict[str, Any]]]]:
    rest = dict(statistics)
    for title, counters in _GROUPS.items():
        yield title, [
            _fact(name, rest.pop(name), label, limit)
            for name, (label, limit) in counters.items()
            if name in rest
        ]
    for name, value in statistics.items():
        if isinstance(value, Mapping):
            del rest[name]
            facts = (
                _fact(inner, each, _words(inner), _LIMITS_INSIDE.get((name, inner)))
                for inner, each in value.items()
            )
            yield _TITLES.get(name, _words(name).capitalize()), list(facts)
    yield "Other", [_fact(name, value, _words(name), None) for name, value in rest.items()]


def _fact(name: str, value: Any, label: str, limit: str | None) -> dict[str, Any]:
    fact = {"label": label, "value": value}
    if isinstance(value, int) and not isinstance(value, bool):
        kind = name[-5:].lower()
        if kind == "bytes":
            fact["kind"] = "bytes"
        elif kind.endswith("time") and value > 100_000_000_000:
            fact["kind"] = "time"
    if limit is not None:
        fact["limit"] = limit
    return fact


def _words(name: str) -> str:
    """ "unsyncedBytes" as "unsynced bytes"."""
    return re.sub(r"([a-z])([A-Z])", r"\1 \2", name).lower()
