"""The outcomes of effects as text for the user."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

KINDS = {
    "localStore/didFetchQuakes": "load",
    "remoteStore/didFetchQuakes": "feed",
    "remoteStore/didSkipFeatures": "skip",
    "localStore/didSaveQuakes": "save",
    "localStore/didDeleteQuake": "delete",
    "localStore/didDeleteAllQuakes": "delete",
}

FAILURES = {
    "load": "Couldn't load the stored quakes: {} Press l to load them again.",
    "feed": "Couldn't get the feed: {} The stored quakes are shown.",
    "save": "The new quakes were not stored: {} Press r to try again.",
    "delete": "{quake} not deleted: {} Try again.",
}


class Outcome(NamedTuple):
    """What an effect did: its kind, its failure if it failed, and a notice for the user if any."""

    kind: str
    failure: str = ""
    notice: str = ""

    @classmethod
    def of(cls, action: Mapping[str, Any]) -> Outcome:
        """Converts an action of type data/persistentSession/…, without reading its quakes."""
        payload = action.get("payload", {})
        kind = KINDS[action["type"].split("/", 2)[2]]
        if kind == "skip":
            return cls(kind, notice=_skipped(payload))
        failure = payload["result"].get("failure")
        if failure is None:
            return cls(kind)
        quake = failure["quake"]["name"] + " was" if "quake" in failure else "The quakes were"
        error = failure["error"]
        sentence = error if error.endswith((".", "?")) else error + "."
        return cls(kind, FAILURES[kind].format(sentence, quake=quake))


def _skipped(payload: Mapping[str, Any]) -> str:
    count, error = payload["count"], payload["error"]
    quakes = "1 quake" if count == 1 else f"{count:,} quakes"
    return f"{quakes} of the feed could not be read: {error}"
