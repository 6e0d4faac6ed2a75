"""Lines of a session, and what they show on a terminal."""

import io
import json
import stat
from pathlib import Path

import pytest

pytest.importorskip("rich")

from rich.console import Console

import immutabledata as imd
from immutabledata._shell.interactive.commands import COMMANDS
from immutabledata._shell.interactive.execution import execute
from immutabledata._shell.interactive.printing import LinePrinter, TerminalPrinter
from immutabledata._shell.interactive.session import Session
from immutabledata._shell.stores import OpenedStore, open_store


class Shell:
    """A session whose screen is a text."""

    def __init__(self, opened):
        self.console = Console(file=io.StringIO(), width=81, highlight=False)
        self.session = Session(
            opened,
            TerminalPrinter(self.console),
            self.open_again,
            is_interactive=True,
        )

    def open_again(self, name, reducer=None, options=None):
        given = list((options or {}).items())
        return open_store(name, reducer, options=given, interactive=True)

    def __call__(self, *lines):
        """The lines that are shown after the last of some lines."""
        for line in lines:
            self.console.file = io.StringIO()
            execute(self.session, line)
        return [line.rstrip() for line in self.console.file.getvalue().splitlines()]


@pytest.fixture
def open_shell():
    shells = []

    def open_shell(opened):
        shells.append(Shell(opened))
        return shells[-1]

    yield open_shell
    for shell in shells:
        shell.session.close()


@pytest.fixture
def shell(open_shell):
    shell = open_shell(open_store(None, interactive=True))
    shell("set /todos []")
    return shell


def test_actions_show_what_they_change(shell):
    assert shell('append /todos {"title": "Write"}') == ['+ /todos/0  {"title": "Write"}']
    assert shell("set /todos/0/title Test") == ['~ /todos/0/title  "Write" → "Test"']
    assert shell("set /todos/0/title Test") == ["nothing has changed"]
    batch = json.dumps([{"type": "remove", "payload": {"path": "/todos"}}] * 2)
    assert shell(batch)[0].startswith("error: ")
    assert shell("todos") == ['[{"title": "Test"}]']


def test_reading(shell):
    shell("append /todos 1", "append /todos 2")
    assert shell("/todos") == ["[1, 2]"]
    assert shell(".state /todos/1") == ["2"]
    assert shell(".state") == ['{"todos": [1, 2]}']
    assert shell(".query sum(todos)") == ["3"]
    assert shell("sum(todos)") == ["3"]
    assert shell(".select @@history")[0].startswith("clean")
    assert shell(".stats")[0].startswith("deliveries")
    assert shell(".schema remove")[0].startswith("type")
    assert "set path=text value=value" in shell(".schema")[1]
    assert shell(".domains")[1].split()[0] == "animals"


def test_last_shows_all(shell):
    shell("set /long " + json.dumps(list(range(100))))
    assert shell("long")[-2:] == ["… 80 more", ".last shows all"]
    assert len(shell(".last")) == 100
    assert len(shell(".last")) == 100


def test_the_past(shell):
    shell("append /todos 1", "append /todos 2")
    assert shell(".undo") == ["- /todos/1  2"]
    assert shell(".redo 5") == ["warning: there was only 1 to redo", "+ /todos/1  2"]
    assert shell(".redo") == ["there is nothing to redo"]
    assert shell(".diff") == ["+ /todos/1  2"]
    assert shell(".diff 1") == ["+ /todos/0  1", "+ /todos/1  2"]
    assert shell(".diff 3 2") == ["- /todos/1  2"]
    assert shell(".diff 1 1") == ["the states are equal"]
    assert shell(".travel 1") == ["- /todos/0  1", "- /todos/1  2"]
    history = shell(".history")
    assert history[0].split() == ["number", "when", "action", "at"]
    assert [line.split()[0] for line in history[1:]] == ["1", "2", "3"]
    assert history[2].split()[2:] == ["append", "/todos", "1", "undone"]
    assert [line.split()[-1] for line in history[1:]] == ["present", "undone", "undone"]
    assert shell(".history 1")[-1] == "2 earlier: .history 3"
    assert shell(".travel 9")[0].startswith("error: ")
    shell(".travel 3")
    blame = shell(".blame /todos/0")
    assert blame[0].split() == ["number", "when", "type", "change"]
    assert (blame[1].split()[2:], len(blame)) == (["append", "+", "1"], 2)
    blame = shell(".blame /todos 2")
    assert [line.split()[2:] for line in blame[1:3]] == [
        ["append", "+", "/1", "2"],
        ["append", "+", "/0", "1"],
    ]
    assert blame[3] == "and earlier ones: .blame /todos 20"
    shell("set /todos/0 5")
    assert shell(".blame /todos/0 1")[1].split()[2:] == ["set", "1", "→", "5"]
    assert shell(".blame /nope")[0].startswith('error: nothing at "/nope"')


def test_steps_without_a_log(open_shell):
    store = imd.Store(lambda state, action: action["payload"], state={"n": 0}, history=True)
    shell = open_shell(OpenedStore(store, "app.py:store", imd))
    shell('x/set {"n": 1}', 'x/set {"n": 2}')
    assert shell(".diff 0") == ["~ /n  1", "~ /n  2"]
    assert shell(".diff 1 2") == ["~ /n  2"]
    assert shell(".diff 2 1") == ["error: step 1 is before step 2, and no log has its state"]
    assert shell(".save x.imd")[0].startswith("error: app.py:store has no log")
    assert shell(".export")[0].startswith("error: app.py:store has no log")
    assert shell(".schema") == ["action", "x/set [n=value]"]


def test_observing(shell):
    assert shell(".observe length(todos)") == ["[1] length(todos)  0"]
    assert shell(".observe /todos") == ["[2] /todos  []"]
    assert shell("append /todos 1") == [
        "[1] length(todos)  1",
        "[2] /todos  + /0  1",
        "+ /todos/0  1",
    ]
    assert shell(".observe")[1:] == ["     1  length(todos)", "     2  /todos"]
    assert shell(".unobserve 1", "append /todos 1")[0] == "[2] /todos  + /1  1"
    assert shell(".unobserve", ".observe") == ["nothing is observed"]
    assert shell(".unobserve 7")[0] == "error: there is no observation 7; .observe lists all"
    assert shell(".observe todos[")[0].startswith("error: ")
    assert shell(".observe nope") == [
        "[3] nope  null",
        'warning: the selector "nope": the state has no member "nope"',
    ]


def test_observing_selectors(open_shell):
    shell = open_shell(open_store("counter", interactive=True))
    assert shell(".observe selectValue") == ["[1] selectValue  0"]
    assert shell("didTapIncrementButton") == ["[1] selectValue  1", "~ /value  0 → 1"]


def test_trace(shell):
    assert shell(".trace") == ["the trace is on; .trace off ends it"]
    traced = shell("append /todos 1")
    assert traced[0].startswith('#2 append {"path": "/todos", "value": 1}')
    assert traced[1:] == ["  + /todos/0  1"]
    assert shell("append /nope/nope 1")[0].startswith("rejected append")
    assert shell(".trace") == ["the trace is off"]
    assert shell("append /todos 1") == ["+ /todos/1  1"]
    assert shell(".trace nope")[0].startswith('error: "nope" is none of: on, actions')


def test_saving(shell, tmp_path):
    path = tmp_path / "todo.imd"
    shell("append /todos 1", ".observe length(todos)")
    assert shell.session.is_unsaved
    assert shell(f".save {path}")[0].startswith(f"saved in {path}")
    assert not shell.session.is_unsaved
    assert shell("append /todos 2") == ["[1] length(todos)  2", "+ /todos/1  2"]
    assert shell(f".save {path}")[0].startswith("error: ")
    assert shell(".save /nope/x.imd") == ["error: there is no folder /nope"]
    path.chmod(0o600)
    copy, exported = tmp_path / "copy.imd", tmp_path / "export.json"
    assert shell(f".export {exported}")[0].startswith(f"exported to {exported}")
    assert shell(f".save {copy}")[0].startswith(f"saved in {copy}")
    assert {stat.S_IMODE(each.stat().st_mode) for each in (copy, exported)} == {0o600}
    assert "exists; choose another name" in " ".join(shell(f".save {path}"))
    shell(".open counter")
    assert shell(f".open {path}") == [f"opened {path}"]
    assert shell(".state", ".undo 2", ".state") == ['{"todos": []}']


def test_exporting(shell, tmp_path):
    (text,) = shell(".export")
    assert json.loads(text)["computedStates"]
    path = tmp_path / "todo.json"
    assert shell(f".export {path}")[0].startswith("exported to")
    assert json.loads(path.read_text()) == json.loads(text)


def test_leaving_an_unsaved_store(shell):
    assert shell(".quit")[0].startswith("warning: this store is not saved")
    assert not shell.session.ended
    shell("set /n 1")
    assert shell(".open counter")[0].startswith("warning: this store is not saved")
    shell(".quit")
    assert shell.session.ended


def test_help(shell):
    shown = shell(".help")
    assert [line.split()[0] for line in shown[:-1]] == [f".{each.name}" for each in COMMANDS]
    assert shell(".help diff")[0] == ".diff [FROM [TO]]"
    assert shell(".help .undo")[1] == "  undo the last action, or several"


@pytest.mark.parametrize("command", COMMANDS, ids=lambda each: each.name)
def test_the_examples_of_commands(shell, command, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    shell(*['append /todos {"title": "a", "done": true}'] * 12)
    shell.session.store.define("open", "todos[?done == $owner]")
    shell.session.store.define("selectValue", "todos")
    shell.session._has_dispatched = False  # So that .open does not warn.
    if command.name == "open":
        Path("tasks.py").write_text("def reduce(state, action): return state")
        with imd.Store(lambda state, action: state, {}, log="tasks.imd"):
            pass
        shell(".save todo.imd")
    for example in command.examples:
        assert example.startswith(f".{command.name}")
        assert not shell(example)[0].startswith(("error", "warning"))


@pytest.mark.parametrize(
    ("line", "shown"),
    [
        (".xyz", ['error: there is no command ".xyz"; .help lists all', "  .xyz", "  ^"]),
        (".udno", ['error: there is no command ".udno"; did you mean .undo?', "  .udno", "  ^"]),
        (".un", ['error: ".un" may be: .unobserve, .undo', "  .un", "  ^"]),
        (".undo x", ['error: "x" is not a number', "  .undo x", "        ^"]),
        (
            ".undo 9999999999999999999",
            ["error: the number is too large", "  .undo 9999999999999999999", "        ^"],
        ),
        (".undo 1 2", ["error: expected nothing more", "  .undo 1 2", "          ^"]),
        (".query", ["error: the expression is missing", "  .query", "        ^"]),
        (
            "todos[",
            ['error: expected a number, ":" or "*", found the end', "  todos[", "        ^"],
        ),
        (
            "set /a [1",
            [
                'error: the value is not JSON: expected "," or the end of the array or object',
                "  set /a [1",
                "           ^",
            ],
        ),
        (
            "todos[0] = 3",
            ["error: an expression changes nothing; an action does, such as: set /todos/0 3"],
        ),
        (
            "todos[?a] = 1",
            ["error: an expression changes nothing; an action does; .schema lists them"],
        ),
        (
            ".blame todos",
            ['error: a JSON Pointer begins with "/": /todos', "  .blame todos", "         ^"],
        ),
        (".state todos", ['error: a JSON Pointer begins with "/": /todos']),
        ("/nope", ['error: nothing at "/nope": there is no member "nope"']),
        (
            "added x y",
            [
                'error: expected an operator or the end, found "x"',
                "  added x y",
                "        ^",
                '"added" is no known action, so this was read as an expression; an action of any',
                'type is JSON: {"type":"added"}',
            ],
        ),
        ("nope", ['warning: the state has no member "nope"', "null"]),
        ("todos[].nope.x", ["[]"]),
        (".query nope.x", ['warning: the state has no member "nope"', "null"]),
    ],
)
def test_what_is_wrong(shell, line, shown):
    assert shell(line) == shown


@pytest.mark.parametrize("line", ["help", "exit", "observe todos"])
def test_a_command_without_its_dot(shell, line):
    command = {"exit": ".quit"}.get(line, f".{line.split()[0]}")
    assert f"did you mean {command}?" in " ".join(shell(line))


def test_the_caret_of_a_long_line_is_on_the_screen(shell):
    shown = shell("todos." + "x" * 200 + "[")
    assert shown[1].startswith("  …")
    assert shown[2].index("^") == len(shown[1]) < 81


def test_exceptions_of_a_reducer(open_shell):
    def reduce(state, action):
        raise KeyError("title")

    shell = open_shell(OpenedStore(imd.Store(reduce, state={}), "app", imd))
    assert shell("x/y")[0].startswith(
        "error: KeyError: 'title' (test_shell_interactive_commands.py"
    )
    assert shell(".history")[0].startswith("error: ")


def test_a_program_does_not_end_the_shell(open_shell):
    def reduce(state, action):
        raise SystemExit(7)

    shell = open_shell(OpenedStore(imd.Store(reduce, state={}), "app", imd))
    assert shell("x/y")[0].startswith("error: SystemExit: 7 (test_shell_interactive_commands.py")


def test_types_are_learned_from_the_history(open_shell, tmp_path):
    def opened():
        return OpenedStore(
            imd.Store(
                lambda state, action: action["payload"],
                state={},
                history=True,
                log=tmp_path / "a.imd",
            ),
            "app",
            imd,
        )

    shell = open_shell(opened())
    shell("added title=Write", "added title=Test")
    shell.session.close()
    assert list(open_shell(opened()).session.vocabulary.actions) == ["added"]


def test_effects_are_waited_for(open_shell):
    shell = open_shell(open_store("animals", interactive=True))
    assert shell("ui/categoryList/onAppear")[-1] == '+ /categories/status  {"success": {}}'


def test_saving_the_store_of_a_reducer(open_shell, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "app_of_shell.py").write_text(
        "def reduce(state, action): return {'n': action['payload']}\n"
        "reduce.initial_state = {'n': 0}\n"
    )
    shell = open_shell(open_store("app_of_shell.py:reduce", interactive=True))
    shell("n/set 1")
    assert " ".join(shell(".save n.imd")) == (
        "saved in n.imd, which keeps all from now on; "
        "imd shell n.imd app_of_shell.py:reduce opens it again"
    )
    assert shell("n/set 2", ".undo 2", "n") == ["0"]
    assert (tmp_path / "n.imd").exists()


def test_a_store_of_another_library(open_shell, copy_library):
    shell = open_shell(open_store("counter", library=str(copy_library()), interactive=True))
    assert shell("didTapIncrementButton") == ["~ /value  0 → 1"]
    assert shell('{"type": "didTapIncrementButton"}') == ["~ /value  1 → 2"]
    assert shell('[{"type": "didTapIncrementButton"}]') == ["~ /value  2 → 3"]
    assert shell("/value") == ["3"]
    assert shell(".observe @") == ['[1] @  {"value": 3}']
    assert shell(".diff 1") == ["~ /value  1 → 3"]
    assert len(shell(".history")) == 4
    printed = io.StringIO()
    shell.session.printer = LinePrinter(printed)
    shell(".state", ".history 1", ".blame /value")
    assert printed.getvalue().startswith('{"value":3}\n{"at":"present"')


def test_a_misspelled_type_is_not_dispatched(open_shell):
    todos = imd.Slice("todos", [])
    todos.on("added")(lambda draft, action: draft.append(action["payload"]))
    store = imd.Store(imd.combine(todos=todos), history=True)
    shell = open_shell(OpenedStore(store, "app", imd, reducer=store._reducer_function))
    assert shell("todos/aded 1") == [
        'error: no slice takes "todos/aded"; did you mean todos/added?'
    ]
    assert shell("todos/added 1") == ["+ /todos/0  1"]
    assert len(store.history) == 1
