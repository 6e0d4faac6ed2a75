"""The time zone in which days begin and times are shown."""

from __future__ import annotations

from datetime import date, datetime, timezone
from typing import Any
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError


class TimeZone:
    """A zone of the IANA database, or that of the system."""

    def __init__(self, name: str | None = None) -> None:
        """None selects the zone of the system.

        Raises ValueError if there is no zone of this name.
        """
        self.name = name
        try:
            self._zone = None if name is None else ZoneInfo(name)
        except (ZoneInfoNotFoundError, ValueError, OSError) as error:
            message = f'there is no time zone "{name}" here; expected a name such as Europe/Berlin'
            raise ValueError(message) from error

    @property
    def title(self) -> str:
        """The zone, for people."""
        return self.name or f"local time ({self._local(datetime.now(timezone.utc)).tzname()})"

    def today(self) -> date:
        """The current day in the zone."""
        return self._local(datetime.now(timezone.utc)).date()

    def times(self, day: date) -> dict[str, Any]:
        """The arguments of selectors for a day: the start of it, and that of the next day."""
        number = day.toordinal()
        return {"start": self._start(number), "end": self._start(number + 1)}

    def day(self, milliseconds: int) -> date | None:
        """The day of milliseconds since 1970; None beyond the years 1 to 9999."""
        try:
            time = datetime.fromtimestamp(milliseconds // 1000, timezone.utc)
            return self._local(time).date()
        except (OverflowError, OSError, ValueError):
            return None

    def clock(self, milliseconds: int) -> str:
        """The time of day, such as "14:03:05", of milliseconds since 1970."""
        return self._format(milliseconds, "%H:%M:%S")

    def full(self, milliseconds: int) -> str:
        """The date, the time and the abbreviation of the zone, of milliseconds since 1970."""
        return self._format(milliseconds, "%Y-%m-%d %H:%M:%S %Z")

    def _start(self, number: int) -> int:
        """The first time of a day, by its number since the year 1, in milliseconds since 1970."""
        try:
            return int(datetime.fromordinal(number).replace(tzinfo=self._zone).timestamp()) * 1000
        except (OverflowError, OSError, ValueError):
            # At an end of the calendar, with the years 1 to 9999: as in UTC.
            return (number - date(1970, 1, 1).toordinal()) * 86_400_000

    def _local(self, time: datetime) -> datetime:
        return time.astimezone(self._zone)

    def _format(self, milliseconds: int, pattern: str) -> str:
        try:
            time = datetime.fromtimestamp(milliseconds // 1000, timezone.utc)
            return self._local(time).strftime(pattern)
        except (OverflowError, OSError, ValueError):
            # Beyond the years 1 to 9999.
            return "?"
