"""The widget that shows the world."""

from __future__ import annotations

from collections.abc import Sequence

from immutabledata_terminal import Record
from rich.segment import Segment
from rich.style import Style
from textual.events import Click
from textual.message import Message
from textual.strip import Strip
from textual.widget import Widget

from ..magnitude import color_of
from .land import land
from .projection import cell_of, fit


class WorldMap(Widget):
    """A map as large as the widget, with a dot for each quake.

    If several quakes are in one cell, it shows the strongest one. The selected quake is always
    shown.
    """

    COMPONENT_CLASSES = {"world-map--land"}

    class Chosen(Message):
        """The user clicked on a quake."""

        def __init__(self, quake_id: str) -> None:
            super().__init__()
            self.quake_id = quake_id

    def __init__(self) -> None:
        super().__init__()
        self.quakes: Sequence[Record] = ()
        self.selected: str | None = None
        self._cells: dict[tuple[int, int], Record] = {}

    def show_quakes(self, quakes: Sequence[Record]) -> None:
        """Replaces the quakes."""
        self.quakes = quakes
        self._place()

    def select(self, quake_id: str | None) -> None:
        """Highlights a quake."""
        self.selected = quake_id
        self._place()

    @property
    def extent(self) -> tuple[int, int]:
        """The size of the map in cells."""
        return fit(self.size.width, self.size.height)

    @property
    def origin(self) -> tuple[int, int]:
        """The column and the row at which the map begins. It is centered in the widget."""
        width, height = self.extent
        return (self.size.width - width) // 2, (self.size.height - height) // 2

    def on_resize(self) -> None:
        self._place()

    def on_click(self, event: Click) -> None:
        left, top = self.origin
        quake = self._cells.get((event.x - left, event.y - top))
        if quake is not None:
            self.post_message(self.Chosen(quake["quakeId"]))

    def _place(self) -> None:
        """Finds the quake that each cell shows."""
        width, height = self.extent
        self._cells = {}
        if width and height:
            for quake in self.quakes:
                cell = cell_of(quake["longitude"], quake["latitude"], width, height)
                if self._prefers(quake, self._cells.get(cell)):
                    self._cells[cell] = quake
        self.refresh()

    def _prefers(self, quake: Record, other: Record | None) -> bool:
        if other is None or quake["quakeId"] == self.selected:
            return True
        is_stronger: bool = quake["magnitude"] > other["magnitude"]
        return is_stronger and other["quakeId"] != self.selected

    # ---- Drawing ---------------------------------------------------------------------------------

    def render_line(self, y: int) -> Strip:
        width, height = self.extent
        left, top = self.origin
        row = y - top
        if not (width and 0 <= row < height):
            return Strip.blank(self.size.width, self.rich_style)
        style = self.get_component_rich_style("world-map--land")
        blank = Segment(" " * left, self.rich_style)
        cells = [
            self._segment(x, row, text, style) for x, text in enumerate(land(width, height)[row])
        ]
        strip = Strip([blank, *cells], left + width)
        return strip.simplify().adjust_cell_length(self.size.width, self.rich_style)

    def _segment(self, x: int, y: int, land: str, style: Style) -> Segment:
        quake = self._cells.get((x, y))
        if quake is None:
            return Segment(land, style)
        color = Style(color=color_of(quake["magnitude"]), bold=True)
        if quake["quakeId"] == self.selected:
            return Segment("◉", style + color + Style(reverse=True))
        return Segment("●", style + color)
