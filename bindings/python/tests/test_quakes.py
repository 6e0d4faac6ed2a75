"""The domain quakes, with a function that stands in for the feed."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import immutabledata as imd

REFRESH = "ui/quakeList/onTapRefreshQuakesButton"
DAY = {"searchDate": "2025-11-21"}
MIDNIGHT = 1_763_683_200_000


def feature(quake_id: str, magnitude: float, time: int) -> dict[str, Any]:
    return {
        "id": quake_id,
        "properties": {
            "mag": magnitude,
            "place": "4 km W of Cobb, CA",
            "time": time,
            "updated": time,
        },
        "geometry": {"coordinates": [-122.77, 38.82, 2.1]},
    }


class Feed:
    """A feed of the features that a test sets."""

    def __init__(self) -> None:
        self.features = [feature("a", 1.5, MIDNIGHT), feature("b", 2.5, MIDNIGHT - 1)]
        self.content_type = "application/geo+json"
        self.urls: list[str] = []

    def fetch(self, request: imd.Request) -> None:
        self.urls.append(request.url)
        body = json.dumps({"type": "FeatureCollection", "features": self.features}).encode()
        request.resolve(200, {"Content-Type": self.content_type}, body)


@pytest.fixture
def feed() -> Feed:
    return Feed()


@pytest.fixture
def path(tmp_path: Path) -> str:
    return str(tmp_path / "quakes.sqlite")


@pytest.fixture
def quakes(feed: Feed, path: str) -> Iterator[imd.Store]:
    with imd.open("quakes", store=path, feed="http://feed/") as store:
        store.set_fetch(feed.fetch)
        yield store


def refresh(store: imd.Store) -> None:
    store.dispatch(REFRESH, payload={"range": "allWeek"})
    store.settle()


def test_from_the_feed_to_the_cache(quakes: imd.Store, feed: Feed, path: str) -> None:
    refresh(quakes)
    assert feed.urls == ["http://feed/all_week.geojson"]
    assert quakes.select("selectQuakesStatus") == {"success": {}}
    assert [quake["quakeId"] for quake in quakes.select("selectQuakesValues", **DAY)] == ["a"]
    assert quakes.select("selectQuakes", searchText="cobb", **DAY) == {}
    assert list(quakes.select("selectQuakes", start=MIDNIGHT - 1, end=MIDNIGHT)) == ["b"]
    with imd.open("quakes", store=path) as other:
        other.dispatch("ui/quakeList/onAppear")
        other.settle()
        assert other.state == quakes.state


def test_observers_of_unchanged_quakes_are_not_called(quakes: imd.Store, feed: Feed) -> None:
    refresh(quakes)
    outputs: list[Any] = []
    for quake_id in "ab":
        arguments = {"quakeId": quake_id}
        quakes.observe("selectQuake", outputs.append, arguments=arguments, initial=False)
    feed.features[1] = feature("b", 3.5, MIDNIGHT)
    refresh(quakes)
    assert [(quake["quakeId"], quake["magnitude"]) for quake in outputs] == [("b", 3.5)]


def test_a_page_instead_of_a_feed_leaves_the_quakes(quakes: imd.Store, feed: Feed) -> None:
    errors: list[str] = []
    quakes.on_error = lambda error, callback: errors.append(str(error))
    refresh(quakes)
    feed.content_type = "text/html"
    refresh(quakes)
    error = 'http://feed answered with "text/html", not with JSON; is it a feed of quakes?'
    assert quakes.select("selectQuakesStatus") == {"failure": {"error": error}}
    assert errors == [f'an effect after "{REFRESH}": {error}']
    assert quakes.select("selectQuakesCount") == 2


def test_deletions(quakes: imd.Store, path: str) -> None:
    refresh(quakes)
    quakes.dispatch("ui/quakeList/onTapDeleteSelectedQuakeButton", payload={"quakeId": "a"})
    assert quakes.select("selectQuakesCount") == 1
    with pytest.raises(imd.ReducerFailedError, match='there is no quake "a"'):
        quakes.dispatch("ui/quakeList/onTapDeleteSelectedQuakeButton", payload={"quakeId": "a"})
    quakes.dispatch("ui/quakeList/onTapDeleteAllQuakesButton")
    quakes.settle()
    with imd.open("quakes", store=path) as other:
        other.dispatch("ui/quakeList/onAppear")
        other.settle()
        assert other.select("selectQuakesCount") == 0


def test_the_domain_is_described() -> None:
    (quakes,) = [domain for domain in imd.domains() if domain["name"] == "quakes"]
    assert {selector["name"] for selector in quakes["selectors"]} == {
        "selectQuakes",
        "selectQuakesCount",
        "selectQuakesStatus",
        "selectQuakesValues",
        "selectQuake",
    }
