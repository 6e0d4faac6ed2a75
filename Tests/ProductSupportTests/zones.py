"""Prints what Python's zoneinfo knows about the time zones of this system, for a comparison.

    zones.py

For each zone, prints a line for each point in time of a sample: "offset", the zone's name, seconds
since 1970, and the offset from UTC. Then, for some dates, mostly those around a change of the
offset: "start", the zone's name, days since 1970, and the second at which the day starts.
"""

import random
import sys
import zoneinfo
from datetime import datetime, timedelta, timezone

EPOCH = datetime(1970, 1, 1, tzinfo=timezone.utc)
FIRST, LAST = -2_500_000_000, 4_500_000_000
DAY = 86_400


def offset(zone, second):
    return int((EPOCH + timedelta(seconds=second)).astimezone(zone).utcoffset().total_seconds())


def changes(zone, first, last, step):
    """The seconds at which the offset changes, if no two changes are closer than a step."""
    found = []
    for start in range(first, last, step):
        low, high = start, start + step
        before = offset(zone, low)
        if offset(zone, high) == before:
            continue
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (middle, high) if offset(zone, middle) == before else (low, middle)
        found.append(high)
    return found


def start_of_day(zone, day):
    """The first second whose local date is this one or a later one."""
    midnight = day * DAY
    edges = changes(zone, midnight - 26 * 3600, midnight + 26 * 3600, 1800)
    for start in [midnight - 26 * 3600, *edges]:
        # In each period of one offset, the only candidates are its start and midnight.
        candidate = max(start, midnight - offset(zone, start))
        if candidate + offset(zone, candidate) >= midnight and not any(
            start < edge <= candidate for edge in edges
        ):
            return candidate
    raise ValueError(f"{zone}: no start of day {day}")


def main():
    # Debian has a link to the file of the system, which is no name of a zone.
    names = sorted(zoneinfo.available_timezones() - {"localtime"})
    for name in names:
        zone = zoneinfo.ZoneInfo(name)
        sample = random.Random(name)
        year = sample.randrange(FIRST, LAST, DAY)
        edges = changes(zone, year, year + 2 * 366 * DAY, 7 * DAY)
        times = [sample.randrange(FIRST, LAST) for _ in range(40)]
        times += [edge + step for edge in edges for step in (-1, 0)]
        for second in times:
            print("offset", name, second, offset(zone, second))
        days = [sample.randrange(FIRST // DAY, LAST // DAY)]
        days += [edge // DAY + step for edge in edges for step in (-1, 0, 1)][:12]
        for day in days:
            print("start", name, day, start_of_day(zone, day))


if __name__ == "__main__":
    sys.exit(main())
