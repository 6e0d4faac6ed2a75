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
    def arguments(self) -> dict[str, Any]:
        """The argument of selectors; none for the zone of the system."""
        return {} if self.name is None else {"timeZone": self.name}

    @property
    def title(self) -> str:
        """The zone, for people."""
        return self.name or f"local time ({self._local(datetime.now(timezone.utc)).tzname()})"

    def today(self) -> date:
        """The current day in the zone."""
        return self._local(datetime.now(timezone.utc)).date()

    def clock(self, milliseconds: int) -> str:
        """The time of day, such as "14:03:05", of milliseconds since 1970."""
        return self._format(milliseconds, "%H:%M:%S")

    def full(self, milliseconds: int) -> str:
        """The date, the time and the abbreviation of the zone, of milliseconds since 1970."""
        return self._format(milliseconds, "%Y-%m-%d %H:%M:%S %Z")

    def _local(self, time: datetime) -> datetime:
        return time.astimezone(self._zone)

    def _format(self, milliseconds: int, pattern: str) -> str:
        try:
            time = datetime.fromtimestamp(milliseconds // 1000, timezone.utc)
            return self._local(time).strftime(pattern)
        except (OverflowError, OSError, ValueError):
            # Beyond the years 1 to 9999.
            return "?"
