"""Where cards go, and which one is selected."""

import pytest

from immutabledata_board.board import Board, Card, Column, Place
from immutabledata_board.selection import Selection


def board(**columns):
    """A board with the titles of cards by column, divided by spaces."""
    return Board(
        tuple(
            Column(id, id, tuple(Card(title, title, "") for title in titles.split()))
            for id, titles in columns.items()
        )
    )


START = board(a="Oak Elm Yew", b="Ash", c="")


@pytest.mark.parametrize(
    ("card", "by", "expected"),
    [
        ("Oak", (0, 1), ("a", "Yew")),
        ("Elm", (0, 1), ("a", None)),
        ("Yew", (0, -1), ("a", "Elm")),
        ("Oak", (0, -1), None),
        ("Yew", (0, 1), None),
        ("Oak", (1, 0), ("b", "Ash")),
        ("Yew", (1, 0), ("b", None)),
        ("Ash", (1, 0), ("c", None)),
        ("Ash", (-1, 0), ("a", "Oak")),
        ("Oak", (-1, 0), None),
        ("Oak", (3, 0), None),
        ("Fir", (1, 0), None),
    ],
)
def test_a_move(card, by, expected):
    payload = START.moved_by(card, *by)
    assert payload is None or payload.pop("id") == card
    assert payload == (expected and dict(zip(("column", "before"), expected)))


@pytest.mark.parametrize(
    ("card", "to", "expected"),
    [
        ("Oak", (0, 2), ("a", None)),
        ("Oak", (0, 0), None),
        ("Oak", (0, 3), None),
        ("Oak", (1, 1), ("b", None)),
        ("Oak", (3, 0), None),
        ("Oak", (-1, 0), None),
        ("Oak", (0, -1), None),
    ],
)
def test_a_place(card, to, expected):
    payload = START.moved_to(card, Place(*to))
    assert (payload and (payload["column"], payload["before"])) == expected


def test_a_search():
    assert START.containing("E") == board(a="Elm Yew", b="", c="")
    assert Card("7", "Oak", "Tall").matches("tALL")


@pytest.mark.parametrize(
    ("new", "expected"),
    [
        (START, ("a", "Elm")),
        (board(a="Fir Oak Elm Yew", b="Ash", c=""), ("a", "Elm")),
        (board(a="Oak Yew", b="Ash", c="Elm"), ("c", "Elm")),
        (board(x="", a="Oak Elm"), ("a", "Elm")),
        (board(a="Oak Yew", b="Ash"), ("a", "Yew")),
        (board(a="Oak", b="Ash"), ("a", "Oak")),
        (board(x="", a="Oak Yew"), ("a", "Yew")),
        (board(b="Ash", c=""), ("b", "Ash")),
        (board(a="", b="Ash"), ("a", None)),
    ],
)
def test_the_selection_on_another_board(new, expected):
    selection = Selection.at(START, Place(0, 1)).on(new)
    assert (selection.column, selection.card) == expected
    place = selection.place
    assert new.columns[place.column].id == selection.column
    card = new.card_at(place)
    assert (card and card.id) == selection.card
