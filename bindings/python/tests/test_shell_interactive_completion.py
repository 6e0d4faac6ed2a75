"""What the shell offers at the end of a line."""

import pytest

pytest.importorskip("rich")

import immutabledata as imd
from immutabledata._shell import scratch
from immutabledata._shell.interactive.commands import COMMANDS
from immutabledata._shell.interactive.completion import FUNCTIONS, Surroundings, complete
from immutabledata._shell.interactive.vocabulary import Vocabulary

DESCRIPTION = {
    "actions": [
        *scratch.DESCRIPTION["actions"],
        {"type": "ui/list/onTapDelete", "summary": "Deletes."},
        {
            "type": "ui/list/onAdd",
            "payload": {
                "properties": {
                    "diet": {"enum": ["Herbivore", "Carnivore"]},
                    "wild": {"type": "boolean"},
                }
            },
        },
    ],
    "selectors": [
        {"name": "selectAll"},
        {"name": "selectOne", "arguments": {"properties": {"animalId": {"type": "string"}}}},
    ],
}
STATE = {
    "todos": [
        {"title": "Write", "done": False},
        {"title": "Test", "tags": ["a"], "by": {"name": "Ada"}},
    ],
    "total": 3,
    "a b": {"c": 1},
    "a/b": {"d": 1},
    "people": {"k1": {"age": 1}},
}
VOCABULARY = Vocabulary.of(DESCRIPTION)
COMMAND_KINDS = {each.name: (each.argument, each.summary) for each in COMMANDS}


def lines(text, state=STATE):
    """The lines that the candidates make of a text."""
    around = Surroundings(
        VOCABULARY, imd.value(state), COMMAND_KINDS, lambda kind: [(f"<{kind}>", "")]
    )
    return [text[: each.start] + each.text for each in complete(text, around)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (".un", [".unobserve", ".undo"]),
        (".help un", [".help unobserve", ".help undo"]),
        (".select ", [".select selectAll", ".select selectOne"]),
        (".select One", [".select selectOne"]),
        (".select selectOne ", [".select selectOne animalId="]),
        (".state /to", [".state /todos", ".state /total"]),
        (".blame /todos/0/", [".blame /todos/0/done", ".blame /todos/0/title"]),
        (".query tot", [".query total"]),
        (".observe sel", [".observe selectAll", ".observe selectOne"]),
        (".schema Tap", [".schema ui/list/onTapDelete"]),
        (".travel ", [".travel <step>"]),
        (".stats ", []),
        (".nope ", []),
    ],
)
def test_commands(text, expected):
    assert lines(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("ui", ["ui/list/onTapDelete", "ui/list/onAdd"]),
        ("delete", ["ui/list/onTapDelete"]),
        (
            "ui/list/onAdd ",
            [
                "ui/list/onAdd Herbivore",
                "ui/list/onAdd Carnivore",
                "ui/list/onAdd diet=",
                "ui/list/onAdd wild=",
            ],
        ),
        ("ui/list/onAdd diet=C", ["ui/list/onAdd diet=Carnivore"]),
        (
            "ui/list/onAdd diet=Carnivore ",
            [
                "ui/list/onAdd diet=Carnivore false",
                "ui/list/onAdd diet=Carnivore true",
                "ui/list/onAdd diet=Carnivore wild=",
            ],
        ),
        ("ui/list/onAdd wild=t", ["ui/list/onAdd wild=true"]),
        ("set /todos/1/b", ["set /todos/1/by"]),
        ("set path=/tot", ["set path=/total"]),
        ("set /total v", ["set /total value="]),
        ("set path=/total v", ["set path=/total value="]),
        ("merge /tot", ["merge /total"]),
        ("merge /total ", ["merge /total value=", "merge /total path="]),
        ("unknown/type ", []),
        ('{"type": "se', ['{"type": "set']),
        ('{"type": "set", "payload": {"pa', ['{"type": "set", "payload": {"path']),
    ],
)
def test_actions(text, expected):
    assert lines(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("/", ["/a b", "/a~1b", "/people", "/todos", "/total"]),
        ("/todos/", ["/todos/0", "/todos/1"]),
        ("/a~1b/", ["/a~1b/d"]),
        ("/total/", []),
        ("/nope/", []),
    ],
)
def test_pointers(text, expected):
    assert lines(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("tod", ["todos"]),
        ("todos[0].", ["todos[0].done", "todos[0].title", "todos[0].by", "todos[0].tags"]),
        ("todos[].t", ["todos[].title", "todos[].tags"]),
        ("todos[*].by.", ["todos[*].by.name"]),
        ("todos[?do", ["todos[?done"]),
        ("todos[?!done].ti", ["todos[?!done].title"]),
        ("todos[?done && ti", ["todos[?done && title"]),
        ("todos | [0].ti", ["todos | [0].title"]),
        ("todos[].[title, do", ["todos[].[title, done"]),
        ("todos[].{t: ti", ["todos[].{t: title"]),
        ("sort_by(todos, &ti", ["sort_by(todos, &title"]),
        ("sort_by(todos, &title)[0].do", ["sort_by(todos, &title)[0].done"]),
        ("max_by(todos, &title).by.", ["max_by(todos, &title).by.name"]),
        ("values(people)[].", ["values(people)[].age"]),
        ("people.*.", ["people.*.age"]),
        ("length(tod", ["length(todos"]),
        ("le", ["length(", "ui/list/onTapDelete"]),
        ('"a b".', ['"a b".c']),
        ('"a ', ['"a b"']),
        ("total == `1` && tot", ["total == `1` && total"]),
        ("'a text tot", []),
        ("`tot", []),
        ("todos ", []),
        ("total.", []),
        ("nope.nope.", []),
        ("))", []),
    ],
)
def test_expressions(text, expected):
    assert lines(text) == expected


@pytest.mark.parametrize("state", [None, 1, "text", [], [1, [2]], {}])
@pytest.mark.parametrize("text", ["", "a", "a.", "/", "/0/", "[0].", "set /", ".state /", "@."])
def test_any_state(state, text):
    lines(text, state)


def test_files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "todo.imd").touch()
    (tmp_path / "folder").mkdir()
    (tmp_path / ".hidden").touch()
    assert lines(".save ") == [".save <file>", ".save folder/", ".save todo.imd"]
    assert lines(".open fol") == [".open folder/"]


def test_each_function_exists():
    with imd.Store(lambda state, action: state, state={}) as store:
        for name in FUNCTIONS:
            with pytest.raises(imd.InvalidSelectorError) as caught:
                store.query(f"{name}(@, @, @, @)" if name not in VARIADIC else f"{name}(`1`)(")
            assert "there is no function" not in caught.value.message, name


VARIADIC = "merge", "not_null"


def test_a_large_state_costs_little():
    large = {"objects": {f"k{index}": {"n": index} for index in range(100_000)}}
    assert len(lines("/objects/", large)) == 200
    assert len(lines("objects.", large)) == 200
    assert lines("objects.k1001", large)[:2] == ["objects.k1001", "objects.k10010"]
    assert lines("/objects/k1001", large)[:2] == ["/objects/k1001", "/objects/k10010"]
