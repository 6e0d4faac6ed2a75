"""The selected card, which stays selected while the board changes."""

from __future__ import annotations

from typing import NamedTuple

from .board import Board, Place


class Selection(NamedTuple):
    """A column, and one of its cards unless it is empty."""

    place: Place = Place(0, 0)
    """Where they are, or were at last."""
    column: str | None = None
    """The id of the column."""
    card: str | None = None
    """The id of the card."""

    @classmethod
    def at(cls, board: Board, place: Place) -> Selection:
        """Selects what is at a place, or else next to it."""
        index = max(0, min(place.column, len(board.columns) - 1))
        column = board.columns[index]
        row = max(0, min(place.row, len(column.cards) - 1))
        card = column.cards[row].id if column.cards else None
        return cls(Place(index, row), column.id, card)

    def on(self, board: Board) -> Selection:
        """The same card on a board that has changed; if it is gone, the one in its place."""
        place = board.place_of(self.card)
        if place is None:
            index = board.index_of(self.column)
            place = self.place if index is None else self.place._replace(column=index)
        return self.at(board, place)

    def moved(self, board: Board, columns: int, rows: int) -> Selection:
        """Goes by columns to the right, and by rows down, as far as there are some."""
        return self.at(board, Place(self.place.column + columns, self.place.row + rows))
