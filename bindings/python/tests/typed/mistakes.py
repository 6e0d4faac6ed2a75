"""Mistakes in programs whose types are the schema. Type checkers find each in a line that ends with
"# wrong"; test_typed_mistakes.py runs the functions, each of which fails.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Union

from kanban import Added, Board, Card, Moved, Removed, open_board
from typing_extensions import assert_never

import immutabledata as imd

store = open_board()
store.dispatch(Added("1", "Write"))


@dataclass(frozen=True)
class Renamed:
    id: str
    title: str


@dataclass(frozen=True)
class Failed:
    case: str


# ---- Actions -------------------------------------------------------------------------------------


def misspelled_member() -> None:
    store.dispatch(Added("2", titel="Write"))  # wrong


def wrong_kind() -> None:
    store.dispatch(Added("2", 5))  # wrong


def missing_member() -> None:
    store.dispatch(Added("2"))  # wrong


def wrong_constant() -> None:
    store.dispatch(Moved("1", "dnoe"))  # wrong


def wrong_action() -> None:
    store.dispatch(Renamed("1", "Read"))  # wrong


def wrong_action_in_a_batch() -> None:
    store.dispatch_batch([Removed("1"), Renamed("1", "Read")])  # wrong


def wrong_type_of_a_batch() -> None:
    store.dispatch_batch(Removed("1"))  # wrong


# ---- States --------------------------------------------------------------------------------------


def wrong_initial_state() -> None:
    initial: Board = {"crads": {}}  # wrong
    imd.Store(change, state=initial)


def misspelled_member_of_the_state() -> None:
    store.state["crads"]  # wrong


def wrong_use_of_a_state() -> None:
    store.state["cards"]["1"]["title"] + 1  # wrong


@imd.drafting
def change(draft: Board, action: Union[Failed, Renamed]) -> None:
    card = draft["cards"]["1"]
    if isinstance(action, Renamed):
        card["title"] = action.titel  # wrong
    elif action.case == "kind":
        card["title"] = 5  # wrong
    elif action.case == "constant":
        card["lane"] = "dnoe"  # wrong
    elif action.case == "missing":
        draft["cards"]["2"] = {"title": "Read"}  # wrong
    elif action.case == "member":
        draft["cards"]["2"] = {"titel": "Read", "title": "Read", "lane": "todo"}  # wrong
    else:
        card["tilte"] = "Read"  # wrong


def failing(action: Union[Failed, Renamed]) -> None:
    card: Card = {"title": "Write", "lane": "todo"}
    with imd.Store(change, state={"cards": {"1": card}}) as changing:
        changing.dispatch(action)


@imd.drafting
def forget(draft: Board, action: Union[Added, Moved, Removed]) -> None:
    if isinstance(action, Added):
        draft["cards"][action.id] = {"title": action.title, "lane": "todo"}
    elif isinstance(action, Moved):
        draft["cards"][action.id]["lane"] = action.lane
    else:
        assert_never(action)  # wrong


def unhandled_case() -> None:
    with imd.Store(forget, state={"cards": {}}) as forgetting:
        forgetting.dispatch(Removed("1"))


# ---- Slices --------------------------------------------------------------------------------------

cards = imd.Slice("cards", {})


@cards.on
def renamed(draft: Any, *, id: str, title: str) -> None:
    draft[id] = title


@cards.on("cleared")
def clear(draft: Any) -> None:
    draft.clear()


sliced = imd.Store(cards)
sliced.dispatch(renamed(id="1", title="Write"))


def misspelled_parameter() -> None:
    renamed(id="1", titel="Read")  # wrong


def missing_parameter() -> None:
    renamed(id="1")  # wrong


def unknown_parameter() -> None:
    clear(id="1")  # wrong


def parameter_without_a_name() -> None:
    renamed("1", "Read")  # wrong


def wrong_kind_of_a_parameter() -> None:
    sliced.dispatch(renamed(id="1", title=5))  # wrong
