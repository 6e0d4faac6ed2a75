"""What the shell takes a line for."""

from contextlib import suppress

import pytest

pytest.importorskip("rich")

from hypothesis import given
from hypothesis import strategies as st

import immutabledata as imd
from immutabledata._shell import scratch
from immutabledata._shell.interactive.completion import Surroundings, complete
from immutabledata._shell.interactive.lines import (
    ActionLine,
    CommandLine,
    ExpressionLine,
    PointerLine,
    parse_line,
)
from immutabledata._shell.interactive.vocabulary import Vocabulary
from immutabledata._shell.interactive.words import LineError

ANIMAL = {
    "type": "object",
    "properties": {
        "diet": {"enum": ["Herbivore", "Carnivore"]},
        "id": {"type": "string"},
        "count": {"type": "integer"},
    },
    "required": ["id", "diet"],
    "additionalProperties": False,
}
VOCABULARY = Vocabulary.of(
    {
        "actions": [
            *scratch.DESCRIPTION["actions"],
            {"type": "added", "payload": ANIMAL},
            {"type": "cleared"},
        ]
    }
)


def parse(text):
    return parse_line(text, VOCABULARY)


@pytest.mark.parametrize("text", ["", "   ", "# a comment", "-- a comment"])
def test_nothing(text):
    assert parse(text) is None


@pytest.mark.parametrize(
    ("text", "name", "start"),
    [(".help", "help", 5), (".undo 3", "undo", 6), ("  .state  /a", "state", 10)],
)
def test_command(text, name, start):
    assert parse(text) == CommandLine(name, start)


@pytest.mark.parametrize(
    ("text", "action"),
    [
        ("cleared", {"type": "cleared"}),
        ("todos/cleared", {"type": "todos/cleared"}),
        ("todos/removed 3", {"type": "todos/removed", "payload": 3}),
        ('todos/removed "a b"', {"type": "todos/removed", "payload": "a b"}),
        ("todos/removed [1, 2]", {"type": "todos/removed", "payload": [1, 2]}),
        ("todos/added title=Write", {"type": "todos/added", "payload": {"title": "Write"}}),
        # Members alone make an action of a word.
        ("moved x=1 y=-2.5", {"type": "moved", "payload": {"x": 1, "y": -2.5}}),
        (
            "moved a=true b=null c=NaN",
            {"type": "moved", "payload": {"a": True, "b": None, "c": "NaN"}},
        ),
        ("moved t='a b' \"k k\"=1", {"type": "moved", "payload": {"t": "a b", "k k": 1}}),
        (
            'moved o={"a": [1, 2]} p=x=y',
            {"type": "moved", "payload": {"o": {"a": [1, 2]}, "p": "x=y"}},
        ),
        # Values without names are for the first members that are free.
        ("set /a 1", {"type": "set", "payload": {"path": "/a", "value": 1}}),
        ("set value=1 /a", {"type": "set", "payload": {"path": "/a", "value": 1}}),
        ('merge {"a": 1}', {"type": "merge", "payload": {"value": {"a": 1}}}),
        ('merge {"value": {}}', {"type": "merge", "payload": {"value": {}}}),
        ('merge /a {"b": 1}', {"type": "merge", "payload": {"path": "/a", "value": {"b": 1}}}),
        ("patch []", {"type": "patch", "payload": []}),
        # What must be text needs no quotation marks.
        ("added 7 Herbivore", {"type": "added", "payload": {"id": "7", "diet": "Herbivore"}}),
        (
            'added id="7" diet=Carnivore count=7',
            {"type": "added", "payload": {"id": "7", "diet": "Carnivore", "count": 7}},
        ),
        ('{"type": "added", "payload": 1}', {"type": "added", "payload": 1}),
    ],
)
def test_action(text, action):
    line = parse(text)
    assert isinstance(line, ActionLine)
    assert line.actions == [action]
    assert not line.is_batch


def test_batch():
    line = parse('[{"type": "a"}, {"type": "b"}]')
    assert line.is_batch
    assert list(line.actions) == [{"type": "a"}, {"type": "b"}]


@pytest.mark.parametrize("text", ["/", "/todos/0", " /a b/c "])
def test_pointer(text):
    assert parse(text) == PointerLine(text.strip())


@pytest.mark.parametrize(
    "text",
    [
        "todos",
        "length(todos)",
        "a == b",
        "a==b",
        "a && b",
        "[0]",
        "[]",
        "{a: b}",
        "{a: todos[0].title}",
        "[?done].title",
        "let $a = b in $a",
        '"a/b"',
        "@",
        "`1`",
        "nope",
        "added.title",
    ],
)
def test_expression(text):
    assert parse(text) == ExpressionLine(text)


@pytest.mark.parametrize(
    ("text", "message", "under"),
    [
        (".", "the name of a command is missing; .help lists all", ""),
        ('{"type": tru}', "the value is not JSON: invalid token near 'tru'", "u}"),
        ('{"a": 1}', 'an action needs a member "type": {"type": "added"}', '{"a": 1}'),
        (
            "set /a {b}",
            'the value is not JSON: expected a name in "quotation marks"',
            "b}",
        ),
        ("set /a 'b", "the text that begins here has no closing '", "'b"),
        ("set /a [1]x", "expected a space after the value", "x"),
        ("set path= 1", 'a value is missing after "path="', " 1"),
        ("set", 'the member "path" is missing: set path=text value=value', ""),
        ("set /a", 'the member "value" is missing: set path=text value=value', ""),
        ("set pth=/a 1", 'there is no member "pth": set path=text value=value', "pth=/a 1"),
        ("moved x=1 x=2", '"x" is given twice', "x=2"),
        ("todos/added Write it", '"it" belongs to no member', "it"),
        ("set /a b c", '"c" belongs to no member; put a text with spaces into quotes: "a b"', "c"),
    ],
)
def test_what_is_wrong(text, message, under):
    with pytest.raises(LineError) as caught:
        parse(text)
    assert caught.value.message.startswith(message)
    assert text[caught.value.offset :] == under


def test_a_deep_value_is_refused():
    with pytest.raises(LineError, match="nests too deep"):
        parse("set /a " + "[" * 200_000)


def test_types_and_members_are_learned():
    vocabulary = Vocabulary()
    vocabulary.learn([{"type": "added", "payload": {"title": "x"}}, {"type": "@@history/undone"}])
    assert list(vocabulary.actions) == ["added"]
    # What was seen once need not be so again.
    assert parse_line("added Write", vocabulary).actions == [{"type": "added", "payload": "Write"}]


WORDS = [*"{}[]().,=:|&?*@\"'`#/\\- é熊", "set", "path=", "/a", "todos", '{"type": "x"}', ".undo"]


@given(st.lists(st.sampled_from(WORDS), max_size=12).map("".join))
def test_any_line_is_understood_or_refused(text):
    around = Surroundings(VOCABULARY, imd.value({"todos": [{"a": 1}]}), {"undo": ("", "")})
    for candidate in complete(text, around):
        assert 0 <= candidate.start <= len(text)
    with suppress(LineError):
        parse(text)
