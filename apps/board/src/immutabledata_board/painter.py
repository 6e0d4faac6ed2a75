"""Paints the board: columns side by side, each with its cards below each other."""

from __future__ import annotations

from typing import Callable, NamedTuple

from immutabledata_terminal import printable
from textual.content import Content
from textual.strip import Strip
from textual.style import Style
from textual.visual import Visual
from textual.widget import Widget

from .board import Board, Card, Place

MIN_WIDTH = 24
"""The least width of a column. If not all fit, only some of them are shown."""

MAX_LINES = 3
"""How many lines of a title are shown."""


NOTES = Style(dim=True)
"""What the notes of a card add to its style."""


class Drop(NamedTuple):
    """A card that the mouse drags, and where it would go: a place among the other cards."""

    card: str
    place: Place


class Block(NamedTuple):
    """A card in its column."""

    row: int
    top: int
    """The first line, from the top of the column without scrolling."""
    lines: list[Strip]

    @property
    def bottom(self) -> int:
        return self.top + len(self.lines)


class Painter:
    """Knows where everything is: it paints the lines, and finds what is at a cell."""

    def __init__(self, widget: Widget, style: Callable[[str], Style]) -> None:
        """style: the style with a name, such as "card"."""
        self._widget = widget
        self._style = style
        self.board = Board(())
        self.total = Board(())
        """The board with the cards that a search hides, which are counted."""
        self.cursor = Place(0, 0)
        self.drop: Drop | None = None
        self.has_focus = True
        self._width, self._height = 0, 0
        self._first = 0
        """The index of the first column in view."""
        self._scrolls: dict[str, int] = {}
        """How many lines of a column are above the view."""
        self._blocks: dict[int, list[Block]] = {}
        self._lines: dict[tuple[Card, int, str], list[Strip]] = {}
        """The lines of the cards in the columns in view, by width and style."""

    # ---- Layout ----------------------------------------------------------------------------------

    def layout(self, width: int, height: int, is_following: bool) -> None:
        """Lays everything out. is_following: scrolls, so that the cursor is in view."""
        self._width, self._height = width, height
        count = self._count
        if is_following:
            first = max(self._first, self.cursor.column - count + 1)
            self._first = min(first, self.cursor.column)
        self._first = max(0, min(self._first, len(self.board.columns) - count))
        known, self._lines = self._lines, {}
        self._blocks = {index: self._lay_out(index, known) for index in self._in_view}
        for index, blocks in self._blocks.items():
            id = self.board.columns[index].id
            scroll = self._scrolls.get(id, 0)
            if is_following and index == self.cursor.column and blocks:
                block = blocks[self.cursor.row]
                scroll = min(max(scroll, block.bottom - self._room), block.top)
            end = blocks[-1].bottom if blocks else 0
            self._scrolls[id] = max(0, min(scroll, end - self._room))

    @property
    def _count(self) -> int:
        """How many columns are in view."""
        return max(1, min(len(self.board.columns), self._width // MIN_WIDTH))

    @property
    def _in_view(self) -> range:
        return range(self._first, min(self._first + self._count, len(self.board.columns)))

    @property
    def _room(self) -> int:
        """The height of a column inside of its border."""
        return max(self._height - 2, 0)

    def _left(self, index: int) -> int:
        """The first cell of a column in view, or the end of the last one."""
        return (index - self._first) * self._width // self._count

    def _width_of(self, index: int) -> int:
        return self._left(index + 1) - self._left(index)

    def _lay_out(self, index: int, known: dict[tuple[Card, int, str], list[Strip]]) -> list[Block]:
        gap = 1 if self._height >= 16 else 0
        top, blocks = 0, []
        for row, card in enumerate(self.board.columns[index].cards):
            key = card, self._width_of(index) - 4, self._card_style(card, Place(index, row))
            lines = known.get(key) or self._card_lines(*key)
            self._lines[key] = lines
            blocks.append(Block(row, top, lines))
            top += len(lines) + gap
        return blocks

    def _card_style(self, card: Card, place: Place) -> str:
        if self.drop is not None and card.id == self.drop.card:
            return "dragged"
        if place == self.cursor:
            return "cursor" if self.has_focus else "blurred"
        return "card"

    def _card_lines(self, card: Card, width: int, style_name: str) -> list[Strip]:
        style = self._style(style_name)
        lines = self._text(printable(card.title), width - 2, style)
        if len(lines) > MAX_LINES:
            rest = "".join(line.text for line in lines[MAX_LINES - 1 :])
            lines[MAX_LINES - 1 :] = [self._line(rest, width - 2, style)]
        if card.notes:
            notes = printable(card.notes.strip().split("\n")[0])
            lines.append(self._line(notes, width - 2, style + NOTES))
        edge = Strip.blank(1, style.rich_style)
        return [Strip.join([edge, line, edge]) for line in lines]

    def _text(self, text: str, width: int, style: Style) -> list[Strip]:
        return Visual.to_strips(self._widget, Content(text), max(width, 1), None, style, pad=True)

    def _line(self, text: str, width: int, style: Style) -> Strip:
        """One line, cut to a width."""
        content = Content(text).truncate(max(width, 1), ellipsis=True)
        return Visual.to_strips(self._widget, content, max(width, 1), 1, style, pad=True)[0]

    def forget_styles(self) -> None:
        """Renders all cards again: the theme has changed."""
        self._lines.clear()

    # ---- Painting --------------------------------------------------------------------------------

    def paint(self) -> list[Strip]:
        """The lines of the view."""
        columns = [self._column(index) for index in self._in_view]
        return [Strip.join(line) for line in zip(*columns)]

    def _column(self, index: int) -> list[Strip]:
        column = self.board.columns[index]
        style = self._style("border-focus" if index == self.cursor.column else "border")
        width, scroll, blocks = self._width_of(index), self._scrolls[column.id], self._blocks[index]
        side = Strip.blank(1, self._style("board").rich_style)
        empty = Strip.blank(max(width - 4, 0), self._style("board").rich_style)
        inside = [empty] * self._room
        for block in blocks:
            for number, line in enumerate(block.lines, block.top - scroll):
                if 0 <= number < self._room:
                    inside[number] = line
        if self.drop is not None and self.drop.place.column == index and self._room:
            number = self._drop_line(index) - scroll
            mark = self._line("─" * (width - 4), width - 4, self._style("drop"))
            inside[max(0, min(number, self._room - 1))] = mark
        elif not column.cards and self._room:
            text = "nothing found" if self.total.columns[index].cards else "no cards"
            inside[0] = self._line(text, width - 4, self._style("hint"))
        bar = self._line("│", 1, style)
        lines = [Strip.join([bar, side, line, side, bar]) for line in inside]
        above = sum(block.bottom <= scroll for block in blocks)
        below = sum(block.top >= scroll + self._room for block in blocks)
        top = self._border("╭╮", self._title(index, above), self._counter(index), width, style)
        bottom = self._border("╰╯", "", f"↓ {below}" if below else "", width, style)
        return [top, *lines, bottom]

    def _title(self, index: int, above: int) -> str:
        columns, title = self._in_view, printable(self.board.columns[index].title)
        if index == columns.start > 0:
            title = f"‹ {title}"
        if index == columns.stop - 1 < len(self.board.columns) - 1:
            title = f"{title} ›"
        return f"{title} ↑ {above}" if above else title

    def _counter(self, index: int) -> str:
        shown, total = (len(each.columns[index].cards) for each in (self.board, self.total))
        return f"{shown} of {total}" if shown < total else str(total)

    def _border(self, corners: str, left: str, right: str, width: int, style: Style) -> Strip:
        """A horizontal border with two texts in it."""
        end = Content(f" {right} " if right else "")
        room = width - 4 - end.cell_length
        begin = Content(f" {left} ").truncate(max(room, 0), ellipsis=True) if left else Content("")
        line = "─" * max(room - begin.cell_length, 0)
        begin = begin.stylize(self._style("title") if corners == "╭╮" else "")
        content = Content.assemble(corners[0], "─", begin, line, end, "─", corners[1])
        return Visual.to_strips(self._widget, content, width, 1, style, pad=True)[0]

    def _drop_line(self, index: int) -> int:
        """The line of the mark where the dragged card would go: the gap above another card."""
        assert self.drop is not None
        others = self._others(index, self.drop.card)
        if self.drop.place.row < len(others):
            return max(others[self.drop.place.row].top - 1, 0)
        return others[-1].bottom if others else 0

    def _others(self, index: int, card_id: str) -> list[Block]:
        """The blocks of a column without that of a card."""
        cards = self.board.columns[index].cards
        return [block for block in self._blocks[index] if cards[block.row].id != card_id]

    # ---- The mouse -------------------------------------------------------------------------------

    def column_at(self, x: int) -> int:
        """The index of the column at a cell, or next to it."""
        columns = self._in_view
        found = [index for index in columns if self._left(index) <= x]
        return found[-1] if found else columns.start

    def place_at(self, x: int, y: int) -> Place | None:
        """The place of the card at a cell; None if there is none."""
        index = self.column_at(x)
        line = self._line_at(index, y)
        for block in self._blocks.get(index, []):
            if 0 < y <= self._room and block.top <= line < block.bottom:
                return Place(index, block.row)
        return None

    def drop_at(self, card_id: str, x: int, y: int) -> Drop:
        """Where a card goes that is dragged to a cell: above a card if over its upper half."""
        index = self.column_at(x)
        line = self._line_at(index, y)
        others = self._others(index, card_id)
        row = sum(block.top + len(block.lines) / 2 <= line for block in others)
        return Drop(card_id, Place(index, row))

    def scroll(self, x: int, lines: int) -> None:
        """Scrolls the column at a cell. The next layout keeps to its ends."""
        id = self.board.columns[self.column_at(x)].id
        self._scrolls[id] = self._scrolls.get(id, 0) + lines

    def _line_at(self, index: int, y: int) -> int:
        return y - 1 + self._scrolls.get(self.board.columns[index].id, 0)
