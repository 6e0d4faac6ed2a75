"""Generated feeds of earthquakes."""

from __future__ import annotations

import json
import random
from typing import Any, NamedTuple

from .places import PLACES

DAY = 86_400_000
"""The milliseconds of a day."""

RANGES = {"all_hour": DAY // 24, "all_day": DAY, "all_week": 7 * DAY, "all_month": 30 * DAY}
"""The names of the feeds, and the milliseconds before now that each covers."""

Feature = dict[str, Any]
"""A quake as GeoJSON (RFC 7946), with the properties of the feed."""


class Changes(NamedTuple):
    """The ids of the quakes that differ from the previous version of a feed."""

    changed: list[str]
    new: list[str]
    gone: list[str]


class Feed:
    """Quakes of the days before now, which change only on request.

    The same arguments and the same calls give the same feeds.
    """

    def __init__(self, seed: int, count: int, now: int, days: float = 30) -> None:
        """count: the number of quakes, at random times of these days.
        now: the end of the days, in milliseconds since 1970.
        """
        self.now = now
        self._random = random.Random(seed)
        self._span = int(days * DAY)
        self._made = 0
        self._features: dict[str, Feature] = {}
        for _ in range(count):
            self._add()

    def __len__(self) -> int:
        return len(self._features)

    def features(self, name: str) -> list[Feature]:
        """The quakes of a feed, such as "all_day", the latest first."""
        start = self.now - RANGES[name]
        found = [each for each in self._features.values() if each["properties"]["time"] > start]
        return sorted(found, key=lambda each: (-each["properties"]["time"], each["id"]))

    def body(self, name: str) -> bytes:
        """A feed as GeoJSON text."""
        features = self.features(name)
        metadata = {"generated": self.now, "title": name, "count": len(features)}
        whole = {"type": "FeatureCollection", "metadata": metadata, "features": features}
        return json.dumps(whole, separators=(",", ":"), ensure_ascii=False).encode()

    def change(self, changed: int = 0, new: int = 0, gone: int = 0) -> Changes:
        """Changes some quakes, adds some, and withdraws some, chosen at random.

        A feed withdraws a quake by a magnitude of null. The quakes withdrawn before disappear.
        """
        for id, feature in list(self._features.items()):
            if feature["properties"]["mag"] is None:
                del self._features[id]
        chosen = self._random.sample(list(self._features), changed + gone)
        for number, id in enumerate(chosen):
            properties = self._features[id]["properties"]
            properties["updated"] += 60_000
            if number < changed:
                properties["mag"] = round(properties["mag"] + 0.1, 1)
            else:
                properties["mag"] = None
        return Changes(chosen[:changed], [self._add() for _ in range(new)], chosen[changed:])

    def _add(self) -> str:
        self._made += 1
        id = f"sim{self._made:07}"
        longitude, latitude, place = self._random.choice(PLACES)
        time = self.now - self._random.randrange(self._span)
        distance = self._random.randrange(2, 200)
        direction = self._random.choice(("N", "NE", "E", "SE", "S", "SW", "W", "NW"))
        coordinates = [
            round(min(max(longitude + self._random.gauss(0, 2), -180), 180), 3),
            round(min(max(latitude + self._random.gauss(0, 2), -90), 90), 3),
            round(self._random.uniform(0, 300), 1),
        ]
        self._features[id] = {
            "type": "Feature",
            "id": id,
            "properties": {
                # Weak quakes are more frequent than strong ones (Gutenberg-Richter law).
                "mag": round(min(0.1 + self._random.expovariate(0.6), 9.5), 1),
                "place": f"{distance} km {direction} of {place}",
                "time": time,
                "updated": time + 60_000,
            },
            "geometry": {"type": "Point", "coordinates": coordinates},
        }
        return id
