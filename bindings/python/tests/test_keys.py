"""Tests of keys and names that are not plain text: numbers, and members of enums."""

import enum
from collections import UserDict

import pytest

import immutabledata as imd


def read(state, action):
    return state.set("/last", action.get("payload"))


@pytest.fixture
def store():
    with imd.Store(read, state={"last": None}) as store:
        store.define("echo", lambda state, *, given: given)
        yield store


SAME = [
    ({7: 1, "7": 2}, "7"),
    ({1.5: 1, "1.5": 2}, "1.5"),
    ({None: 1, "null": 2}, "null"),
    ({True: 1, "true": 2}, "true"),
    ({"a": 1, 2: 2, "b": 3, None: 4, "2": 5}, "2"),
    (UserDict({7: 1, "7": 2}), "7"),
]


@pytest.mark.parametrize(("data", "key"), SAME)
def test_keys_that_become_the_same_are_refused(store, data, key):
    for place, use in {
        "the data": lambda: imd.value(data),
        "the data at /a/1": lambda: imd.value({"a": [0, data]}),
        "the data at /b": lambda: imd.value({"a": imd.value([1]), "b": data}),
        "the action at /payload": lambda: store.dispatch("read", data),
        "the action at /payload/0": lambda: store.dispatch("read", [data, imd.value([1])]),
        "the action at /meta": lambda: store.dispatch("read", meta=data),
        "the batch at /0/payload": lambda: store.dispatch_batch([{"type": "a", "payload": data}]),
        "the patch": lambda: imd.value({}).merge(data),
        "the patch at /0/value": lambda: imd.value({}).patch(
            [{"op": "add", "path": "/a", "value": data}]
        ),
        "the arguments at /given": lambda: store.select("echo", given=data),
        "the update": lambda: imd.value({}).update(data),
    }.items():
        with pytest.raises(imd.InvalidArgumentError) as caught:
            use()
        assert caught.value.message == (
            f'{place} cannot be written as JSON: two of its keys become "{key}"'
        )


def test_what_default_returns_is_looked_through_too():
    with pytest.raises(imd.InvalidArgumentError, match='two of its keys become "1"'):
        imd.value({"a": 1j}, default=lambda part: {1: part.real, "1": part.imag})


@pytest.mark.parametrize(
    ("data", "text"),
    [
        ({7: 1, "8": 2}, '{"7":1,"8":2}'),
        ({None: 1, True: 2, 3: 3, 4.5: 4, "a": 5}, '{"3":3,"4.5":4,"a":5,"null":1,"true":2}'),
        ({"b": {1: 2, "c": imd.value([3])}, 0: 10**18}, '{"0":1000000000000000000,"b":{"1":2,"c":[3]}}'),
    ],
)
def test_keys_that_differ_as_text_can_be_mixed(data, text):
    assert imd.value(data).to_json() == text


# ---- Enums ---------------------------------------------------------------------------------------


class Key(int, enum.Enum):
    TEA = 1


class Name(str, enum.Enum):
    TODOS = "todos"
    ADDED = "added"
    MOVED = "other/moved"
    POINTER = "/todos"

    def __str__(self):
        return "not the value"


class Shouted(str):
    """A str whose conversions have another text than it has."""

    def __str__(self):
        return "SHOUTED"

    def __format__(self, form):
        return "SHOUTED"


def test_a_member_of_an_enum_is_its_value_in_data():
    data = {Name.TODOS: [Name.ADDED, Key.TEA], Key.TEA: 5}
    assert imd.value(data).to_json() == '{"1":5,"todos":["added",1]}'
    assert imd.value(Name.TODOS) == "todos"
    assert imd.value(Key.TEA) == 1


def test_a_member_of_an_enum_is_its_value_in_a_path():
    prices = imd.value({"1": 5, "todos": [3, 4]})
    assert prices.set((Key.TEA,), 6) == {"1": 6, "todos": [3, 4]}
    assert prices.set((Name.TODOS, Key.TEA), 6) == {"1": 5, "todos": [3, 6]}
    assert prices.at(Name.POINTER) == prices[Name.TODOS] == [3, 4]
    assert prices.at((Name.TODOS, Key.TEA)) == prices["todos"].at(Key.TEA) == 4
    assert Name.TODOS in prices
    assert prices.update({Name.TODOS: 1}) == {"1": 5, "todos": 1}
    with pytest.raises(imd.InvalidArgumentError) as caught:
        prices.at(Name.TODOS)
    assert caught.value.message == (
        '"todos" is not a JSON Pointer, which is empty or begins with "/"; for the key, write '
        "\"/todos\" or ('todos',)"
    )


def test_a_member_of_an_enum_is_its_value_in_a_draft():
    @imd.drafting
    def reduce(draft, action):
        draft[Name.TODOS][Key.TEA] = Name.ADDED
        draft[Name.TODOS].insert(Key.TEA, Key.TEA)
        draft[Name.ADDED] = {Name.TODOS: Key.TEA}

    after = reduce(imd.value({"todos": [1, 2]}), None)
    assert after.to_json() == '{"added":{"todos":1},"todos":[1,1,"added"]}'


@pytest.mark.parametrize(
    ("todos", "added", "moved"),
    [
        (Name.TODOS, Name.ADDED, Name.MOVED),
        (Shouted("todos"), Shouted("added"), Shouted("other/moved")),
    ],
)
def test_a_member_of_an_enum_is_its_value_in_names(todos, added, moved):
    slice = imd.Slice(todos, [])

    @slice.on(added)
    def add(draft, action):
        draft.append(action["payload"])

    @slice.on_type(moved)
    def move(draft, action):
        draft.append(action["type"])

    assert type(slice.name) is str
    assert add.type == "todos/added"
    assert add is slice.actions.added
    with imd.Store(imd.combine(**{todos: slice})) as store:
        store.dispatch(add(1))
        store.dispatch(moved)
        store.dispatch({"type": moved})
        assert store.state.to_json() == '{"todos":[1,"other/moved","other/moved"]}'
        store.define(todos, "todos[0]")
        assert store.select(todos) == store.select("todos") == 1


@pytest.mark.parametrize("sort_by", [None, Name.ADDED])
def test_a_member_of_an_enum_is_its_value_as_an_id(sort_by):
    todos = imd.entities(id=Name.TODOS, sort_by=sort_by)
    state = todos.initial_state([{"todos": Name.ADDED, "added": 1}, {"todos": Key.TEA, "added": 2}])
    assert state["ids"] == ["added", 1]
    assert list(state["entities"]) == ["1", "added"]
    assert todos.select_by_id(state, Key.TEA) == {"todos": 1, "added": 2}
    state = todos.update_one(state, Name.ADDED, {"added": 3})
    assert todos.select_by_id(state, "added")["added"] == 3
    assert todos.remove_many(state, [Name.ADDED, Key.TEA])["ids"] == []
    with imd.Store(lambda state, action: state, state={"todos": state}) as store:
        todos.define(store, Name.TODOS)
        assert store.select("todos.total") == 2
