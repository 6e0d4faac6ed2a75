"""Slices whose cases take their payload as keyword parameters."""

import enum
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Optional, TypedDict

import pytest

import immutabledata as imd


class Lane(enum.Enum):
    TODO = "todo"
    DONE = "done"


@dataclass(frozen=True)
class Point:
    x: int


class Card(TypedDict):
    title: str
    lane: str


def board():
    board = imd.Slice("board", {})

    @board.on
    def added(draft: dict[str, Card], *, id: str, title: str, lane: Lane = Lane.TODO) -> None:
        draft[id] = {"title": title, "lane": lane.value}

    @board.on("moved")
    def move(draft: dict[str, Card], *, id: str, to: Lane) -> None:
        draft[id]["lane"] = to.value

    @board.on
    def cleared(draft):
        draft.clear()

    @board.on
    def broken(draft: Any, *, id: str) -> None:
        draft[id] = 5

    @board.on
    def noted(draft, action):
        draft["note"] = {"title": action["payload"], "lane": "todo"}

    return board, board.actions


def test_creators_make_actions():
    _, actions = board()
    assert actions.added(id="1", title="Write") == {
        "type": "board/added",
        "payload": {"id": "1", "title": "Write", "lane": "todo"},
    }
    assert actions.moved(id="1", to=Lane.DONE)["payload"] == {"id": "1", "to": "done"}
    assert actions.cleared() == {"type": "board/cleared"}
    assert actions.noted("x") == {"type": "board/noted", "payload": "x"}
    assert actions.moved.type == "board/moved"
    assert actions.moved.case.__name__ == "move"
    assert repr(actions.moved) == "<immutabledata.KeywordCreator 'board/moved'>"


def test_a_store_of_a_slice():
    slice, actions = board()
    with imd.Store(slice) as store:
        store.dispatch(actions.added(id="1", title="Write"))
        store.dispatch_batch([actions.moved(id="1", to=Lane.DONE), actions.noted("x")])
        assert store.state["1"] == {"title": "Write", "lane": "done"}
        store.dispatch("board/added", {"id": "2", "title": "Read"})
        assert store.state["2"] == {"title": "Read", "lane": "todo"}
        store.dispatch(actions.cleared())
        assert store.state == {}


def test_payloads_and_states_are_checked():
    slice, actions = board()
    with imd.Store(imd.combine(cards=slice)) as store:
        with pytest.raises(imd.InvalidActionError, match='"board/added": payload/title: expected'):
            store.dispatch(actions.added(id="1", title=5))
        with pytest.raises(imd.InvalidActionError, match=r'"board/moved".*"dnoe"; did you mean'):
            store.dispatch("board/moved", {"id": "1", "to": "dnoe"})
        with pytest.raises(imd.InvalidActionError, match="payload"):
            store.dispatch("board/cleared", {"id": "1"})
        with pytest.raises(imd.ReducerFailedError, match="state/cards/1: expected an object"):
            store.dispatch(actions.broken(id="1"))
        with pytest.warns(imd.LikelyMistakeWarning, match='"board/aded"; did you mean'):
            store.dispatch("board/aded", {"id": "1"})
        assert store.state == {"cards": {}}


def test_instances_in_a_payload():
    shapes = imd.Slice("shapes", 0)
    got = []

    @shapes.on
    def drawn(total: int, *, points: list[Point], origin: Point = Point(0)) -> int:
        got.append((points, origin))
        return total + sum(point.x for point in points)

    with imd.Store(shapes) as store:
        store.dispatch(drawn(points=[Point(1), Point(2)]))
        assert store.state == 3
        with pytest.raises(imd.InvalidActionError, match="payload/points/0/x"):
            store.dispatch(drawn(points=[Point("1")]))
    assert got == [([Point(1), Point(2)], Point(0))]


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda actions: actions.added(id="1"), "added() missing the keyword argument 'title'"),
        (
            lambda actions: actions.moved(id="1", two=Lane.DONE),
            "move() got an unexpected keyword argument 'two'; did you mean \"to\"?",
        ),
        (
            lambda actions: actions.moved("1", to=Lane.DONE),
            'the payload of "board/moved" has names: move(id=…, to=…)',
        ),
        (
            lambda actions: actions.cleared("1"),
            '"board/cleared" has no payload: cleared()',
        ),
    ],
)
def test_wrong_calls(call, message):
    with pytest.raises(TypeError) as caught:
        call(board()[1])
    assert str(caught.value) == message


@pytest.mark.parametrize(
    ("name", "example"),
    [("added", "added(id=…, title=…, lane=…)"), ("cleared", "cleared()"), ("noted", "noted()")],
)
def test_a_creator_that_is_not_called(name, example):
    slice, actions = board()
    creator = getattr(actions, name)
    with imd.Store(slice) as store:
        for send in store.dispatch, lambda action: store.dispatch_batch([action]):
            with pytest.raises(TypeError) as caught:
                send(creator)
            assert str(caught.value) == f"{creator!r} makes actions; call it: {example}"


def titled(draft, title: str): ...


def tagged(draft: Any, tags: "Optional[list[str]]"): ...


def pointed(draft, action: Point): ...


def numbered(draft, id, title): ...


def listed(draft, **payload): ...


def nothing(): ...


FORMS = (
    "a case of a slice must be a function such as case(draft), case(draft, *, title: str) or "
    "case(draft, action), not "
)


@pytest.mark.parametrize(
    ("case", "message"),
    [
        (
            titled,
            "the parameter title of titled gets the whole action, which is no str; write "
            "titled(draft, *, title: str)",
        ),
        (tagged, "write tagged(draft, *, tags: Optional[list[str]])"),
        (pointed, "the whole action, which is no Point; write pointed(draft, *, x: int)"),
        (numbered, FORMS + "numbered(draft, id, title)"),
        (listed, FORMS + "listed(draft, **payload)"),
        (nothing, FORMS + "nothing()"),
    ],
)
def test_other_parameters(case, message):
    shapes = imd.Slice("shapes", {})
    with pytest.raises(TypeError) as caught:
        shapes.on(case)
    assert str(caught.value).endswith(message)
    assert dir(shapes.actions) == []


@pytest.mark.parametrize(
    ("case", "message"),
    [
        (titled, "which is no str; write titled(draft, action)"),
        (numbered, "a function such as case(draft, action), not numbered(draft, id, title)"),
        (nothing, "a function such as case(draft, action), not nothing()"),
    ],
)
def test_other_parameters_of_a_case_for_a_type(case, message):
    with pytest.raises(TypeError) as caught:
        imd.Slice("shapes", {}).on_type("cards/added")(case)
    assert str(caught.value).endswith(message)


@pytest.mark.parametrize(
    "hint",
    [
        Any,
        object,
        imd.Action[str],
        Optional[imd.Action],
        imd.Value,
        imd.ObjectValue,
        Mapping,
        dict[str, Any],
        Card,
        "Unknown",
    ],
)
def test_annotations_of_a_whole_action(hint):
    def noted(draft, action: hint):
        draft["note"] = action["payload"]

    shapes = imd.Slice("shapes", {})
    creator = shapes.on(noted)
    shapes.on_type("cards/noted")(noted)
    with imd.Store(shapes) as store:
        store.dispatch(creator("x"))
        assert store.state == {"note": "x"}


def test_a_slice_without_keyword_parameters_has_no_schema():
    todos = imd.Slice("todos", [])

    @todos.on("added")
    def added(draft: list[int], action: imd.Action[int]) -> None:
        draft.append(action["payload"])

    assert todos.schema is None
    with imd.Store(imd.combine(todos=todos)) as store:
        store.dispatch(added("anything"))
        assert store.state == {"todos": ["anything"]}


def test_refused_cases():
    todos = imd.Slice("todos", [])
    with pytest.raises(TypeError, match="must not be an async function"):

        @todos.on
        async def waited(draft, *, id: str): ...

    @todos.on
    def added(draft, *, id: "Unknown"): ...  # noqa: F821

    with pytest.raises(TypeError, match="added.id: name 'Unknown' is not defined"):
        imd.Store(todos)

    numbers = imd.Slice("numbers", [])

    @numbers.on
    def appended(draft: list[int], *, n: int): ...

    @numbers.on
    def renamed(draft: list[str], *, n: int): ...

    with pytest.raises(TypeError, match="the draft of renamed has another type than that of app"):
        imd.Store(numbers)
