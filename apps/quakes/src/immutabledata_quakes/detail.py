"""The text with one quake."""

from __future__ import annotations

from immutabledata_terminal import Record, StoreWidget, printable
from textual.content import Content
from textual.reactive import var
from textual.widgets import Static

from .magnitude import color_of, magnitude_text
from .time_zone import TimeZone


class Detail(Static, StoreWidget):
    """The place, the magnitude, the time and the coordinates of a quake."""

    quake_id: var[str | None] = var(None)

    def __init__(self, zone: TimeZone) -> None:
        super().__init__(id="detail")
        self.zone = zone
        self.quake: Record | None = None

    def watch_quake_id(self, quake_id: str | None) -> None:
        self.observe("selectQuake", self.show_quake, quakeId=quake_id)
        self.store.poll()

    def show_quake(self, quake: Record | None) -> None:
        self.quake = quake
        self.update(self._text())

    def _text(self) -> Content:
        if self.quake is None:
            return Content("Choose a quake to see it here.").stylize("dim")
        magnitude = self.quake["magnitude"]
        return Content.assemble(
            (f"{magnitude_text(magnitude)} ", color_of(magnitude)),
            (printable(self.quake["name"]), "bold"),
            "\n",
            self.zone.full(self.quake["time"]),
            "\n",
            coordinates(self.quake["longitude"], self.quake["latitude"]),
        )


def coordinates(longitude: float, latitude: float) -> str:
    """A position for people, such as "35.77° N, 117.60° W"."""
    vertical = f"{abs(latitude):.2f}° {'S' if latitude < 0 else 'N'}"
    return f"{vertical}, {abs(longitude):.2f}° {'W' if longitude < 0 else 'E'}"
