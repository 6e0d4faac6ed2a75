"""What the commands of imd print on a terminal."""

import io
import os
import pty
import re
import struct
import subprocess
import sys
import termios
import threading
from fcntl import ioctl
from pathlib import Path

import pytest
from imd_command import COMMAND, environment

import immutabledata as imd
from immutabledata._shell import progress as progress_module
from immutabledata._shell.output import Output, fold, has_colour, size_text
from immutabledata._shell.progress import Progress, progress
from immutabledata._shell.scratch import reduce


@pytest.fixture
def log(tmp_path):
    path = tmp_path / "todo.imd"
    with imd.Store(reduce, {}, log={"path": path, "application": "imd"}, history=True) as store:
        store.dispatch("set", {"path": "/title", "value": "Write"})
        merge = {"type": "merge", "payload": {"value": {"n": 1, "long": "x" * 99}}}
        store.dispatch_batch([merge, merge])
        store.undo()
    return path


def on_terminal(*arguments, columns=80, **variables):
    """Runs imd in a terminal, and returns what that shows."""
    terminal, inside = pty.openpty()
    ioctl(inside, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    try:
        process = subprocess.Popen(
            [*COMMAND, *map(str, arguments)],
            stdin=subprocess.DEVNULL,
            stdout=inside,
            stderr=inside,
            env=environment(**variables),
        )
    finally:
        os.close(inside)
    shown = b""
    try:
        while part := os.read(terminal, 4096):
            shown += part
    except OSError:
        pass  # All descriptors of the other side are closed.
    finally:
        os.close(terminal)
        process.wait()
    return shown.decode().replace("\r\n", "\n")


TIME = r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3}"


def test_log_is_a_table_without_colour(log):
    lines = on_terminal("log", log, NO_COLOR="1").splitlines()
    patterns = [
        rf'       1  {TIME}  set {{"path":"/title","value":"Write"}}',
        rf'       2  {TIME}  merge {{"value":{{"long":"x+…',
        rf'       3  {TIME}  merge {{"value":{{"long":"x+…',
        rf"       4  {TIME}  undone to 1",
    ]
    assert len(lines) == len(patterns)
    for line, pattern in zip(lines, patterns):
        assert re.fullmatch(pattern, line)
    assert max(map(len, lines)) == 80


def test_colour(log):
    assert "\033[1mset\033[0m" in on_terminal("log", log)
    assert "\033" not in on_terminal("log", log, TERM="dumb")
    assert '"number":1' in on_terminal("log", log, "--json")


def test_states_are_indented(log):
    assert on_terminal("show", log, NO_COLOR="1") == '{\n  "title": "Write"\n}\n'
    assert on_terminal("diff", log, 0, 1, NO_COLOR="1") == '@@ /title\n+ "Write"\n'
    assert on_terminal("diff", log, 3, 4, columns=20, NO_COLOR="1") == (
        f'@@ /long\n- "{"x" * 16}…\n@@ /n\n- 1\n'
    )


def test_a_diff_shows_what_each_operation_finds(tmp_path):
    path = tmp_path / "list.imd"
    log = {"path": path, "application": "imd"}
    with imd.Store(reduce, {"a": [1, 2, 3, 4]}, log=log) as store:
        store.dispatch(
            "patch", [{"op": "remove", "path": "/a/0"}, {"op": "remove", "path": "/a/1"}]
        )
    shown = on_terminal("diff", path, 0, 1, NO_COLOR="1")
    assert {line for line in shown.splitlines() if line.startswith("-")} == {"- 1", "- 3"}


def test_a_diff_shows_where_an_element_came_from(tmp_path):
    path = tmp_path / "list.imd"
    log = {"path": path, "application": "imd"}
    with imd.Store(reduce, {"a": [1, 2, 3, 4]}, log=log) as store:
        store.dispatch("patch", [{"op": "move", "from": "/a/0", "path": "/a/3"}])
    shown = on_terminal("diff", path, 0, 1, NO_COLOR="1")
    assert shown == "@@ /a/3\n  moved from /a/0\n"


def test_reports(log, monkeypatch):
    monkeypatch.chdir(log.parent)
    assert on_terminal("verify", "todo.imd", NO_COLOR="1").startswith(
        "todo.imd: fine, 3 entries, commits 1 to 4, "
    )
    assert on_terminal("replay", "todo.imd", NO_COLOR="1") == (
        "todo.imd: 3 entries lead to the same states\n"
    )
    assert on_terminal("backup", "todo.imd", "b.imd").endswith("verified\n")
    title, row, _ = on_terminal("ls", NO_COLOR="1").splitlines()
    assert title.split() == [
        *("file", "written", "for", "version", "entries", "size", "last", "write", "writers")
    ]
    assert row.split()[:4] == ["b.imd", "imd", "1", "3"]


def test_verify_says_which_state_it_checked(log, monkeypatch):
    monkeypatch.chdir(log.parent)
    checked = "the state that was checked is that after commit 0, the last one in the file\n"
    Path("any.json").write_text('{"unknownActions": "allow"}')
    Path("none.json").write_text('{"actions": {}}')
    shown = on_terminal("verify", "todo.imd", "--schema", "any.json", NO_COLOR="1", columns=200)
    assert shown.startswith("todo.imd: fine, 3 entries, commits 1 to 4, ")
    assert shown.endswith(f"; it fits the schema; {checked}")
    shown = on_terminal("verify", "todo.imd", "--schema", "none.json", NO_COLOR="1")
    *misfits, last = shown.splitlines(keepends=True)
    assert [line.split("; ")[0] for line in misfits] == [
        f'todo.imd: commit {number}: unknown action type "{kind}"'
        for number, kind in ((1, "set"), (2, "merge"), (3, "merge"))
    ]
    assert last == f"todo.imd: {checked}"


def test_a_batch_has_the_number_of_its_last_action(tmp_path):
    path = tmp_path / "todo.imd"
    with imd.Store(reduce, {}, log={"path": path, "application": "imd"}) as store:
        store.dispatch_batch([{"type": "merge", "payload": {"value": {"n": 1}}}] * 3)
    shown = on_terminal("verify", path, NO_COLOR="1", columns=30)
    assert " fine, 1 entries, commits 1 to 3, " in shown.replace("\n", " ")
    assert max(map(len, shown.split("\n")[1:])) <= 30


def test_a_name_with_a_line_break_is_in_one_row(log, monkeypatch):
    monkeypatch.chdir(log.parent)
    log.rename("to\ndo.imd")
    assert on_terminal("ls", NO_COLOR="1").splitlines()[1].startswith("to\\u000ado.imd  imd ")


def test_domains_are_described():
    shown = on_terminal("domains", "counter", NO_COLOR="1")
    assert shown.startswith("A value that is incremented and decremented.\n\nactions\n")
    assert "\n  selectValue\n      The value.\n" in shown
    assert on_terminal("domains", NO_COLOR="1").startswith("domain     what it is\nanimals    ")


class Terminal(io.StringIO):
    """A terminal that says when something was written."""

    def __init__(self):
        super().__init__()
        self.was_written = threading.Event()

    def isatty(self):
        return True

    def write(self, text):
        super().write(text)
        self.was_written.set()


def test_progress_is_shown_and_removed(monkeypatch):
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    monkeypatch.setattr(progress_module, "_DELAY", 0)
    with progress("reading") as shown:
        shown(1, 2)
        terminal.was_written.wait()
    assert terminal.getvalue().startswith("\rreading ")
    assert re.search(r"\r +\r$", terminal.getvalue())


def test_short_work_shows_no_progress(monkeypatch):
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    with progress("reading"):
        pass
    assert terminal.getvalue() == ""


def test_progress():
    shown = Progress("reading")
    assert str(shown) == "reading …  0 s"
    shown(1, 2)
    assert str(shown) == f"reading [{'#' * 15}{'.' * 15}]  50%  0 s"
    shown.text = "5 lines"
    assert str(shown) == "reading 5 lines  0 s"


@pytest.mark.parametrize(
    ("variables", "colour"),
    [
        ({"TERM": "xterm"}, True),
        ({"TERM": "dumb"}, False),
        ({"TERM": "xterm", "NO_COLOR": "1"}, False),
        ({"TERM": "xterm", "NO_COLOR": ""}, True),
    ],
)
def test_who_wants_colour(monkeypatch, variables, colour):
    for name in ("TERM", "NO_COLOR"):
        monkeypatch.delenv(name, raising=False)
    for name, text in variables.items():
        monkeypatch.setenv(name, text)
    assert has_colour(True) is colour
    assert not has_colour(False)


def test_a_log_cannot_control_the_terminal(tmp_path):
    path = tmp_path / "evil.imd"
    evil = EVIL
    with imd.Store(lambda state, action: state.set("/a", action["type"]), {}, log=path) as store:
        store.dispatch(evil, evil)
    (tmp_path / "app.py").write_text(
        "def reduce(state, action): return state.set('/a', action['type'])\n"
    )
    for command in (["log", path], ["show", path, f"{tmp_path}/app.py:reduce"]):
        shown = on_terminal(*command, NO_COLOR="1")
        assert "]0;title" in shown
        assert not CONTROL & set(shown)


CONTROL = set("\x1b\x07\x9b\x7f\u202e")
EVIL = "\x1b]0;title\x07\x9b2J\x7f\u202e\n"


@pytest.fixture
def evil_log(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    path = f"{EVIL}.imd"
    log = {"path": path, "application": "imd"}
    with imd.Store(reduce, {}, log=log, history=True) as store:
        store.dispatch("merge", {"value": {EVIL: {EVIL: EVIL}}})
        store.dispatch("merge", {"value": {EVIL: None}})
    return path


@pytest.mark.parametrize(
    "command",
    [
        ["log"],
        ["log", "--json"],
        ["show", "--at", 1],
        ["show", "--at", 1, "--json"],
        ["show", "--at", 9],
        ["diff", 0, 1],
        ["diff", 1, 2],
        ["verify"],
        ["replay"],
        ["export"],
        ["backup", f"{EVIL}.to"],
        ["compact"],
        ["migrate"],
        ["ls"],
        ["shell", "--read-only"],
        ["shell", "--read-only", "--json"],
        ["run"],
        ["verify", "damaged"],
        ["show", "damaged"],
    ],
    ids=ascii,
)
def test_what_a_log_has_is_escaped(evil_log, command):
    name, *rest = command
    if rest == ["damaged"]:
        rest.clear()
        with open(evil_log, "r+b") as file:
            file.seek(200)
            file.write(b"{")
    shown = on_terminal(name, *([] if name == "ls" else [evil_log]), *rest, NO_COLOR="1")
    assert not CONTROL & set(shown)


def test_lines_of_the_command_line_show_all(tmp_path):
    state = str(list(range(30)))
    shown = on_terminal("shell", "--state", state, "-c", "@", "-c", ".xyz", TERM="dumb")
    assert [line.split() for line in shown.splitlines()[:30]] == [[str(n)] * 2 for n in range(30)]
    assert shown.endswith('imd: there is no command ".xyz"; .help lists all\n  .xyz\n  ^\n')


def test_texts():
    assert [fold("abcd", width) for width in (4, 3, 1, 0)] == ["abcd", "ab…", "…", "…"]
    assert [size_text(each) for each in (0, 999, 1000, 1_250_000)] == [
        "0 B",
        "999 B",
        "1.0 KB",
        "1.2 MB",
    ]


def test_json_is_coloured_by_its_tokens(monkeypatch):
    output = Output()
    output.has_colour = True
    assert output.coloured('{"a": ["b\\"", -1.5e3, null]}') == (
        '{\033[36m"a"\033[0m: [\033[32m"b\\""\033[0m, \033[33m-1.5e3\033[0m, \033[2mnull\033[0m]}'
    )
