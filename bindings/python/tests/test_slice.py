"""Slices and their action creators."""

import copy
import warnings

import pytest

import immutabledata as imd


@pytest.fixture
def todos():
    todos = imd.Slice("todos", [])

    @todos.on("added")
    def added(draft, action):
        draft.append({"title": action["payload"], "done": False})

    @todos.on("toggled")
    def toggled(draft, action):
        draft[action["payload"]]["done"] ^= True

    @todos.on("cleared")
    def cleared(draft, action):
        return []

    @todos.on_type("session/ended")
    def ended(draft, action):
        draft.clear()

    return todos


def test_action_creators(todos):
    assert todos.actions.added("Write") == {"type": "todos/added", "payload": "Write"}
    assert todos.actions.added(None) == {"type": "todos/added", "payload": None}
    assert todos.actions.cleared() == {"type": "todos/cleared"}
    assert todos.actions.cleared(meta=1) == {"type": "todos/cleared", "meta": 1}
    assert todos.actions.added.type == "todos/added"
    assert repr(todos.actions.added) == "<immutabledata.ActionCreator 'todos/added'>"
    assert repr(todos) == "<immutabledata.Slice 'todos'>"
    assert (todos.name, todos.initial_state) == ("todos", [])


def test_a_slice_is_a_reducer(todos):
    with imd.Store(todos) as store:
        for action in [
            todos.actions.added("Write"),
            todos.actions.added("Read"),
            todos.actions.toggled(1),
        ]:
            store.dispatch(action)
        assert store.state == [
            {"title": "Write", "done": False},
            {"title": "Read", "done": True},
        ]
        store.dispatch("session/ended")
        assert store.state == []
        store.dispatch(todos.actions.added("Write"))
        store.dispatch(todos.actions.cleared())
        assert store.state == []


def test_an_unknown_type_changes_nothing(todos):
    state = imd.value([])
    assert todos(state, {"type": "saved"}) is state
    assert todos(state, {"type": "todos/added/not"}) is state


def test_a_store_of_a_slice(todos):
    with imd.Store(todos, state=[{"title": "Old", "done": True}]) as store:
        assert store.state[0]["title"] == "Old"


def test_the_decorator_returns_the_action_creator():
    counter = imd.Slice("counter", {"n": 0})

    @counter.on("added")
    def added(draft, action):
        draft["n"] += action["payload"]

    assert added is counter.actions.added
    assert added(5) == {"type": "counter/added", "payload": 5}
    plain = {"n": 1}
    added.case(plain, added(2))
    assert plain == {"n": 3}


@pytest.mark.parametrize(
    ("register", "kind", "message"),
    [
        (
            lambda s: s.on("added")(print),
            imd.InvalidArgumentError,
            'the slice "todos" already has a case for "todos/added"',
        ),
        (lambda s: s.on_type("todos/added")(print), imd.InvalidArgumentError, "already"),
        (lambda s: s.on(5), TypeError, "as in @slice.on"),
        (lambda s: s.on_type(5), TypeError, "the type of an action"),
        (lambda s: imd.Slice(5, []), TypeError, "the name of a slice must be a str, not int"),
        (lambda s: imd.Slice("", []), imd.InvalidArgumentError, "slice must not be empty"),
        (lambda s: s.on(""), imd.InvalidArgumentError, "an action must not be empty"),
    ],
)
def test_mistakes(todos, register, kind, message):
    with pytest.raises(kind, match=message):
        register(todos)


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("aded", 'the slice "todos" has no action "aded"; did you mean "added"?'),
        (
            "x",
            'the slice "todos" has no action "x"; expected one of: "added", "cleared", "toggled"',
        ),
    ],
)
def test_an_unknown_action_creator(todos, name, message):
    with pytest.raises(AttributeError) as caught:
        getattr(todos.actions, name)
    assert str(caught.value) == message
    assert not hasattr(todos.actions, name)


def test_a_slice_without_actions():
    empty = imd.Slice("empty", [])
    with pytest.raises(AttributeError, match='the slice "empty" has no action "a"; there are none'):
        _ = empty.actions.a
    assert repr(empty.actions) == "<immutabledata.Actions >"


def test_a_copy_of_the_action_creators(todos):
    assert copy.copy(todos.actions).added is todos.actions.added


def test_the_names_of_the_action_creators(todos):
    assert dir(todos.actions) == ["added", "cleared", "toggled"]
    assert repr(todos.actions) == "<immutabledata.Actions added, toggled, cleared>"


@pytest.mark.parametrize("kind", ["todos/toggeld", "toggled"])
def test_a_misspelled_action_is_warned_about_once(todos, kind):
    message = f'the slice "todos" ignores "{kind}"; did you mean "todos/toggled"?'
    with imd.Store(todos) as store, warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        store.dispatch(kind)
        store.dispatch(kind)
        assert [(str(each.message), each.category, each.filename) for each in caught] == [
            (message, imd.LikelyMistakeWarning, __file__)
        ]
        assert store.state == []


def test_only_the_names_of_one_slice_are_compared():
    screens = imd.Slice("screens/settings", {})
    for name in ("opened", "scrolled", "saved"):
        screens.on(name)(lambda draft, action: draft.clear())
    message = '"screens/settings/savd"; did you mean "screens/settings/saved"\\?$'
    with imd.Store(screens) as store, pytest.warns(imd.LikelyMistakeWarning, match=message):
        store.dispatch("screens/settings/savd")


@pytest.mark.parametrize("kind", ["todos/saved", "other/toggeld", "toggeld", "todos", "todos/"])
def test_an_action_for_others_is_not_warned_about(todos, kind):
    with imd.Store(todos) as store:
        store.listener()(lambda action, old, new: None)
        store.dispatch(kind)


def test_the_number_of_types_that_a_slice_remembers_is_bounded(todos):
    for number in range(2000):
        todos([], {"type": f"todos/{number}"})
    assert len(todos._ignored) == 1000


def test_a_type_without_the_name_of_the_slice_may_have_a_case(todos):
    @todos.on_type("toggled")
    def toggled(draft, action):
        draft.append(1)

    with imd.Store(todos) as store:
        store.dispatch("toggled")
        assert store.state == [1]
