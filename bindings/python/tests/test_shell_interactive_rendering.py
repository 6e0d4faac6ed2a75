"""Results as lines of a terminal."""

import io

import pytest

pytest.importorskip("rich")

from rich.console import Console

import immutabledata as imd
from immutabledata._shell.interactive.rendering import Layout
from immutabledata._shell.interactive.results import Changes, Note, Prose, Rows, Shown, Traced
from immutabledata._shell.interactive.views import render


def lines(result, width=60, **options):
    return [line.plain for line in render(result, Layout(width, **options))]


def show(data, width=60, **options):
    return lines(
        Shown(imd.value(data) if isinstance(data, (dict, list)) else data), width, **options
    )


@pytest.mark.parametrize(
    ("data", "line"),
    [
        (None, "null"),
        (True, "true"),
        (1.5, "1.5"),
        ("a\nb", '"a\\nb"'),
        ([], "[]"),
        ({}, "{}"),
        ([1, "a", None], '[1, "a", null]'),
        ({"a": {"b": []}}, '{"a": {"b": []}}'),
        ("\x1b[31m\u202e\x9b", '"\\u001b[31m\\u202e\\u009b"'),
    ],
)
def test_one_line(data, line):
    assert show(data) == [line]


def test_tree():
    data = {"name": "x" * 20, "people": {"a": ["y" * 20, {"b": "z" * 30}]}, "a key": 1}
    assert show(data, 50) == [
        '"a key"  1',
        f'name  "{"x" * 20}"',
        "people  {1}",
        "└─ a  [2]",
        f'   ├─ 0  "{"y" * 20}"',
        '   └─ 1  {"b": "' + "z" * 30 + '"}',
    ]
    assert "`- a  [2]" in show(data, 50, is_ascii=True)


def test_table():
    data = [{"title": "Write", "done": False, "n": 1}, {"title": "Test", "n": 1000}]
    assert show(data) == [
        "   done      n  title",
        "0  false     1  Write",
        "1         1000  Test",
    ]


def test_a_wide_table_is_cut_and_whole_as_a_tree():
    data = [{"text": "熊" * 40, "n": 1}, {"text": "b", "n": 2}]
    shown = show(data, 30)
    assert shown[0] == "   n  text"
    assert shown[1].startswith("0  1  熊")
    assert shown[1].endswith("…")
    assert show(data, 30, is_whole=True, limit=None)[:3] == [
        "0  {2}",
        "├─ n  1",
        f'└─ text  "{"熊" * 40}"',
    ]


def test_what_is_no_table():
    assert show([{"a": 1}, 2]) == ['[{"a": 1}, 2]']
    assert show([{"a": 1}]) == ['[{"a": 1}]']


def test_long_ones_are_folded():
    assert show(list(range(100)), 40)[-2:] == ["19  19", "… 80 more"]
    assert len(show(list(range(100)), 40, limit=None)) == 100
    assert show(["x" * 10] * 21, 40)[-1] == '20  "xxxxxxxxxx"'  # One more takes no more room.
    assert show("x" * 1000, 40)[-1] == "… 800 more characters"
    rows = show([{"a": index} for index in range(30)])
    assert (len(rows), rows[-1]) == (22, "… 10 more")


def test_no_line_is_wider_than_the_screen():
    data = {
        "a" * 60: ["熊" * 99, {"b": "c" * 99}],
        "k": {"l": {"m": {"n": {"o": {"p": list(range(99))}}}}},
    }
    for width in (20, 40, 80):
        for line in render(Shown(imd.value(data)), Layout(width)):
            assert line.cell_len <= width or "a" * 60 in line.plain


def test_a_deep_value_ends():
    deep = imd.from_json("[" * 400 + "]" * 400)
    assert len(show(deep, 60)) < 40
    assert len(show(deep, 60, is_whole=True, limit=None)) < 70


def test_lines_are_made_when_they_are_needed():
    large = imd.value(list(range(1_000_000)))
    made = render(Shown(large), Layout(40, limit=None))
    assert next(made).plain == "0  0"


BEFORE = imd.value({"n": 1, "todos": [{"done": False}], "gone": [1]})
PATCH = [
    {"op": "remove", "path": "/gone"},
    {"op": "replace", "path": "/n", "value": 2},
    {"op": "add", "path": "/todos/0", "value": "new"},
    {"op": "replace", "path": "/todos/1/done", "value": True},
    {"op": "copy", "from": "/n", "path": "/m"},
]


def test_changes():
    assert lines(Changes(PATCH, BEFORE)) == [
        "- /gone  [1]",
        "~ /n  1 → 2",
        '+ /todos/0  "new"',
        "~ /todos/1/done  false → true",
        "~ /m  copy of /n",
    ]
    assert lines(Changes(PATCH))[:2] == ["- /gone", "~ /n  2"]
    whole = [{"op": "replace", "path": "", "value": {}}]
    assert lines(Changes(whole, None)) == ["~ (the state)  null → {}"]
    assert lines(
        Changes([{"op": "replace", "path": "/a", "value": "y" * 40}], imd.value({"a": "x" * 40}))
    ) == [f'- /a  "{"x" * 40}"', f'+ /a  "{"y" * 40}"']
    many = [{"op": "add", "path": f"/{index}", "value": 1} for index in range(50)]
    assert lines(Changes(many))[-1] == "… 30 more changes"


def test_rows_and_prose():
    rows = Rows(
        ["type", "to"],
        [{"type": ".undo", "to": "undo the last action, or several"}],
        "a note",
        wraps=True,
    )
    assert lines(rows, 30) == [
        "type   to",
        ".undo  undo the last action,",
        "       or several",
        "a note",
    ]
    assert lines(Rows(["a", "b"], [{"a": "x" * 9, "b": "y" * 9}]), 10) == [
        "a  xxxxxxxxx",
        "b  yyyyyyyyy",
        "",
    ]
    assert lines(Prose("a\nb")) == ["a", "b"]
    assert lines(Note("a")) == ["a"]


def test_trace():
    action = {
        "trace": "action",
        "number": 3,
        "action": {"type": "added", "payload": [1]},
        "changes": PATCH[:1],
        "microseconds": 12.4,
    }
    assert lines(Traced(action)) == ["#3 added [1]  12 µs", "  - /gone"]
    rejected = {
        "trace": "rejected",
        "action": {"type": "x"},
        "code": "reducerFailed",
        "message": "no",
    }
    assert lines(Traced(rejected)) == ["rejected x", "  reducerFailed: no"]
    selector = {"trace": "selector", "name": "total", "changed": True, "microseconds": 2000}
    assert lines(Traced(selector)) == ["selector total changed  2.0 ms"]


def test_colours():
    console = Console(file=io.StringIO(), force_terminal=True, color_system="standard", width=60)
    for line in render(Changes(PATCH[:2], BEFORE), Layout(60)):
        console.print(line, soft_wrap=True)
    removed, changed = console.file.getvalue().splitlines()
    assert removed == "\x1b[31m- /gone  \x1b[0m\x1b[31m[1]\x1b[0m"
    assert "\x1b[31m1\x1b[0m" in changed
    assert "\x1b[32m2\x1b[0m" in changed


def test_scalars_of_any_width():
    data = {"a" * 30: {"number": 12345678901234567, "true": True, "text": "x" * 99}}
    for width in range(10, 60):
        assert show(data, width)
        assert "true" in " ".join(show(data, width, is_whole=True, limit=None))
