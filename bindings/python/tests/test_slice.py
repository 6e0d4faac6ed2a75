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


def count(state, action):
    return state + 1 if action["type"] == "todos/added" else state


count.initial_state = 0


# ---- Slice ---------------------------------------------------------------------------------------


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
            "other/type",
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
    assert todos(state, {"type": "added"}) is state
    assert todos(state, {"type": "todos/added/not"}) is state


def test_a_store_of_a_slice(todos):
    with imd.Store(todos, state=[{"title": "Old", "done": True}]) as store:
        assert store.state[0]["title"] == "Old"


def test_the_decorator_returns_the_case():
    counter = imd.Slice("counter", {"n": 0})

    @counter.on("added")
    def added(draft, action):
        draft["n"] += action["payload"]

    plain = {"n": 1}
    added(plain, {"payload": 2})
    assert plain == {"n": 3}


@pytest.mark.parametrize(
    ("register", "kind", "message"),
    [
        (
            lambda s: s.on("added")(count),
            ValueError,
            "'todos' already has a case for 'todos/added'",
        ),
        (lambda s: s.on_type("todos/added")(count), ValueError, "already"),
        (lambda s: s.on(count), TypeError, "as in @slice.on"),
        (lambda s: s.on_type(count), TypeError, "the type of an action"),
        (lambda s: imd.Slice(5, []), TypeError, "the name of a slice is a str, not int"),
        (lambda s: imd.Slice("", []), imd.InvalidArgumentError, "slice must not be empty"),
        (lambda s: s.on(""), imd.InvalidArgumentError, "an action must not be empty"),
        (lambda s: s.actions.unknown, AttributeError, "unknown"),
    ],
)
def test_mistakes(todos, register, kind, message):
    with pytest.raises(kind, match=message):
        register(todos)


# ---- combine -------------------------------------------------------------------------------------


def test_combine(todos):
    with imd.Store(imd.combine(todos=todos, added=count)) as store:
        assert store.state == {"todos": [], "added": 0}
        before = store.state
        store.dispatch("other")
        assert store.state.is_same(before)
        store.dispatch(todos.actions.added("Write"))
        assert store.state == {"todos": [{"title": "Write", "done": False}], "added": 1}


def test_unchanged_parts_are_the_same_instances(todos):
    reduce = imd.combine(todos=todos, notes=imd.Slice("notes", {}), added=lambda s, a: s)
    before = imd.value({"todos": [], "notes": {"a": 1}, "added": 2**40, "more": [1]})
    assert reduce(before, {"type": "other"}) is before
    after = reduce(before, todos.actions.added("Write"))
    assert after["notes"].is_same(before["notes"])
    assert after["more"].is_same(before["more"])


def test_initial_state(todos):
    reduce = imd.combine(todos=todos, added=count, plain=lambda s, a: s)
    assert reduce.initial_state == {"todos": [], "added": 0}
    outer = imd.combine(inner=reduce)
    assert outer.initial_state == {"inner": {"todos": [], "added": 0}}
    assert repr(reduce) == "<immutabledata.combine of todos, added, plain>"


def test_a_missing_part_starts_with_its_initial_state(todos):
    reduce = imd.combine(todos=todos, added=count)
    assert reduce(imd.value({}), {"type": "other"}) == {"todos": [], "added": 0}
    assert reduce({"added": 5}, todos.actions.added("Write"))["added"] == 6


def test_a_missing_part_without_initial_state():
    reduce = imd.combine(plain=lambda s, a: s)
    with pytest.raises(imd.ReducerFailedError, match="no member 'plain'"):
        reduce(imd.value({}), {"type": "go"})


def test_a_part_whose_reducer_returns_none():
    with imd.Store(imd.combine(part=lambda s, a: None), state={"part": 1}) as store:
        with pytest.raises(imd.ReducerFailedError, match="the reducer of 'part' returned None"):
            store.dispatch("go")
        assert store.state == {"part": 1}


def test_combined_parts_of_drafts(todos):
    reduce = imd.drafting(lambda draft, action: imd.combine(todos=todos)(draft, action))
    assert reduce({"todos": [], "n": 1}, todos.actions.added("A")) == {
        "todos": [{"title": "A", "done": False}],
        "n": 1,
    }
