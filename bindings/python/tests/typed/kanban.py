"""A kanban board, whose types are checked by type checkers and at run time."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypedDict, Union

from typing_extensions import assert_never

import immutabledata as imd

Lane = Literal["todo", "doing", "done"]


class Card(TypedDict):
    title: str
    lane: Lane


class Board(TypedDict):
    cards: dict[str, Card]


@dataclass(frozen=True)
class Added:
    id: str
    title: str


@dataclass(frozen=True)
class Moved:
    id: str
    lane: Lane


@dataclass(frozen=True)
class Removed:
    id: str


@imd.drafting
def reduce(draft: Board, action: Union[Added, Moved, Removed]) -> None:
    if isinstance(action, Added):
        draft["cards"][action.id] = {"title": action.title, "lane": "todo"}
    elif isinstance(action, Moved):
        draft["cards"][action.id]["lane"] = action.lane
    elif isinstance(action, Removed):
        del draft["cards"][action.id]
    else:
        assert_never(action)


def open_board() -> imd.Store[Board, Union[Added, Moved, Removed]]:
    return imd.Store(reduce, state={"cards": {}}, history=True)


if __name__ == "__main__":
    with open_board() as store:
        store.define("doing", "cards.* | [?lane == 'doing'].title")
        store.observe("doing", print)
        store.dispatch(Added("1", "Write the report"))
        store.dispatch(Moved("1", "doing"))
        store.undo()
