"""The line with the day that is shown."""

from __future__ import annotations

from datetime import date

from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.widgets import Button, Label

from .time_zone import TimeZone


class DayBar(Horizontal):
    """The day, buttons that choose another one, and the time zone in which days begin."""

    def __init__(self, zone: TimeZone) -> None:
        super().__init__(id="days")
        self.day = Label(id="shown-day")
        self._zone = zone

    def compose(self) -> ComposeResult:
        yield Button("◀", action="screen.move_day(-1)", compact=True)
        yield self.day
        yield Button("▶", action="screen.move_day(1)", compact=True)
        yield Button("Today", action="screen.today", compact=True)
        yield Button("Go to…", action="screen.go_to_day", compact=True)
        yield Label(self._zone.title, id="zone", markup=False)

    def show(self, day: date) -> None:
        """Shows a day."""
        self.day.update(f"{day:%a} {day.day} {day:%b %Y}")
