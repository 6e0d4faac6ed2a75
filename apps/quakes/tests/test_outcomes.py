"""The texts for the outcomes of effects."""

import pytest

from immutabledata_quakes.outcomes import Outcome

FAILED = {"failure": {"error": "disk full"}}
QUAKE = {"failure": {"error": "disk full", "quake": {"name": "Lima, Peru"}}}


@pytest.mark.parametrize(
    ("action", "payload", "expected"),
    [
        ("localStore/didFetchQuakes", {"result": {"success": {"quakes": []}}}, ("load", "", "")),
        (
            "localStore/didFetchQuakes",
            {"result": FAILED},
            ("load", "Couldn't load the stored quakes: disk full. Press l to load them again.", ""),
        ),
        (
            "remoteStore/didFetchQuakes",
            {"result": FAILED},
            ("feed", "Couldn't get the feed: disk full. The stored quakes are shown.", ""),
        ),
        (
            "remoteStore/didFetchQuakes",
            {"result": {"failure": {"error": "is it a feed?"}}},
            ("feed", "Couldn't get the feed: is it a feed? The stored quakes are shown.", ""),
        ),
        (
            "localStore/didSaveQuakes",
            {"result": FAILED},
            ("save", "The new quakes were not stored: disk full. Press r to try again.", ""),
        ),
        (
            "localStore/didDeleteQuake",
            {"quakeId": "1", "result": QUAKE},
            ("delete", "Lima, Peru was not deleted: disk full. Try again.", ""),
        ),
        (
            "localStore/didDeleteAllQuakes",
            {"result": FAILED},
            ("delete", "The quakes were not deleted: disk full. Try again.", ""),
        ),
        (
            "remoteStore/didSkipFeatures",
            {"count": 1, "error": "no id"},
            ("skip", "", "1 quake of the feed could not be read: no id"),
        ),
        (
            "remoteStore/didSkipFeatures",
            {"count": 2000, "error": "no id"},
            ("skip", "", "2,000 quakes of the feed could not be read: no id"),
        ),
    ],
)
def test_outcomes(action, payload, expected):
    action = {"type": f"data/persistentSession/{action}", "payload": payload}
    assert Outcome.of(action) == expected
