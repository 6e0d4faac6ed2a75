"""Actions that are instances of classes: what a store takes, and what reducers get."""

from collections.abc import Mapping
from dataclasses import dataclass, field, make_dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Literal, NamedTuple, TypedDict, Union

import pytest

import immutabledata as imd

if TYPE_CHECKING:
    from elsewhere import Unknown  # pyright: ignore


@dataclass(frozen=True)
class Added:
    type: ClassVar[str] = "items/added"
    id: str
    tags: tuple[str, ...] = ()


@dataclass(frozen=True)
class Cleared:
    type = "items/cleared"


class Moved(NamedTuple):
    id: str
    by: int = 1


class Tagged(TypedDict):
    type: Literal["tagged", "untagged"]
    payload: dict[str, str]


class State(TypedDict):
    n: int


Actions = Union[Added, Cleared, Moved, Tagged]
SENT = [Added("1", ("a", "b")), Added("2"), Cleared(), Moved("1", 2), Moved("2")]


def recorder():
    got = []

    @imd.drafting
    def reduce(draft: State, action: Actions) -> None:
        got.append(action)
        draft["n"] += 1

    return reduce, got


def test_a_reducer_gets_equal_instances():
    reduce, got = recorder()
    with imd.Store(reduce, state={"n": 0}) as store:
        for action in SENT:
            store.dispatch(action)
        store.dispatch_batch(SENT)
        store.dispatch_batch(tuple(SENT))
        assert store.preview(SENT).state == {"n": 20}
    assert got == 4 * SENT
    assert [type(each) for each in got] == 4 * [type(each) for each in SENT]
    assert all(each is not other for each, other in zip(got, SENT))


def test_an_action_that_is_no_instance_is_rebuilt():
    reduce, got = recorder()
    with imd.Store(reduce, state={"n": 0}) as store:
        store.dispatch("items/added", {"id": "1", "tags": ["a", "b"]})
        store.dispatch({"type": "items/added", "payload": {"id": "2"}})
        store.dispatch("items/cleared")
        store.dispatch("Moved", {"by": 2, "id": "1"})
        store.dispatch_batch([{"type": "Moved", "payload": imd.value({"id": "2"})}])
    assert got == SENT


def test_a_replayed_action_is_rebuilt(tmp_path):
    reduce, got = recorder()
    path = tmp_path / "a.imd"
    with imd.Store(reduce, state={"n": 0}, log=path, history=True) as store:
        for action in SENT:
            store.dispatch(action)
        store.dispatch("tagged", {"a": "b"})
        store.undo(2)
        store.redo()
    live = list(got)
    got.clear()
    with imd.Store(reduce, state={"n": 0}, log=path, history=True) as store:
        assert store.state == {"n": 5}
        store.replay()
    assert got[: len(live)] == live
    got.clear()
    assert imd.log.state_at(path, 3, reduce) == {"n": 3}
    assert got == SENT[:3]


def test_the_log_has_the_type_and_the_payload(tmp_path):
    reduce, _ = recorder()
    with imd.Store(reduce, state={"n": 0}, log=tmp_path / "a.imd") as store:
        store.dispatch(Added("1"))
        store.dispatch(Cleared(), meta={"by": "key"})
    logged = [dict(each.actions[0]) for each in imd.log.entries(tmp_path / "a.imd")]
    assert logged == [
        {"type": "items/added", "payload": {"id": "1", "tags": []}},
        {"type": "items/cleared", "meta": {"by": "key"}},
    ]


def test_a_typed_dict_describes_the_whole_action():
    reduce, got = recorder()
    with imd.Store(reduce, state={"n": 0}) as store:
        action: Tagged = {"type": "untagged", "payload": {"a": "b"}}
        store.dispatch(action)
        store.dispatch("tagged", {"a": "b"})
        with pytest.raises(imd.InvalidActionError, match="payload/a: expected a string"):
            store.dispatch("tagged", {"a": 1})
    assert got == [action, {"type": "tagged", "payload": {"a": "b"}}]


def test_wrong_arguments():
    reduce, got = recorder()
    with imd.Store(reduce, state={"n": 0}) as store:
        with pytest.raises(TypeError, match="the payload of an action is the Cleared itself"):
            store.dispatch(Cleared(), {})
        with pytest.raises(TypeError, match="the payload of an action is the Added itself"):
            store.dispatch(Added("1"), payload={})
        with pytest.raises(TypeError, match="of Added, Cleared or Moved, a str .* not int"):
            store.dispatch(5)
        with pytest.raises(TypeError, match=r"Added is a class; pass Added\(…\)"):
            store.dispatch(Added)
        with pytest.raises(TypeError, match="put one into a list"):
            store.preview(Moved("1"))
        with pytest.raises(imd.InvalidArgumentError, match="/payload/id"):
            store.dispatch(Added({1}))
        with pytest.raises(imd.InvalidActionError, match='"items/added": payload/tags/0'):
            store.dispatch(Added("1", (5,)))
        assert store.state == {"n": 0}
    assert got == []


def test_an_instance_that_cannot_be_rebuilt_is_refused():
    @dataclass(frozen=True)
    class Positive:
        n: int

        def __post_init__(self):
            if self.n < 0:
                raise ValueError("a number is negative")

    def reduce(state: int, action: Positive) -> int:
        return state + action.n

    with imd.Store(reduce, state=0) as store:
        store.dispatch(Positive(2))
        with pytest.raises(ValueError, match="negative"):
            store.dispatch("Positive", {"n": -1})
        assert store.state == 2


@dataclass
class Node:
    children: "list[Node]" = field(default_factory=list)


def test_an_instance_that_contains_itself_is_refused():
    @dataclass(frozen=True)
    class Grown:
        root: Node

    def reduce(state: int, action: Grown) -> int:
        return state

    endless = Node()
    endless.children.append(endless)
    with imd.Store(reduce, state=0) as store:
        store.dispatch(Grown(Node([Node()])))
        for send in (store.dispatch, lambda action: store.dispatch_batch([action])):
            with pytest.raises(imd.LimitError, match="or contain themselves"):
                send(Grown(endless))


def test_members_with_keywords_and_defaults():
    # Python 3.9 has no kw_only.
    options = {"kw_only": True} if "kw_only" in (dataclass.__kwdefaults__ or {}) else {}

    @dataclass(frozen=True, **options)
    class Sent:
        n: int
        names: list = field(default_factory=list)

    got = []

    def reduce(state: int, action: Sent) -> int:
        got.append(action)
        return state

    with imd.Store(reduce, state=0) as store:
        store.dispatch(Sent(n=1))
        store.dispatch("Sent", {"n": 2})
        store.dispatch("Sent", {"n": 3, "names": ["a"]})
    assert got == [Sent(n=1), Sent(n=2), Sent(n=3, names=["a"])]


def test_a_class_with_slots_or_a_cache():
    import functools

    class Slotted(NamedTuple):
        n: int

    @dataclass(frozen=True)
    class Cached:
        n: int

        @functools.cached_property
        def twice(self):
            return 2 * self.n

    @dataclass(frozen=True)
    class Small:
        __slots__ = ("n",)
        n: int

    got = []

    def reduce(state: int, action: Union[Slotted, Cached, Small]) -> int:
        got.append(action)
        return state

    cached = Cached(1)
    assert cached.twice == 2
    with imd.Store(reduce, state=0) as store:
        store.dispatch_batch([Slotted(1), cached, Small(1)])
    assert got == [Slotted(1), Cached(1), Small(1)]


# ---- Existing programs ---------------------------------------------------------------------------


class Loose(TypedDict):
    type: str
    payload: "Unknown"


def unannotated(state, action):
    return state + 1


def with_any(state: Any, action: Any) -> Any:
    return state + 1


def with_a_mapping(state: int, action: Mapping[str, Any]) -> int:
    return state + 1


def with_an_action(state: int, action: imd.Action[Added]) -> int:
    return state + 1


def with_a_value(state: imd.Value, action: imd.ObjectValue) -> Any:
    return state + 1


def with_a_loose_dict(state: int, action: Loose) -> int:
    return state + 1


def with_a_name_for_type_checkers(state: int, action: "Unknown") -> int:
    return state + 1


class Reducer:
    def __call__(self, state: int, action: Any) -> int:
        return state + 1

    def reduce(self, state: int, action: Any) -> int:
        return state + 1


class Keyed:
    def __getitem__(self, key: str) -> Any: ...


def with_a_class_that_has_keys(state: int, action: Union[Keyed, None]) -> int:
    return state + 1


@pytest.mark.parametrize(
    "reduce",
    [
        unannotated,
        with_a_class_that_has_keys,
        with_any,
        with_a_mapping,
        with_an_action,
        with_a_value,
        with_a_loose_dict,
        with_a_name_for_type_checkers,
        Reducer(),
        Reducer().reduce,
        lambda state, action: state + 1,
    ],
)
def test_other_annotations_are_no_schema(reduce):
    with imd.Store(reduce, state=0) as store:
        store.dispatch("anything", {"at": 1})
        store.dispatch({"type": "other"})
        assert store.state == 2
        for action in (Added("1"), Moved("1")):
            with pytest.raises(TypeError, match="is annotated with their class"):
                store.dispatch(action)
        with pytest.raises(TypeError, match=r"an instance, and Added is a class; pass Added\("):
            store.dispatch(Added)
        with pytest.raises(TypeError, match=r"an action must be a str .* or a Mapping, not int$"):
            store.dispatch(5)


# ---- Which function is annotated -----------------------------------------------------------------


class Typed:
    def __call__(self, state: int, action: Moved) -> int:
        return state + action.by

    def reduce(self, state: int, action: Moved) -> int:
        return state + action.by


def logged(reducer):
    import functools

    @functools.wraps(reducer)
    def reduce(state, action):
        return reducer(state, action)

    return reduce


@pytest.mark.parametrize("reduce", [Typed(), Typed().reduce, logged(logged(Typed().reduce))])
def test_methods_and_decorators(reduce):
    with imd.Store(reduce, state=0) as store:
        store.dispatch(Moved("1", 5))
        assert store.state == 5


def test_classes_of_the_enclosing_function():
    @dataclass(frozen=True)
    class Local:
        n: "Number"

    Number = int

    def reduce(state: int, action: "Local") -> int:
        assert Number is int
        return state + Local(action.n).n

    with imd.Store(reduce, state=0) as store:
        store.dispatch(Local(5))
        assert store.state == 5


# ---- The option schema ---------------------------------------------------------------------------


def test_members_of_the_option_replace_those_of_the_types():
    reduce, got = recorder()
    with imd.Store(reduce, state={"n": 0, "m": 0}, schema={"state": {}}) as store:
        store.dispatch(Cleared())
        with pytest.raises(imd.InvalidActionError):
            store.dispatch("other")
    with imd.Store(reduce, state={"n": 0}, schema={"unknownActions": "allow"}) as store:
        store.dispatch("other")
        assert store.state == {"n": 0}
    with pytest.raises(TypeError, match="schema must be a Mapping"):
        imd.Store(reduce, state={"n": 0}, schema=5)
    assert got == [Cleared()]


# ---- Parts of a state ----------------------------------------------------------------------------


def count(state: int, action: Union[Added, Moved]) -> int:
    return state + 1


def clear(state: list[int], action: Union[Added, Cleared]) -> list[int]:
    return [*state, len(state)] if isinstance(action, Added) else []


count.initial_state = 0


def test_combined_reducers():
    with imd.Store(imd.combine(n=count, m=clear), state={"m": []}) as store:
        store.dispatch(Added("1"))
        store.dispatch(Moved("1"))
        assert store.state == {"m": [0], "n": 2}
        store.dispatch(Cleared())
        assert store.state == {"m": [], "n": 2}
        with pytest.raises(imd.InvalidActionError, match='unknown action type "other"'):
            store.dispatch("other")
    with pytest.raises(imd.InvalidArgumentError, match=r"m.*expected an array"):
        imd.Store(imd.combine(n=count, m=clear), state={"m": 5})


def test_references_of_combined_reducers():
    class Tree(TypedDict):
        children: "list[Tree]"

    def grow(state: Tree, action: Moved) -> Tree:
        assert Tree
        return {"children": [state]} if action.by else {"children": [{"children": 5}]}

    Tree.__annotations__["children"] = list[Tree]
    inner = imd.combine(**{"a/b%~": grow})
    with imd.Store(imd.combine(part=inner), state={"part": {"a/b%~": {"children": []}}}) as store:
        store.dispatch(Moved("1"))
        with pytest.raises(imd.ReducerFailedError, match="children/0/children: expected an array"):
            store.dispatch(Moved("1", 0))


def test_combined_with_a_reducer_that_takes_all():
    with imd.Store(imd.combine(n=count, m=unannotated), state={"n": 0, "m": 0}) as store:
        store.dispatch("other")
        store.dispatch(Moved("1"))
        assert store.state == {"n": 1, "m": 2}


def test_two_classes_of_one_type_are_refused():
    @dataclass(frozen=True)
    class Other:
        type = "Moved"
        n: int

    def reduce(state: int, action: Other) -> int:
        return state

    with pytest.raises(TypeError, match='the reducer of "m" takes another payload for "Moved"'):
        imd.Store(imd.combine(n=count, m=reduce), state={"n": 0, "m": 0})


# ---- Listeners and rules -------------------------------------------------------------------------


def test_listeners_get_instances():
    reduce, _ = recorder()
    got = []
    with imd.Store(reduce, state={"n": 0}) as store:

        @store.listener()
        def listen(action: Union[Added, Cleared], old: State, new: State) -> None:
            got.append((action, old["n"], new["n"]))

        @store.listener("items/cleared", "Moved")
        async def listen_async(action: Union[Added, Cleared], old: State, new: State) -> None:
            got.append(action)

        @store.listener("Moved")
        def listen_to_values(action, old, new):
            got.append(action["payload"]["id"])

        for action in [Added("1"), Moved("1"), Cleared()]:
            store.dispatch(action)
            store.flush()
    assert got == [(Added("1"), 0, 1), "1", (Cleared(), 2, 3), Cleared()] or got == [
        (Added("1"), 0, 1),
        "1",
        Cleared(),
        (Cleared(), 2, 3),
    ]


def test_rules_get_instances():
    reduce, reduced = recorder()
    with imd.Store(reduce, state={"n": 0}) as store:

        @store.set_rule
        def ask(action: Added, old: State, new: State) -> Any:
            return [{"effect": "move", "arguments": action.id, "success": "Moved"}]

        @store.set_effect("move")
        def move(id: Any) -> Any:
            return {"id": id, "by": 3}

        store.dispatch(Cleared())
        store.dispatch(Added("1"))
        store.settle()
    assert reduced == [Cleared(), Added("1"), Moved("1", 3)]


# ---- Models --------------------------------------------------------------------------------------


def test_models_of_pydantic():
    pydantic = pytest.importorskip("pydantic")

    class Point(pydantic.BaseModel):
        x: int

    class Drawn(pydantic.BaseModel):
        model_config = pydantic.ConfigDict(frozen=True, extra="forbid")
        type: ClassVar[str] = "shapes/drawn"
        points: list[Point]
        width: float = pydantic.Field(gt=0)

    @dataclass(frozen=True)
    class Selected:
        point: Point

    got = []

    def reduce(state: int, action: Union[Drawn, Selected]) -> int:
        got.append(action)
        return state + 1

    sent = [Drawn(points=[Point(x=1)], width=1.5), Selected(Point(x=2))]
    with imd.Store(reduce, state=0) as store:
        store.dispatch(sent[0])
        store.dispatch_batch(sent)
        with pytest.raises(imd.InvalidActionError, match="payload/width"):
            store.dispatch("shapes/drawn", {"points": [], "width": 0})
        with pytest.raises(imd.InvalidActionError, match="payload/points/0/x"):
            store.dispatch("shapes/drawn", {"points": [{"x": "1"}], "width": 1})
        with pytest.raises(imd.InvalidActionError, match="payload/point/x"):
            store.dispatch("Selected", {"point": {"x": "1"}})
        assert store.state == 3
    assert got == [sent[0], *sent]


def test_many_classes():
    classes = [make_dataclass(name, []) for name in "ABCDEFG"]

    def reduce(state, action):
        return state

    for count, listed in ((1, "A"), (6, "A, B, C, D, E or F"), (7, "A, B, C, D, E or one of 2 more")):
        reduce.__annotations__["action"] = Union[tuple(classes[:count])]
        with imd.Store(reduce, state=0) as store, pytest.raises(TypeError) as caught:
            store.dispatch(5)
        assert str(caught.value).startswith(f"an action must be an instance of {listed}")


WAS_REMOVED = (
    'no class takes 1 action .* "Moved"; if a class was renamed, give it the attribute '
    'type = "Moved", or migrate the actions'
)


def test_a_log_with_actions_of_a_class_that_was_removed(tmp_path):
    path = tmp_path / "a.imd"
    reduce, _ = recorder()
    with imd.Store(reduce, state={"n": 0}, log=path) as store:
        store.dispatch(Moved("1"))
        store.dispatch(Cleared())

    def smaller(state: State, action: Cleared) -> State:
        return {"n": state["n"] + 1}

    with pytest.warns(imd.LikelyMistakeWarning, match=WAS_REMOVED):
        store = imd.Store(smaller, state={"n": 0}, log=path)
    with store:
        assert store.state == {"n": 1}
