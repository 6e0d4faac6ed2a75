"""Paints the columns, and their borders, titles and counters."""

from __future__ import annotations

from typing import Callable, NamedTuple

from immutabledata_terminal import printable
from textual.content import Content
from textual.strip import Strip
from textual.style import Style
from textual.widget import Widget

from .board import Board, Card, Place
from .card_lines import CardLines, one_line
from .layout import Drop, Layout


class Picture(NamedTuple):
    """What to paint."""

    board: Board
    """The cards that are shown."""
    total: Board
    """Also those that a search hides, which are counted."""
    cursor: Place
    has_focus: bool
    drop: Drop | None


class Painter:
    def __init__(self, widget: Widget, layout: Layout, style: Callable[[str], Style]) -> None:
        """style: the style with a name, such as "card"."""
        self._widget = widget
        self._layout = layout
        self._style = style
        self._cards = CardLines(widget, style)

    def forget_styles(self) -> None:
        self._cards.forget()

    def paint(self, picture: Picture, width: int, height: int, is_following: bool) -> list[Strip]:
        """The lines of a board, which has columns. is_following: scrolls to the cursor."""

        def lines_of(card: Card, place: Place, width: int) -> list[Strip]:
            return self._cards.lines(card, width, card_style(picture, card, place))

        self._cards.begin()
        layout = self._layout
        if is_following:
            layout.scroll_to_column(picture.cursor.column, picture.board, width)
        layout.arrange(picture.board, width, height, lines_of)
        if is_following:
            layout.scroll_to_card(picture.cursor)
        columns = [self._column(picture, index) for index in layout.columns]
        return [Strip.join(line) for line in zip(*columns)]

    def _column(self, picture: Picture, index: int) -> list[Strip]:
        style = self._style("border-focus" if index == picture.cursor.column else "border")
        layout = self._layout
        blocks, scroll = layout.blocks[index], layout.scroll_of(index)
        bar = one_line(self._widget, "│", 1, style)
        side = Strip.blank(1, self._style("board").rich_style)
        above = sum(block.bottom <= scroll for block in blocks)
        below = sum(block.top >= scroll + layout.room for block in blocks)
        width = layout.width_of(index)
        title = Content(self._title(picture, index, above)).stylize(self._style("title"))
        more = f"↓ {below}" if below else ""
        return [
            self._border("╭╮", title, self._counter(picture, index), width, style),
            *(Strip.join([bar, side, line, side, bar]) for line in self._inside(picture, index)),
            self._border("╰╯", Content(""), more, width, style),
        ]

    def _inside(self, picture: Picture, index: int) -> list[Strip]:
        """The lines of a column inside of its border."""
        layout = self._layout
        width, scroll = layout.width_of(index) - 4, layout.scroll_of(index)
        lines = [Strip.blank(max(width, 0), self._style("board").rich_style)] * layout.room
        for block in layout.blocks[index]:
            for number, line in enumerate(block.lines, block.top - scroll):
                if 0 <= number < layout.room:
                    lines[number] = line
        if not lines:
            return lines
        if picture.drop is not None and picture.drop.place.column == index:
            mark = one_line(self._widget, "─" * width, width, self._style("drop"))
            lines[layout.drop_line(picture.drop)] = mark
        elif not picture.board.columns[index].cards:
            hint = "nothing found" if picture.total.columns[index].cards else "no cards"
            lines[0] = one_line(self._widget, hint, width, self._style("hint"))
        return lines

    def _title(self, picture: Picture, index: int, above: int) -> str:
        columns, title = self._layout.columns, printable(picture.board.columns[index].title)
        if index == columns.start > 0:
            title = f"‹ {title}"
        if index == columns.stop - 1 < len(picture.board.columns) - 1:
            title = f"{title} ›"
        return f"{title} ↑ {above}" if above else title

    def _counter(self, picture: Picture, index: int) -> str:
        boards = picture.board, picture.total
        shown, total = (len(board.columns[index].cards) for board in boards)
        return f"{shown} of {total}" if shown < total else str(total)

    def _border(self, corners: str, left: Content, right: str, width: int, style: Style) -> Strip:
        """A horizontal border with two texts in it."""
        end = Content(f" {right} " if right else "")
        room = max(width - 4 - end.cell_length, 0)
        begin = Content.assemble(" ", left, " ") if left else left
        begin = begin.truncate(room, ellipsis=True)
        line = "─" * (room - begin.cell_length)
        content = Content.assemble(corners[0], "─", begin, line, end, "─", corners[1])
        return one_line(self._widget, content, width, style)


def card_style(picture: Picture, card: Card, place: Place) -> str:
    """The name of the style of a card."""
    if picture.drop is not None and card.id == picture.drop.card:
        return "dragged"
    if place == picture.cursor:
        return "cursor" if picture.has_focus else "blurred"
    return "card"
