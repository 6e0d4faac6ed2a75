"""Warnings about what is allowed and probably a mistake, and refusals of what cannot be meant."""

import warnings

import pytest

import immutabledata as imd

STATE = {
    "todos": [{"title": "a", "lane": "todo", "tags": ["x"]}, {"title": "b", "lane": "done"}],
    "byId": {"1": {"title": "a"}},
    "empty": [],
    "none": None,
    "n": 1,
}


def warned(function):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        function()
    assert all(
        (each.category, each.filename) == (imd.LikelyMistakeWarning, __file__) for each in caught
    )
    return [str(each.message) for each in caught]


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        (
            'todos[?lane == "todo"]',
            'none of 2 objects has a member "todo"; it is the name of a member, because it stands '
            "in double quotes: write 'todo' for the text",
        ),
        (
            "todos[?done == true]",
            'none of 2 objects has a member "done"|none of 2 objects has a member "true"; it is the '
            "name of a member: write `true` for the value",
        ),
        ("todo", 'the state has no member "todo"; did you mean "todos"?'),
        ("todos[].titel", 'none of 2 objects has a member "titel"; did you mean "title"?'),
        ("todos[*].titel", 'none of 2 objects has a member "titel"; did you mean "title"?'),
        ("todos[0].titel", 'the object has no member "titel"; did you mean "title"?'),
        ("todos.title", 'an array has no member "title"; write [].title for that of its elements'),
        ("byId.*.name", 'the object has no member "name"'),
        ("sort_by(todos, &titel)", 'none of 2 objects has a member "titel"; did you mean "title"?'),
        ("length(todos[?titel])", 'none of 2 objects has a member "titel"; did you mean "title"?'),
        ("let $t = todos in $t[].titel", None),
        ("{a: nn, b: todos}", 'the state has no member "nn"; did you mean "n"?'),
        ("todos[].tags[]", ""),
        ("todos[?lane == 'todo'].title | [0]", ""),
        ("todos[?!done]", ""),
        ("todos[?done == null]", ""),
        ("todos[?done == `null`]", ""),
        ("nickname || n", ""),
        ("empty[].anything", ""),
        ("none.anything", ""),
        ("get(byId, $id).title", ""),
        ("keys(byId)", ""),
        ("map(&title, todos)", ""),
        ("@", ""),
    ],
)
def test_an_expression_that_can_only_be_empty(expression, expected):
    if expected is None:
        expected = 'none of 2 objects has a member "titel"; did you mean "title"?'
    if expression == "todos[?done == null]":
        expected = (
            'none of 2 objects has a member "done"|none of 2 objects has a member "null"; it is '
            "the name of a member: write `null` for the value"
        )
    with imd.Store(lambda state, action: state, state=STATE) as store:
        messages = warned(lambda: store.define("s", expression))
    assert messages == [f'the selector "s": {each}' for each in expected.split("|") if each]


ADDED = "added"
CASES = {"cleared": list}


def reduce(state, action):
    if action["type"] == ADDED:
        return [*state, 1]
    if action["type"] in CASES:
        return CASES[action["type"]]()
    if action["type"].startswith("set"):
        return [2]
    return state if action["type"] != "removed" else state[1:]


@pytest.mark.parametrize(
    ("types", "expected"),
    [
        (["aded"], ['"aded" changed nothing; did you mean "added"?']),
        (["clared"], ['"clared" changed nothing; did you mean "cleared"?']),
        (["remove"], ['"remove" changed nothing; did you mean "removed"?']),
        (["aded", "aded"], ['"aded" changed nothing; did you mean "added"?']),
        # A type that changed the state is known, too.
        (["set-lane", "ste-lane"], ['"ste-lane" changed nothing; did you mean "set-lane"?']),
        # Known, or like no other.
        (["removed", "cleared", "noted"], []),
    ],
)
def test_a_misspelled_type_of_a_plain_reducer(types, expected):
    with imd.Store(reduce, state=[]) as store:
        assert warned(lambda: [store.dispatch(each) for each in types]) == expected
        assert warned(lambda: store.dispatch({"type": types[0]})) == []
    with imd.Store(imd.drafting(reduce), state=[]) as store:
        assert warned(lambda: [store.dispatch(each) for each in types]) == expected
    with imd.Store(reduce, state=[]) as store:
        store.listener()(lambda action, old, new: None)
        assert warned(lambda: [store.dispatch(each) for each in types]) == []


def test_the_check_of_an_expression_is_bounded():
    state = {"rows": [[{"n": 1}] * 100] * 100}
    with imd.Store(lambda state, action: state, state=state) as store:
        assert warned(lambda: store.define("s", "rows" + "[]" * 100 + ".x")) == []


def counter(name):
    part = imd.Slice(name, 0)

    @part.on("added")
    def added(draft, action):
        return draft + 1

    return part


def test_a_combined_reducer_that_the_state_does_not_fit():
    cards = counter("cards")
    message = (
        'the state has no member "crads", and no reducer takes its member "cards"; is this '
        "combine(crads=…) named as the state has it?"
    )
    combined = imd.combine(crads=cards)
    assert warned(lambda: imd.Store(combined, state={"cards": 1}).close()) == [message]
    assert warned(lambda: imd.Store(combined, state={}).close()) == []
    assert warned(lambda: imd.Store(combined).close()) == []
    more = imd.combine(crads=cards, cards=cards)
    assert warned(lambda: imd.Store(more, state={"cards": 1}).close()) == []


def test_an_action_that_no_slice_takes():
    cards = counter("cards")
    combined = imd.combine(a=cards, b=imd.combine(c=counter("rows")))
    with imd.Store(combined) as store:
        message = 'no slice takes "saved"; the action changes nothing'
        assert warned(lambda: store.dispatch("saved")) == [message]
        assert warned(lambda: store.dispatch("saved")) == []
        assert warned(lambda: store.dispatch("cards/added")) == []
        assert warned(lambda: store.dispatch({"type": "rows/added"})) == []
        # It may be meant for the listener.
        store.listener()(lambda action, old, new: None)
        assert warned(lambda: store.dispatch("other")) == []
    with imd.Store(imd.combine(a=cards, b=lambda state, action: 0), state={"b": 0}) as store:
        assert warned(lambda: store.dispatch("saved")) == []


@pytest.mark.parametrize(
    ("state", "next", "message"),
    [
        ({"a": 1}, 5, "an integer, but the state is an object"),
        ([], {}, "an object, but the state is an array"),
        ("a", 1.5, "a number, but the state is a string"),
        (True, 1, "an integer, but the state is a boolean"),
    ],
)
def test_a_reducer_that_returns_another_kind_of_state(state, next, message):
    with imd.Store(lambda state, action: next, state=state) as store:
        with pytest.raises(imd.ReducerFailedError) as caught:
            store.dispatch("changed")
        assert str(caught.value) == (
            f"the reducer returned {message}; it must return the whole next state"
        )
        assert store.state == state


@pytest.mark.parametrize(("state", "next"), [(1, 1.5), (1.5, 1), (None, {}), (False, True)])
def test_a_state_that_may_replace_another(state, next):
    with imd.Store(lambda state, action: next, state=state) as store:
        store.dispatch("changed")
        assert store.state == next


def test_an_action_without_a_type_is_refused():
    with imd.Store(lambda state, action: state, state=0) as store, imd.open("counter") as domain:
        for refuses in (store, domain):
            with pytest.raises(imd.InvalidActionError) as caught:
                refuses.dispatch("")
            assert str(caught.value) == 'the "type" of an action must not be empty'


def test_an_optimistic_action_needs_the_option():
    with imd.Store(lambda state, action: state, state=0) as store:
        store.dispatch("a", meta={"id": 1})
        store.dispatch("a", meta=[])
        with pytest.raises(imd.InvalidActionError) as caught:
            store.dispatch("a", meta={"optimistic": {"begin": "1"}})
    assert str(caught.value) == (
        'the "meta" of the action has a member "optimistic", but the store was created without the '
        'option "optimistic"; create it with {"optimistic":true}'
    )


def test_a_payload_that_the_type_does_not_take_is_refused():
    with imd.open("counter") as store, pytest.raises(imd.InvalidActionError) as caught:
        store.dispatch("didTapIncrementButton", payload=1)
    assert str(caught.value) == '"didTapIncrementButton" takes no payload; leave out "payload"'


def test_an_expression_that_can_only_be_empty():
    with imd.Store(lambda state, action: state, state={"todos": [{"title": "a"}]}) as store:
        assert store.check_expression("todos[].title") == []
        assert store.check_expression("todo[].title") == [
            'the state has no member "todo"; did you mean "todos"?'
        ]
        with pytest.raises(imd.InvalidSelectorError):
            store.check_expression("todos[")
