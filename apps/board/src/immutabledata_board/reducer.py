"""The reducer: the state of a board, and what each action does to it.

A column has the ids of its cards, in order, so a card is always in one column:

    {"columns": [{"id": "todo", "title": "To do", "cards": ["7"]}, …],
     "cards": {"7": {"title": "Write", "notes": ""}}}

Ids come from the actions, because a reducer must be pure. Other programs send actions, too, so each
case checks all of its payload before it changes something.
"""

from __future__ import annotations

from typing import Any

import immutabledata as imd

MAX_TITLE = 200
MAX_NOTES = 10_000
"""The lengths of texts, in characters."""

reduce = imd.Slice(
    "board",
    {
        "columns": [
            {"id": "todo", "title": "To do", "cards": []},
            {"id": "doing", "title": "Doing", "cards": []},
            {"id": "done", "title": "Done", "cards": []},
        ],
        "cards": {},
    },
)


# ---- Cards ---------------------------------------------------------------------------------------


@reduce.on("added")
def added(draft: Any, action: Any) -> None:
    """Adds a card: {"id", "column", "title", "notes"?, "before"?}."""
    id = new_id(draft["cards"], action, "card")
    card = {"title": title(action), "notes": notes(action) or ""}
    place(draft, action, id)
    draft["cards"][id] = card


@reduce.on("edited")
def edited(draft: Any, action: Any) -> None:
    """Changes texts of a card: {"id", "title"?, "notes"?}."""
    card = draft["cards"][card_id(draft, action)]
    changed = {"notes": notes(action), "title": title(action) if has(action, "title") else None}
    card.update({name: text for name, text in changed.items() if text is not None})


@reduce.on("moved")
def moved(draft: Any, action: Any) -> None:
    """Moves a card to a column: {"id", "column", "before"?}."""
    id = card_id(draft, action)
    take(draft, id)
    place(draft, action, id)


@reduce.on("removed")
def removed(draft: Any, action: Any) -> None:
    """Removes a card: {"id"}."""
    id = card_id(draft, action)
    take(draft, id)
    del draft["cards"][id]


def place(draft: Any, action: Any, id: str) -> None:
    """Puts a card into the column of the payload: before the card "before", or at the end."""
    column = draft["columns"][column_index(draft, action, "column")]
    if not has(action, "before"):
        column["cards"].append(id)
        return
    before = text(action, "before")
    if before not in column["cards"]:
        raise imd.ReducerFailedError(f'the column "{column["title"]}" has no card "{before}"')
    column["cards"].insert(column["cards"].index(before), id)


def take(draft: Any, id: str) -> None:
    """Takes a card out of its column."""
    # Looking into a Value does not make a draft of each column.
    for index, column in enumerate(imd.value(draft["columns"])):
        if id in column["cards"]:
            draft["columns"][index]["cards"].remove(id)


# ---- Columns -------------------------------------------------------------------------------------


@reduce.on("columnAdded")
def column_added(draft: Any, action: Any) -> None:
    """Adds a column: {"id", "title", "before"?}, before the column "before", or at the end."""
    columns = draft["columns"]
    id = new_id([column["id"] for column in columns], action, "column")
    index = column_index(draft, action, "before") if has(action, "before") else len(columns)
    columns.insert(index, {"id": id, "title": title(action), "cards": []})


@reduce.on("columnRenamed")
def column_renamed(draft: Any, action: Any) -> None:
    """Renames a column: {"id", "title"}."""
    draft["columns"][column_index(draft, action)]["title"] = title(action)


@reduce.on("columnRemoved")
def column_removed(draft: Any, action: Any) -> None:
    """Removes a column without cards: {"id"}. So no card of another writer goes with it."""
    index = column_index(draft, action)
    column = draft["columns"][index]
    if column["cards"]:
        reason = f'the column "{column["title"]}" has cards; move or remove them first'
        raise imd.ReducerFailedError(reason)
    if len(draft["columns"]) == 1:
        raise imd.ReducerFailedError("a board has at least one column")
    del draft["columns"][index]


# ---- Payloads ------------------------------------------------------------------------------------


def has(action: Any, name: str) -> bool:
    """Whether the payload has a member that is not null."""
    payload = action.at("/payload")
    return isinstance(payload, imd.ObjectValue) and payload.get(name) is not None


def text(action: Any, name: str, limit: int = MAX_TITLE) -> str:
    """A member of the payload. The error raised by at() says what is missing, and where."""
    found = action.at(f"/payload/{name}")
    if not isinstance(found, str):
        raise imd.ReducerFailedError(f'expected a string at "/payload/{name}"')
    if len(found) > limit:
        reason = f'the text at "/payload/{name}" has more than {limit:,} characters'
        raise imd.ReducerFailedError(reason)
    return found


def title(action: Any) -> str:
    found = text(action, "title").strip()
    if not found:
        raise imd.ReducerFailedError("a title must not be empty")
    return found


def notes(action: Any) -> str | None:
    return text(action, "notes", MAX_NOTES) if has(action, "notes") else None


def new_id(known: Any, action: Any, kind: str) -> str:
    id = text(action, "id")
    if not id:
        raise imd.ReducerFailedError("an id must not be empty")
    if id in known:
        raise imd.ReducerFailedError(f'there is a {kind} "{id}" already')
    return id


def card_id(draft: Any, action: Any) -> str:
    id = text(action, "id")
    if id not in draft["cards"]:
        raise imd.ReducerFailedError(f'there is no card "{id}"')
    return id


def column_index(draft: Any, action: Any, name: str = "id") -> int:
    """The index of the column with the id that is a member of the payload."""
    id = text(action, name)
    for index, column in enumerate(imd.value(draft["columns"])):
        if column["id"] == id:
            return index
    raise imd.ReducerFailedError(f'there is no column "{id}"')
