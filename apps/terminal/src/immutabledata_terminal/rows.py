"""A list of records with a cursor, one line each. It renders only the lines in view."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Callable

from textual.binding import Binding
from textual.content import Content
from textual.events import Click, Resize
from textual.geometry import Region, Size
from textual.reactive import var
from textual.scroll_view import ScrollView
from textual.strip import Strip
from textual.visual import Visual

Record = dict[str, Any]
"""A record of the store, as plain data."""


class Rows(ScrollView, can_focus=True, inherit_bindings=False):
    """Shows records, or a text instead of an empty list.

    Textual's OptionList lays out every row again when one changes. With 10,000 rows this takes half
    a second.
    """

    ALLOW_SELECT = False
    BINDINGS = [
        Binding("up", "move(-1)", show=False),
        Binding("down", "move(1)", show=False),
        Binding("pageup", "move_page(-1)", show=False),
        Binding("pagedown", "move_page(1)", show=False),
        Binding("home", "first", show=False),
        Binding("end", "last", show=False),
        Binding("enter", "screen.enter", show=False),
    ]
    COMPONENT_CLASSES = {"rows--cursor", "rows--text"}

    cursor: var[int | None] = var(None, init=False)
    """The index of the selected record; None if there are no records."""

    def __init__(self, line: Callable[[Record], Content]) -> None:
        """line: renders a record."""
        super().__init__()
        self.records: Sequence[Record] = ()
        self.text = ""
        self._line = line

    def show(self, records: Sequence[Record], cursor: int) -> None:
        """Replaces the records, and selects the one at the index cursor, or the last one.

        Scrolls only if the index has changed: the user may have scrolled elsewhere.
        """
        old, self.records = self.cursor, records
        self.cursor = min(cursor, len(records) - 1) if records else None
        self.virtual_size = Size(0, len(records))
        self.set_class(bool(records), "-records")
        self.refresh()
        if self.cursor != old:
            # The new height is known after the layout.
            self.call_after_refresh(self._scroll_to_cursor)

    def show_text(self, text: str) -> None:
        """Replaces the text."""
        self.text = text
        self.refresh()

    def render_line(self, y: int) -> Strip:
        width = self.scrollable_content_region.width
        if self.records:
            strips = self._render_record(y + self.scroll_offset.y, width)
        else:
            style = self.get_visual_style("rows--text")
            strips = Visual.to_strips(self, Content(self.text), width, None, style)[y:]
        return strips[0] if strips else Strip.blank(width, self.rich_style)

    def _render_record(self, index: int, width: int) -> list[Strip]:
        if index >= len(self.records):
            return []
        at_cursor = index == self.cursor
        style = self.get_visual_style("rows--cursor") if at_cursor else self.visual_style
        return Visual.to_strips(self, self._line(self.records[index]), width, 1, style, pad=True)

    # ---- Cursor ----------------------------------------------------------------------------------

    def watch_cursor(self, old: int | None, new: int | None) -> None:
        for index in (old, new):
            if index is not None:
                self.refresh_line(index)
        self._scroll_to_cursor()

    def on_resize(self, event: Resize) -> None:
        self._scroll_to_cursor()

    def on_click(self, event: Click) -> None:
        index = event.y + self.scroll_offset.y
        if index < len(self.records):
            self.cursor = index

    def action_move(self, step: int) -> None:
        if self.cursor is not None:
            self.cursor = max(0, min(self.cursor + step, len(self.records) - 1))

    def action_move_page(self, pages: int) -> None:
        self.action_move(pages * self.size.height)

    def action_first(self) -> None:
        self.action_move(-len(self.records))

    def action_last(self) -> None:
        self.action_move(len(self.records))

    def _scroll_to_cursor(self) -> None:
        if self.cursor is not None:
            line = Region(0, self.cursor, 1, 1)
            self.scroll_to_region(line, animate=False, force=True, immediate=True)
