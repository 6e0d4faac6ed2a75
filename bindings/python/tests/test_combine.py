"""combine, for slices and other reducers."""

import pytest

import immutabledata as imd


@pytest.fixture
def todos():
    todos = imd.Slice("todos", [])

    @todos.on("added")
    def added(draft, action):
        draft.append({"title": action["payload"], "done": False})

    return todos


def count(state, action):
    return state + 1 if action["type"] == "todos/added" else state


count.initial_state = 0


def test_combine(todos):
    with imd.Store(imd.combine(todos=todos, added=count)) as store:
        assert store.state == {"todos": [], "added": 0}
        before = store.state
        store.dispatch("other")
        assert store.state.is_identical(before)
        store.dispatch(todos.actions.added("Write"))
        assert store.state == {"todos": [{"title": "Write", "done": False}], "added": 1}


def test_unchanged_parts_are_the_same_instances(todos):
    reduce = imd.combine(todos=todos, notes=imd.Slice("notes", {}), added=lambda s, a: s)
    before = imd.value({"todos": [], "notes": {"a": 1}, "added": 2**40, "more": [1]})
    assert reduce(before, {"type": "other"}) is before
    after = reduce(before, todos.actions.added("Write"))
    assert after["notes"].is_identical(before["notes"])
    assert after["more"].is_identical(before["more"])


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


def test_a_store_adds_missing_parts_at_once(todos):
    inner = imd.combine(todos=todos, added=count)
    with imd.Store(imd.combine(inner=inner, notes=imd.Slice("notes", {})), state={}) as store:
        assert store.state == {"inner": {"todos": [], "added": 0}, "notes": {}}
    with pytest.warns(imd.LikelyMistakeWarning, match='takes its member "more"'):
        store = imd.Store(inner, state={"added": 5, "more": 1})
    with store:
        assert store.state == {"todos": [], "added": 5, "more": 1}
    with imd.Store(imd.combine(inner=inner), state=imd.value({"inner": {"added": 5}})) as store:
        assert store.state == {"inner": {"todos": [], "added": 5}}


@pytest.mark.parametrize("state", [[], 5, None, "text"])
def test_a_state_that_is_not_an_object(todos, state):
    reduce = imd.combine(todos=todos)
    message = f"the state of a combined reducer must be an object, not {imd.value(state)!r}"
    hint = "; leave it out to start with the initial states" if state is None else ""
    for call, expected in (
        (lambda: imd.Store(reduce, state=state), message + hint),
        (lambda: imd.Store(imd.combine(in_=reduce), state={"in_": state}), message + hint),
        (lambda: reduce(state, {"type": "go"}), message),
    ):
        with pytest.raises(imd.InvalidArgumentError) as caught:
            call()
        assert str(caught.value) == expected


def test_a_missing_part_without_initial_state():
    reduce = imd.combine(plain=lambda s, a: s)
    message = 'the state has no member "plain"; add it, or give its reducer an attribute initial'
    with pytest.raises(imd.InvalidArgumentError, match=message):
        reduce(imd.value({}), {"type": "go"})
    with pytest.raises(imd.InvalidArgumentError, match=message):
        imd.Store(reduce)


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


def test_a_draft_is_changed(todos):
    slices = imd.combine(todos=todos, added=count)

    @imd.drafting
    def reduce(draft, action):
        part = draft["present"]
        assert slices(part, action) is part
        draft["present"] = slices(part, {"type": "other"})
        part["more"] = [len(part["todos"])]

    before = imd.value({"present": {"todos": []}, "past": [1]})
    after = reduce(before, todos.actions.added("A"))
    todo = {"title": "A", "done": False}
    assert after == {"present": {"todos": [todo], "added": 1, "more": [1]}, "past": [1]}
    assert after["past"].is_identical(before["past"])


def test_a_draft_that_no_reducer_changes(todos):
    reduce = imd.drafting(lambda draft, action: imd.combine(todos=todos)(draft, action))
    before = imd.value({"todos": [1]})
    assert reduce(before, {"type": "other"}) is before
