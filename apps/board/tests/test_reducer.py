"""The reducer alone."""

import immutabledata as imd
import pytest
from conftest import columns_of, fill

from immutabledata_board import reduce


@pytest.fixture
def store():
    store = imd.Store(reduce)
    fill(store)
    return store


@pytest.mark.parametrize(
    ("type", "payload", "columns"),
    [
        ("added", {"column": "done"}, {"done": ["7"]}),
        ("added", {"column": "todo"}, {"todo": ["Oak", "Elm", "Yew", "7"]}),
        ("added", {"column": "todo", "before": "Elm"}, {"todo": ["Oak", "7", "Elm", "Yew"]}),
        ("added", {"column": "todo", "before": None}, {"todo": ["Oak", "Elm", "Yew", "7"]}),
        ("moved", {"id": "Oak", "column": "todo"}, {"todo": ["Elm", "Yew", "Oak"]}),
        (
            "moved",
            {"id": "Yew", "column": "todo", "before": "Oak"},
            {"todo": ["Yew", "Oak", "Elm"]},
        ),
        (
            "moved",
            {"id": "Elm", "column": "doing", "before": "Ash"},
            {"todo": ["Oak", "Yew"], "doing": ["Elm", "Ash"]},
        ),
        ("removed", {"id": "Ash"}, {"doing": []}),
        ("columnAdded", {"id": "x"}, {"x": []}),
    ],
)
def test_where_the_cards_are(store, type, payload, columns):
    before = columns_of(store)
    store.dispatch(f"board/{type}", {"id": "7", "title": "Fir", **payload})
    assert columns_of(store) == {**before, **columns}


def test_texts(store):
    store.dispatch("board/edited", {"id": "Oak", "title": " Holm oak ", "notes": " tall\n"})
    assert store.state["cards"]["Oak"] == {"title": "Holm oak", "notes": " tall\n"}
    store.dispatch("board/edited", {"id": "Oak", "notes": ""})
    assert store.state["cards"]["Oak"] == {"title": "Holm oak", "notes": ""}
    store.dispatch("board/columnRenamed", {"id": "todo", "title": "Trees"})
    assert store.state["columns"][0]["title"] == "Trees"


def test_columns(store):
    store.dispatch("board/columnAdded", {"id": "x", "title": "X", "before": "doing"})
    assert list(columns_of(store)) == ["todo", "x", "doing", "done"]
    store.dispatch("board/columnRemoved", {"id": "x"})
    assert list(columns_of(store)) == ["todo", "doing", "done"]


CARD = {"id": "7", "column": "todo", "title": "Fir"}


@pytest.mark.parametrize(
    ("type", "payload", "message"),
    [
        ("added", None, 'nothing at "/payload/id": "/payload" is null'),
        ("added", {}, 'nothing at "/payload/id": "/payload" has no member "id"'),
        ("added", {**CARD, "id": 7}, 'expected a string at "/payload/id"'),
        ("added", {**CARD, "id": ""}, "an id must not be empty"),
        (
            "added",
            {**CARD, "id": "x" * 201},
            'the text at "/payload/id" has more than 200 characters',
        ),
        ("added", {**CARD, "id": "Oak"}, 'there is a card "Oak" already'),
        ("added", {**CARD, "column": "x"}, 'there is no column "x"'),
        ("added", {**CARD, "title": " \n"}, "a title must not be empty"),
        ("added", {**CARD, "title": ["Fir"]}, 'expected a string at "/payload/title"'),
        ("added", {**CARD, "notes": 5}, 'expected a string at "/payload/notes"'),
        ("added", {**CARD, "before": "Ash"}, 'the column "To do" has no card "Ash"'),
        ("edited", {"id": "7", "title": "Fir"}, 'there is no card "7"'),
        ("edited", {"id": "Oak", "title": ""}, "a title must not be empty"),
        (
            "edited",
            {"id": "Oak", "notes": "x" * 10_001},
            'the text at "/payload/notes" has more than 10,000 characters',
        ),
        ("moved", {"id": "7", "column": "done"}, 'there is no card "7"'),
        ("moved", {"id": "Oak"}, 'nothing at "/payload/column": "/payload" has no member "column"'),
        ("moved", {"id": "Oak", "column": "x"}, 'there is no column "x"'),
        (
            "moved",
            {"id": "Oak", "column": "todo", "before": "Oak"},
            'the column "To do" has no card "Oak"',
        ),
        ("removed", {"id": "7"}, 'there is no card "7"'),
        ("columnAdded", {"id": "todo", "title": "X"}, 'there is a column "todo" already'),
        ("columnAdded", {"id": "x", "title": "X", "before": "y"}, 'there is no column "y"'),
        ("columnRenamed", {"id": "x", "title": "X"}, 'there is no column "x"'),
        (
            "columnRemoved",
            {"id": "todo"},
            'the column "To do" has cards; move or remove them first',
        ),
    ],
)
def test_what_is_rejected(store, type, payload, message):
    before = store.state
    with pytest.raises(imd.Error) as caught:
        store.dispatch(f"board/{type}", payload)
    assert str(caught.value) == message
    assert store.state.is_identical(before)


def test_the_last_column_stays(store):
    store = imd.Store(reduce)
    for id in ("todo", "doing"):
        store.dispatch("board/columnRemoved", {"id": id})
    with pytest.raises(imd.ReducerFailedError, match="a board has at least one column"):
        store.dispatch("board/columnRemoved", {"id": "done"})


def test_a_move_to_the_same_place_is_no_step():
    with imd.Store(reduce, history=True) as store:
        fill(store)
        number = store.history.present
        store.dispatch("board/moved", {"id": "Oak", "column": "todo", "before": "Elm"})
        assert store.history.present == number
