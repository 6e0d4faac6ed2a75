"""Mistakes in expressions and their arguments: the messages and positions."""

import pytest

import immutabledata as imd


@pytest.fixture
def todos():
    with imd.Store(lambda state, action: state, state={"todos": []}) as store:
        yield store


def place(error):
    return error.line, error.column, error.offset


@pytest.mark.parametrize(
    ("expression", "message", "expected"),
    [
        ("todos[?id > 1]", "a number must be a literal in backticks: `1`", (1, 13, 12)),
        ("todos[?id = `1`]", '"=" is not an operator; did you mean "=="?', (1, 11, 10)),
        (
            'todos[*].{\n  "é": a, b: my-key\n}',
            'a name that contains "-" must be in double quotes: "my-key"',
            (2, 14, 25),
        ),
        (
            "todos[0]\n| len(@)",
            'there is no function "len"; did you mean "length"?',
            (2, 3, 11),
        ),
    ],
)
def test_a_mistake(todos, expression, message, expected):
    with pytest.raises(imd.InvalidSelectorError) as caught:
        todos.query(expression)
    assert caught.value.message.splitlines()[0] == message
    assert place(caught.value) == expected


def test_a_missing_argument_of_an_empty_list(todos):
    todos.define("todo", "todos[?id == $id]")
    message = 'the variable $id is not defined; pass the argument "id" or bind it with let'
    for call in (
        lambda: todos.query("todos[?id == $id]"),
        lambda: todos.select("todo"),
        lambda: todos.observe("todo", lambda todo: None),
    ):
        with pytest.raises(imd.InvalidArgumentError) as caught:
            call()
        assert caught.value.message.splitlines()[0] == message
        assert place(caught.value) == (1, 14, 13)


def test_an_expression_must_be_defined_before_it_is_observed(todos):
    message = (
        'unknown selector "todos[*].id"; query evaluates an expression; to select or observe '
        "one, define it as a selector first"
    )
    with pytest.raises(imd.UnknownSelectorError) as caught:
        todos.observe("todos[*].id", lambda ids: None)
    assert caught.value.message == message
