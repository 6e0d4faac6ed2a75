"""Where everything is: the columns side by side, and in each the cards below each other."""

from __future__ import annotations

from typing import Callable, NamedTuple

from textual.strip import Strip

from .board import Board, Card, Place

MIN_WIDTH = 24
"""The least width of a column. If not all fit, only some of them are in view."""

TALL = 16
"""From this height on, there is a line between two cards."""


class Block(NamedTuple):
    """A card in its column."""

    row: int
    top: int
    """The first line, from the top of the column without scrolling."""
    lines: list[Strip]

    @property
    def bottom(self) -> int:
        return self.top + len(self.lines)


class Drop(NamedTuple):
    """A card that the mouse drags, and where it would go: a place among the other cards."""

    card: str
    place: Place


LinesOf = Callable[[Card, Place, int], "list[Strip]"]
"""Renders a card at a place in some width."""


class Layout:
    """Keeps how far the board is scrolled, and finds what is at a cell."""

    def __init__(self) -> None:
        self.board = Board(())
        self.columns = range(0)
        """The indices of the columns in view."""
        self._next_first = 0
        """The first of the columns to show next."""
        self.blocks: dict[int, list[Block]] = {}
        """The cards of the columns in view."""
        self._width, self._height = 0, 0
        self._scrolls: dict[str, int] = {}
        """How many lines of a column are above the view, by its id."""

    def arrange(self, board: Board, width: int, height: int, lines_of: LinesOf) -> None:
        """Lays a board out, which has columns. Scrolls no further than to its ends."""
        self.board, self._width, self._height = board, width, height
        self._show_columns(self._next_first)
        self.blocks = {index: self._stack(index, lines_of) for index in self.columns}
        for index, blocks in self.blocks.items():
            end = blocks[-1].bottom if blocks else 0
            scroll = max(0, min(self.scroll_of(index), end - self.room))
            self._scrolls[board.columns[index].id] = scroll

    def _show_columns(self, first: int) -> None:
        total = len(self.board.columns)
        count = max(1, min(total, self._width // MIN_WIDTH))
        start = max(0, min(first, total - count))
        self.columns = range(start, start + count)
        self._next_first = start

    def _stack(self, index: int, lines_of: LinesOf) -> list[Block]:
        top, blocks = 0, []
        for row, card in enumerate(self.board.columns[index].cards):
            lines = lines_of(card, Place(index, row), self.width_of(index) - 4)
            blocks.append(Block(row, top, lines))
            top += len(lines) + (1 if self._height >= TALL else 0)
        return blocks

    # ---- Scrolling -------------------------------------------------------------------------------

    def scroll_to_column(self, index: int, board: Board, width: int) -> None:
        """Has the next layout show a column."""
        self.board, self._width = board, width
        self._show_columns(self.columns.start)
        self._show_columns(min(index, max(self.columns.start, index - len(self.columns) + 1)))

    def scroll_to_card(self, place: Place) -> None:
        """Shows a card whose column is in view."""
        blocks = self.blocks.get(place.column)
        if blocks:
            block = blocks[place.row]
            scroll = max(self.scroll_of(place.column), block.bottom - self.room)
            self._scrolls[self.board.columns[place.column].id] = min(scroll, block.top)

    def scroll(self, x: int, lines: int) -> None:
        """Scrolls the column at a cell."""
        index = self.column_at(x)
        self._scrolls[self.board.columns[index].id] = self.scroll_of(index) + lines

    def scroll_at_edge(self, x: int) -> None:
        """Has the next layout show one more column if a cell is at the edge of the view."""
        step = -1 if x <= 0 else 1 if x >= self._width - 1 else 0
        self._next_first = self.columns.start + step

    def scroll_of(self, index: int) -> int:
        return self._scrolls.get(self.board.columns[index].id, 0)

    # ---- Cells -----------------------------------------------------------------------------------

    @property
    def room(self) -> int:
        """The height of a column inside of its border."""
        return max(self._height - 2, 0)

    def width_of(self, index: int) -> int:
        return self._left(index + 1) - self._left(index)

    def _left(self, index: int) -> int:
        """The first cell of a column in view, or the end of the last one."""
        return (index - self.columns.start) * self._width // len(self.columns)

    def column_at(self, x: int) -> int:
        """The index of the column at a cell, or next to it."""
        found = [index for index in self.columns if self._left(index) <= x]
        return found[-1] if found else self.columns.start

    def place_at(self, x: int, y: int) -> Place | None:
        """The place of the card at a cell; None if there is none."""
        index = self.column_at(x)
        line = self._line_at(index, y)
        for block in self.blocks.get(index, []):
            if 0 < y <= self.room and block.top <= line < block.bottom:
                return Place(index, block.row)
        return None

    def drop_at(self, card_id: str, x: int, y: int) -> Drop:
        """Where a card goes that is dragged to a cell: above a card if over its upper half."""
        index = self.column_at(x)
        line = self._line_at(index, y)
        others = self._others(index, card_id)
        row = sum(block.top + len(block.lines) / 2 <= line for block in others)
        return Drop(card_id, Place(index, row))

    def drop_line(self, drop: Drop) -> int:
        """The line in view at which a dragged card would go: the one above another card."""
        others = self._others(drop.place.column, drop.card)
        if drop.place.row < len(others):
            line = others[drop.place.row].top - 1
        else:
            line = others[-1].bottom if others else 0
        return max(0, min(line - self.scroll_of(drop.place.column), self.room - 1))

    def _others(self, index: int, card_id: str) -> list[Block]:
        """The blocks of a column without that of a card."""
        cards = self.board.columns[index].cards
        return [block for block in self.blocks[index] if cards[block.row].id != card_id]

    def _line_at(self, index: int, y: int) -> int:
        return y - 1 + self.scroll_of(index)
