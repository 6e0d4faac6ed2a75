"""The time zone of days and times."""

import time
from datetime import date, datetime, timezone

import pytest

from immutabledata_quakes.time_zone import TimeZone

NOON = 1_795_348_800_000  # 2026-11-22 12:00:00 UTC
HOUR = 3_600_000


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
    assert zone.title == zone.name


def test_daylight_saving_time():
    zone = TimeZone("Europe/Berlin")
    end = 1_792_890_000_000  # 2026-10-25 01:00:00 UTC
    assert zone.full(end - 1) == "2026-10-25 02:59:59 CEST"
    assert zone.full(end) == "2026-10-25 02:00:00 CET"


@pytest.mark.parametrize(
    ("zone", "day", "start", "hours"),
    [
        ("UTC", "2025-11-21", 1_763_683_200_000, 24),
        ("Asia/Kathmandu", "2025-11-21", 1_763_662_500_000, 24),
        ("America/Los_Angeles", "2025-11-21", 1_763_712_000_000, 24),
        # From 00:00 CET to 24:00 CEST, and back.
        ("Europe/Berlin", "2025-03-30", 1_743_289_200_000, 23),
        ("Europe/Berlin", "2025-10-26", 1_761_429_600_000, 25),
        # Clocks skip midnight, so the day begins at 01:00.
        ("America/Sao_Paulo", "2018-11-04", 1_541_300_400_000, 23),
        # Clocks repeat midnight, so the day begins with the first.
        ("America/Havana", "2025-11-02", 1_762_056_000_000, 25),
        # Samoa skipped the day.
        ("Pacific/Apia", "2011-12-30", 1_325_239_200_000, 0),
    ],
)
def test_a_day(zone, day, start, hours):
    times = TimeZone(zone).times(date.fromisoformat(day))
    assert times == {"start": start, "end": start + hours * HOUR}


@pytest.mark.parametrize("zone", ["UTC", "Asia/Tokyo", "America/Los_Angeles", None])
def test_the_days_at_the_ends_of_the_calendar(zone):
    for day, number in ((date.min, -719_162), (date.max, 2_932_896)):
        times = TimeZone(zone).times(day)
        assert abs(times["start"] - number * 24 * HOUR) < 24 * HOUR
        assert 0 < times["end"] - times["start"] < 48 * HOUR


def test_the_zone_of_the_system(monkeypatch):
    monkeypatch.setenv("TZ", "ABC-2")
    time.tzset()
    try:
        zone = TimeZone()
        assert zone.clock(NOON) == "14:00:00"
        assert zone.title == "local time (ABC)"
        assert zone.times(date(2026, 11, 22)) == {"start": NOON - 14 * HOUR, "end": NOON + 10 * HOUR}
        assert zone.today() in {datetime.now().date(), datetime.now(timezone.utc).date()}
    finally:
        monkeypatch.undo()
        time.tzset()


@pytest.mark.parametrize("milliseconds", [10**18, -(10**18), 253_402_300_800_000])
def test_beyond_the_calendar(milliseconds):
    assert TimeZone("UTC").clock(milliseconds) == "?"
    assert TimeZone("UTC").day(milliseconds) is None


@pytest.mark.parametrize(
    ("zone", "day"), [("UTC", 22), ("Asia/Tokyo", 22), ("Pacific/Auckland", 23)]
)
def test_the_day_of_a_time(zone, day):
    assert TimeZone(zone).day(NOON) == date(2026, 11, day)


@pytest.mark.parametrize("name", ["Mars/Base", "", "../etc/passwd", "/etc/localtime", "A\0B"])
def test_unknown_zones(name):
    with pytest.raises(ValueError, match="there is no time zone"):
        TimeZone(name)
