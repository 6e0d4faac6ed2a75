"""Schemas that are derived from the types of actions and states."""

import datetime
import enum
import re
from collections import namedtuple
from collections.abc import Mapping, Sequence
from dataclasses import InitVar, dataclass, field
from typing import Annotated, Any, Literal, NamedTuple, NewType, Optional, TypedDict, Union

import pytest
from typing_extensions import NotRequired, Required, TypeAliasType

import immutabledata as imd
from immutabledata._types import typed


class Lane(enum.Enum):
    TODO = "todo"
    DONE = "done"


class Color(str, enum.Enum):
    RED = "red"


class Level(enum.IntEnum):
    LOW = 1


class Opaque:
    """Neither data nor a class of actions."""


@dataclass(frozen=True)
class Circle:
    radius: float
    kind: Literal["circle"] = "circle"


class Square(NamedTuple):
    side: float
    kind: Literal["square"] = "square"


class Tree(TypedDict):
    name: str
    children: "list[Tree]"


class Card(TypedDict, total=False):
    title: Required[str]
    due: str


class Task(TypedDict):
    title: str
    due: NotRequired["str"]


Id = NewType("Id", str)
Number = TypeAliasType("Number", Union[int, float])
Untagged = namedtuple("Untagged", "a")

CARD = {
    "type": "object",
    "properties": {"title": {"type": "string"}, "due": {"type": "string"}},
    "additionalProperties": False,
    "required": ["title"],
}
CIRCLE = {
    "type": "object",
    "properties": {"radius": {"type": "number"}, "kind": {"const": "circle"}},
    "additionalProperties": False,
    "required": ["radius", "kind"],
}


def action_of(hint):
    """A class of actions with one member."""
    return dataclass(frozen=True)(type("Sent", (), {"__annotations__": {"data": hint}}))


def reducer_of(action, state=Any):
    """A reducer that keeps the actions that it gets in a list."""
    got = []

    def reduce(state, action):
        got.append(action)
        return state

    reduce.__annotations__ = {"state": state, "action": action}
    return reduce, got


def schema_of(hint):
    reduce, _ = reducer_of(action_of(hint))
    schema = typed(reduce).schema["actions"]["Sent"]
    return schema["properties"]["data"], schema.get("$defs")


# Each with data, and what the library makes of it.
TYPES = [
    (str, {"type": "string"}, "a", "a"),
    (int, {"type": "integer"}, 1, 1),
    (float, {"type": "number"}, 1.5, 1.5),
    (bool, {"type": "boolean"}, True, True),
    (None, {"type": "null"}, None, None),
    (Any, {}, [1], [1]),
    (object, {}, 1, 1),
    (Id, {"type": "string"}, Id("a"), "a"),
    (Number, {"type": ["integer", "number"]}, 1.5, 1.5),
    (Annotated[int, "seconds"], {"type": "integer"}, 1, 1),
    (Optional[str], {"type": ["string", "null"]}, None, None),
    (Literal["a", 1], {"enum": ["a", 1]}, 1, 1),
    (Literal["a"], {"const": "a"}, "a", "a"),
    (Lane, {"enum": ["todo", "done"]}, Lane.DONE, Lane.DONE),
    (Literal[Lane.DONE], {"const": "done"}, Lane.DONE, Lane.DONE),
    (Level, {"enum": [1]}, Level.LOW, Level.LOW),
    (
        Optional[Lane],
        {"anyOf": [{"enum": ["todo", "done"]}, {"type": "null"}]},
        Lane.DONE,
        Lane.DONE,
    ),
    (
        Union[str, Annotated[Optional[int], "a number"]],
        {"anyOf": [{"type": "string"}, {"type": ["integer", "null"]}]},
        None,
        None,
    ),
    (list, {"type": "array"}, [1], [1]),
    (list[int], {"type": "array", "items": {"type": "integer"}}, [1], [1]),
    (Sequence[Any], {"type": "array"}, (1,), [1]),
    (list[Lane], {"type": "array", "items": {"enum": ["todo", "done"]}}, [Lane.DONE], [Lane.DONE]),
    (tuple, {"type": "array"}, (1,), (1,)),
    (tuple[int, ...], {"type": "array", "items": {"type": "integer"}}, (1, 2), (1, 2)),
    (
        tuple[int, str],
        {
            "type": "array",
            "prefixItems": [{"type": "integer"}, {"type": "string"}],
            "minItems": 2,
            "maxItems": 2,
        },
        (1, "a"),
        (1, "a"),
    ),
    (dict, {"type": "object"}, {"a": 1}, {"a": 1}),
    (
        Mapping[str, int],
        {"type": "object", "additionalProperties": {"type": "integer"}},
        {"a": 1},
        {"a": 1},
    ),
    (
        dict[str, Lane],
        {"type": "object", "additionalProperties": {"enum": ["todo", "done"]}},
        {"a": Lane.TODO},
        {"a": Lane.TODO},
    ),
    (imd.ObjectValue, {"type": "object"}, imd.value({"a": 1}), {"a": 1}),
    (imd.ArrayValue, {"type": "array"}, imd.value([1]), [1]),
    (imd.Value, {}, imd.value([1]), [1]),
]


@pytest.mark.parametrize(("hint", "schema", "data", "rebuilt"), TYPES)
def test_types(hint, schema, data, rebuilt):
    assert schema_of(hint) == (schema, None)
    cls = action_of(hint)
    reduce, got = reducer_of(cls)
    with imd.Store(reduce, state=0) as store:
        store.dispatch(cls(data))
        store.dispatch_batch([cls(data)])
        with pytest.raises(imd.InvalidActionError):
            store.dispatch("Sent", {})
    assert got == [cls(rebuilt)] * 2
    assert type(got[0].data) is type(rebuilt) or isinstance(got[0].data, imd.Value)


# Classes inside an action: their schemas are in "$defs".
CLASSES = [
    (Card, {"Card": CARD}, {"title": "a"}),
    (Task, {"Task": CARD}, {"title": "a", "due": "b"}),
    (Circle, {"Circle": CIRCLE}, Circle(1.5)),
    (list[Circle], {"Circle": CIRCLE}, [Circle(1.5)]),
    (Optional[Circle], {"Circle": CIRCLE}, None),
    (dict[str, Optional[Circle]], {"Circle": CIRCLE}, {"a": Circle(1.5), "b": None}),
]


@pytest.mark.parametrize(("hint", "definitions", "data"), CLASSES)
def test_classes_inside(hint, definitions, data):
    assert schema_of(hint)[1] == definitions
    cls = action_of(hint)
    reduce, got = reducer_of(cls)
    with imd.Store(reduce, state=0) as store:
        store.dispatch(cls(data))
    assert got == [cls(data)]


@dataclass(frozen=True)
class Bounded:
    """As a constraint of annotated_types or msgspec."""

    ge: Optional[int] = None
    lt: Optional[float] = None
    min_length: Optional[int] = None
    pattern: Optional[str] = None


@pytest.mark.parametrize(
    ("hint", "schema", "wrong"),
    [
        (Annotated[int, Bounded(ge=1, lt=2.5)], {"minimum": 1, "exclusiveMaximum": 2.5}, 3),
        (Annotated[str, "a name", Bounded(min_length=1)], {"minLength": 1}, ""),
        (Annotated[list[Any], Bounded(min_length=1)], {"minItems": 1}, []),
        (Annotated[dict[str, Any], Bounded(min_length=1)], {"minProperties": 1}, {}),
        (Annotated[Optional[str], Bounded(pattern="^a")], {"pattern": "^a"}, "b"),
        (Optional[Annotated[str, Bounded(pattern="^a")]], {}, "b"),
    ],
)
def test_constraints(hint, schema, wrong):
    cls = action_of(hint)
    assert schema.items() <= schema_of(hint)[0].items()
    store = imd.Store(reducer_of(cls)[0], state=0)
    with store, pytest.raises(imd.InvalidActionError, match="payload/data"):
        store.dispatch(cls(wrong))


def test_constraints_of_pydantic():
    pydantic = pytest.importorskip("pydantic")
    schema, _ = schema_of(Annotated[list[str], pydantic.Field(max_length=5)])
    assert schema == {"type": "array", "items": {"type": "string"}, "maxItems": 5}


def test_unions_of_classes_have_tags():
    cls = action_of(Union[Circle, Square, str])
    reduce, got = reducer_of(cls)
    sent = [cls(Circle(1.0)), cls(Square(2.0)), cls("none")]
    with imd.Store(reduce, state=0) as store:
        store.dispatch_batch(sent)
        with pytest.raises(imd.InvalidActionError, match="payload/data"):
            store.dispatch("Sent", {"data": {"kind": "oval"}})
    assert got == sent
    assert [type(each.data) for each in got] == [Circle, Square, str]


def test_types_may_refer_to_themselves():
    schema, definitions = schema_of(Tree)
    assert schema == {"$ref": "#/$defs/Tree"}
    assert definitions["Tree"]["properties"]["children"]["items"] == {"$ref": "#/$defs/Tree"}
    cls = action_of(Tree)
    reduce, got = reducer_of(cls)
    tree = {"name": "a", "children": [{"name": "b", "children": []}]}
    with imd.Store(reduce, state=0) as store:
        store.dispatch(cls(tree))
        with pytest.raises(imd.InvalidActionError, match="payload/data/children/0/name"):
            store.dispatch(cls({"name": "a", "children": [{"name": 1, "children": []}]}))
    assert got == [cls(tree)]


def test_two_classes_may_have_one_name():
    other = TypedDict("Card", {"n": int})
    definitions = schema_of(tuple[Card, other, Card])[1]
    assert definitions.keys() == {"Card", "Card2"}
    assert definitions["Card2"]["properties"] == {"n": {"type": "integer"}}


def test_a_state():
    class Board(TypedDict):
        cards: dict[str, Card]
        color: Color
        trees: list[Tree]

    reduce, _ = reducer_of(action_of(int), Board)
    schema = typed(reduce).schema["state"]
    assert schema["properties"] == {
        "cards": {"type": "object", "additionalProperties": {"$ref": "#/$defs/Card"}},
        "color": {"enum": ["red"]},
        "trees": {"type": "array", "items": {"$ref": "#/$defs/Tree"}},
    }
    with pytest.raises(imd.InvalidArgumentError, match='"colour"; did you mean "color"'):
        imd.Store(reduce, state={"cards": {}, "colour": "red", "trees": []})
    imd.Store(reduce, state={"cards": {}, "color": "red", "trees": []}).close()


@pytest.mark.parametrize("state", [Any, imd.Value, object])
def test_a_state_of_any_type_is_not_checked(state):
    assert "state" not in typed(reducer_of(action_of(int), state)[0]).schema


# ---- What cannot be derived ----------------------------------------------------------------------


@dataclass(frozen=True)
class Passing:
    given: InitVar[int]
    n: int = 0


@dataclass(frozen=True)
class Typed:
    type: str = "feature"


@dataclass(frozen=True)
class Misspelled:
    n: "Intt"  # noqa: F821


@dataclass(frozen=True)
class Inner:
    when: datetime.date


@dataclass(frozen=True)
class Plain:
    n: int


def endless():
    """As type Endless = int | list[Endless], which needs Python 3.12."""

    class TypeAliasType:
        __value__ = property(lambda alias: Union[int, list[alias]])

    return TypeAliasType()


NO_TAG = re.escape('give each a member such as kind: Literal["circle"]')


@pytest.mark.parametrize(
    ("action", "message"),
    [
        (action_of(datetime.date), "Sent.data: date cannot be in a schema; use str"),
        (action_of(set[int]), r"Sent.data: set\[int\] cannot be in a schema"),
        (action_of(list[bytes]), "Sent.data: bytes cannot be in a schema"),
        (action_of(Inner), "Inner.when: date cannot be in a schema"),
        (action_of(dict[int, str]), r"Sent.data: the keys of an object are text; use dict\[str"),
        (action_of(Literal[b"a"]), "Sent.data: b'a' cannot be in a schema"),
        (action_of(enum.Enum("Odd", {"A": (1,)})), r"Sent.data: \(1,\) cannot be in a schema"),
        (
            action_of(Union[Circle, Plain]),
            f"Sent.data: nothing tells Circle, Plain apart; {NO_TAG}",
        ),
        (action_of(Union[Lane, str]), "Sent.data: nothing tells the types of the union apart: two"),
        (action_of(Union[Circle, dict[str, int]]), "two of them are an object in JSON"),
        (
            action_of(endless()),
            "Sent.data: a type that refers to itself must be a class; use a TypedDict",
        ),
        (action_of(Untagged), "Untagged.a has no annotation"),
        (Passing, "Passing.given: an InitVar is lost"),
        (Typed, r"Typed.type is a member of the payload; write type: ClassVar\[str\]"),
        (Misspelled, "Misspelled.n: name 'Intt' is not defined"),
        (
            Union[Circle, str],
            "the parameter action of reduce: str is no class of actions; use a dataclass",
        ),
        (Opaque, "the parameter action of reduce: Opaque is no class of actions; use a dataclass"),
        (Optional[Opaque], "Opaque is no class of actions"),
        (list[Circle], "is no class of actions"),
        (Union[Circle, Card], "Card is no class of actions; .* or a TypedDict with a Literal"),
        (
            Union[action_of(int), action_of(str)],
            'the parameter action of reduce: Sent and Sent both have the type "Sent"',
        ),
        (
            TypedDict("Wide", {"type": Literal["wide"], "width": int}),
            'Wide.width: an action has the members type, payload and meta; put "width" into its',
        ),
        (
            TypedDict("Lost", {"type": Literal["lost"], "payload": "Nothing"}),
            "Lost.payload: name 'Nothing' is not defined",
        ),
        (
            TypedDict("Rich", {"type": Literal["rich"], "payload": Circle}),
            "Rich.payload: Circle must be a TypedDict here",
        ),
    ],
)
def test_refuses_actions(action, message):
    reduce, _ = reducer_of(action)
    with pytest.raises(TypeError, match=message):
        imd.Store(reduce, state=0)


@pytest.mark.parametrize(
    ("state", "message"),
    [
        (Circle, "the parameter state of reduce: Circle must be a TypedDict here"),
        (TypedDict("Board", {"at": datetime.date}), "Board.at: date cannot be in a schema"),
        (TypedDict("Board", {"lane": Lane}), "Board.lane: Lane must also be a str here"),
        ("Bord", "the parameter state of reduce: name 'Bord' is not defined"),
    ],
)
def test_refuses_states(state, message):
    reduce, _ = reducer_of(action_of(int), state)
    with pytest.raises(TypeError, match=message):
        imd.Store(reduce, state={})


def test_a_field_that_is_not_given_is_not_in_the_payload():
    @dataclass(frozen=True)
    class Doubled:
        n: int
        twice: int = field(init=False, default=0)

        def __post_init__(self):
            object.__setattr__(self, "twice", 2 * self.n)

    reduce, got = reducer_of(Doubled)
    with imd.Store(reduce, state=0) as store:
        store.dispatch(Doubled(2))
        store.dispatch("Doubled", {"n": 2})
    assert got == [Doubled(2)] * 2
    assert got[1].twice == 4
