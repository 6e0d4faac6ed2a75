"""The board as the screen shows it, and where a card goes in it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple


class Card(NamedTuple):
    id: str
    title: str
    notes: str

    def matches(self, text: str) -> bool:
        """Whether the title or the notes contain a text, ignoring case."""
        return text.casefold() in f"{self.title}\n{self.notes}".casefold()


class Column(NamedTuple):
    id: str
    title: str
    cards: tuple[Card, ...]


class Place(NamedTuple):
    """A place in a board: the index of a column, and that of a card in it."""

    column: int
    row: int


class Board(NamedTuple):
    columns: tuple[Column, ...]

    @classmethod
    def of(cls, state: Any) -> Board:
        """Reads the state of the store."""
        cards = state["cards"]

        def read(ids: Iterable[str]) -> tuple[Card, ...]:
            return tuple(Card(id, cards[id]["title"], cards[id]["notes"]) for id in ids)

        columns = state["columns"]
        return cls(
            tuple(Column(each["id"], each["title"], read(each["cards"])) for each in columns)
        )

    def containing(self, text: str) -> Board:
        """All columns, with the cards that contain a text."""
        return Board(
            tuple(
                column._replace(cards=tuple(card for card in column.cards if card.matches(text)))
                for column in self.columns
            )
        )

    def place_of(self, card_id: str | None) -> Place | None:
        for index, column in enumerate(self.columns):
            for row, card in enumerate(column.cards):
                if card.id == card_id:
                    return Place(index, row)
        return None

    def index_of(self, column_id: str | None) -> int | None:
        """The index of a column."""
        ids = [column.id for column in self.columns]
        return ids.index(column_id) if column_id in ids else None

    def card_at(self, place: Place) -> Card | None:
        """The card at a place; None if there is none."""
        if 0 <= place.column < len(self.columns):
            cards = self.columns[place.column].cards
            if 0 <= place.row < len(cards):
                return cards[place.row]
        return None

    # ---- Moves -----------------------------------------------------------------------------------

    def moved_to(self, card_id: str, place: Place) -> dict[str, Any] | None:
        """The payload that moves a card to a place among the other cards of a column.

        None if there is no such column, or the card is there already.
        """
        if not 0 <= place.column < len(self.columns):
            return None
        column = self.columns[place.column]
        others = [card.id for card in column.cards if card.id != card_id]
        if not 0 <= place.row <= len(others) or self.place_of(card_id) == place:
            return None
        before = others[place.row] if place.row < len(others) else None
        return {"id": card_id, "column": column.id, "before": before}

    def moved_by(self, card_id: str, columns: int, rows: int) -> dict[str, Any] | None:
        """The payload that moves a card by columns to the right, or by rows down."""
        old = self.place_of(card_id)
        if old is None or not 0 <= old.column + columns < len(self.columns):
            return None
        row = old.row + rows
        if columns:
            row = min(row, len(self.columns[old.column + columns].cards))
        return self.moved_to(card_id, Place(old.column + columns, row))
