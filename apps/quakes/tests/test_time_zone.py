"""The time zone of days and times."""

import time
from datetime import datetime, timezone

import pytest

from immutabledata_quakes.time_zone import TimeZone

NOON = 1_795_348_800_000  # 2026-11-22 12:00:00 UTC


@pytest.mark.parametrize(
    ("zone", "clock", "full"),
    [
        ("UTC", "12:00:00", "2026-11-22 12:00:00 UTC"),
        ("Europe/Berlin", "13:00:00", "2026-11-22 13:00:00 CET"),
        ("Asia/Tokyo", "21:00:00", "2026-11-22 21:00:00 JST"),
    ],
)
def test_zones(zone, clock, full):
    zone = TimeZone(zone)
    assert (zone.clock(NOON), zone.full(NOON)) == (clock, full)
    assert zone.clock(NOON + 999) == clock
    assert zone.arguments == {"timeZone": zone.name}
    assert zone.title == zone.name


def test_daylight_saving_time():
    zone = TimeZone("Europe/Berlin")
    end = 1_792_890_000_000  # 2026-10-25 01:00:00 UTC
    assert zone.full(end - 1) == "2026-10-25 02:59:59 CEST"
    assert zone.full(end) == "2026-10-25 02:00:00 CET"


def test_the_zone_of_the_system(monkeypatch):
    monkeypatch.setenv("TZ", "ABC-2")
    time.tzset()
    try:
        zone = TimeZone()
        assert zone.clock(NOON) == "14:00:00"
        assert zone.title == "local time (ABC)"
        assert zone.arguments == {}
        assert zone.today() in {datetime.now().date(), datetime.now(timezone.utc).date()}
    finally:
        monkeypatch.undo()
        time.tzset()


@pytest.mark.parametrize("milliseconds", [10**18, -(10**18), 253_402_300_800_000])
def test_beyond_the_calendar(milliseconds):
    assert TimeZone("UTC").clock(milliseconds) == "?"


@pytest.mark.parametrize("name", ["Mars/Base", "", "../etc/passwd", "/etc/localtime", "A\0B"])
def test_unknown_zones(name):
    with pytest.raises(ValueError, match="there is no time zone"):
        TimeZone(name)
