"""imd with logs that several programs write at once."""

import json
import os
import subprocess
import sys

import pytest

import immutabledata as imd
from immutabledata._shell import scratch
from immutabledata._shell.failure import CommandError
from immutabledata._shell.header import read_header
from immutabledata._shell.stores import open_store

TEA = '{"type":"append","payload":{"path":"/todos","value":"tea"}}\n'


@pytest.fixture
def board(run_imd):
    """A shared log with one commit, and its store, which stays open."""
    log = {"path": "board.imd", "shared": True, "author": "ann", "application": "imd"}
    with imd.Store(scratch.reduce, state={}, history=True, log=log) as store:
        store.dispatch("append", {"path": "/todos", "value": "milk"})
        yield store


def test_it_makes_a_shared_log(run_imd):
    run = run_imd("shell", "new.imd", "--shared", "--author", "ann", "-c", "set /n 1", "-c", "n")
    assert run == (0, "1\n", "")
    assert read_header("new.imd").is_shared
    assert next(imd.log.entries("new.imd")).content["author"] == "ann"
    assert run_imd("run", "c.imd", "counter", "--shared") == (0, "", "")
    assert read_header("c.imd").is_shared
    assert run_imd("run", "other.imd") == (0, "", "")
    assert not read_header("other.imd").is_shared


def test_a_log_that_is_shared_is_opened_so_beside_others(run_imd, board):
    run = run_imd("run", "board.imd", "--author", "bob", "--query", "todos", stdin=TEA)
    assert run == (0, '["milk","tea"]\n', "")
    run = run_imd("shell", "board.imd", "-c", "append /todos bread", "-c", ".undo", "-c", "todos")
    assert run == (0, '["milk","tea"]\n', "")
    board.refresh()
    assert board.state.to_json() == '{"todos":["milk","tea"]}'
    opened = [each for each in imd.log.entries("board.imd") if each.kind == "opened"]
    assert [each.content.get("author") for each in opened] == ["ann", "bob", None]


def test_a_log_without_a_history_is_opened_without(run_imd):
    def reduce(state, action):
        return state + 1

    log = {"path": "n.imd", "shared": True}
    with imd.Store(reduce, 0, log=log) as store:
        with open("app.py", "w") as file:
            file.write("def reduce(state, action): return state + 1\n")
        assert run_imd("shell", "n.imd", "app.py:reduce", "-c", '{"type":"a"}').code == 0
        store.refresh()
        assert store.state == 1


def test_the_shell_shows_what_others_change(tmp_path):
    log = {"path": tmp_path / "board.imd", "shared": True, "application": "imd"}
    command = [sys.executable, "-m", "immutabledata", "shell", "board.imd", "--shared"]
    streams = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with subprocess.Popen(command, cwd=tmp_path, text=True, **streams) as process:
        process.stdin.write(".observe n\n")
        process.stdin.flush()
        assert json.loads(process.stdout.readline())["output"] is None
        with imd.Store(scratch.reduce, state={}, history=True, log=log) as store:
            store.dispatch("set", {"path": "/n", "value": 1})
            assert json.loads(process.stdout.readline())["output"] == 1
        process.stdin.write("set /n 2\n")
        process.stdin.flush()
        assert json.loads(process.stdout.readline())["output"] == 2
        process.stdin.close()
        assert (process.wait(), process.stderr.read()) == (0, "")


def test_who_writes_it_is_listed(run_imd, board):
    program = (
        "import sys, immutabledata as imd; from immutabledata._shell import scratch; "
        "log = {'path': 'board.imd', 'shared': True, 'application': 'imd'}; "
        "store = imd.Store(scratch.reduce, state={}, history=True, log=log); "
        "print('open', flush=True); sys.stdin.read()"
    )
    streams = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    with subprocess.Popen([sys.executable, "-c", program], text=True, **streams) as process:
        assert process.stdout.readline() == "open\n"
        found = json.loads(run_imd("ls").out)
        assert found["shared"] is True
        assert found["writers"] == sorted([os.getpid(), process.pid])
        process.stdin.close()
    board.close()
    assert json.loads(run_imd("ls").out)["writers"] == []


def test_a_copy_can_be_saved_and_replayed(run_imd, board):
    assert run_imd("shell", "board.imd", "-c", ".save copy.imd", "-c", "set /n 1").code == 0
    assert "n" not in board.state
    assert run_imd("show", "copy.imd", "--query", "n").out == "1\n"
    assert json.loads(run_imd("replay", "copy.imd").out)["difference"] is None
    assert run_imd("shell", "board.imd", "--read-only", "-c", "todos") == (0, '["milk"]\n', "")


def test_a_shared_log_is_compacted(run_imd, board):
    assert run_imd("compact", "board.imd", "--keep", 0).code == 0
    assert imd.log.verify("board.imd")["base"] == 1
    run = run_imd("unshare", "board.imd")
    assert (run.code, run.out) == (3, "")
    assert "this process has it open already; close it first" in run.err
    board.dispatch("append", {"path": "/todos", "value": "tea"})
    board.close()
    assert run_imd("compact", "board.imd", "--keep", 1).code == 0
    assert imd.log.verify("board.imd")["base"] == 2
    assert read_header("board.imd").is_shared
    run = run_imd("shell", "board.imd", "-c", "append /todos bread", "-c", ".undo", "-c", "todos")
    assert run == (0, '["milk","tea"]\n', "")
    entries = list(imd.log.entries("board.imd"))
    assert [each.writer for each in entries if each.kind == "actions"] == [1, 2]
    assert json.loads(run_imd("replay", "board.imd").out) == {
        "difference": None,
        "entries": 2,
        "number": 4,
    }


def test_an_action_is_sent_beside_others(run_imd, board):
    tea = '{"path": "/todos", "value": "tea"}'
    assert run_imd("send", "board.imd", "append", tea, "--author", "cron") == (0, "", "")
    bread = tea.replace("tea", "bread")
    run = run_imd("send", "board.imd", "append", "-", "--query", "todos", stdin=bread)
    assert run == (0, '["milk","tea","bread"]\n', "")
    board.refresh()
    assert len(board.state["todos"]) == 3


@pytest.mark.parametrize(
    ("words", "stdin", "state"),
    [
        (["added"], "", None),
        (["added", "two words"], "", '"two words"'),
        (["added", '{"n": [1]}'], "", '{"n":[1]}'),
        (["added", ""], "", '""'),
        (["added", "-5"], "", "-5"),
        (["added", "-"], "two words\n", '"two words"'),
        (["added", "-"], '{"n":\n1}\n', '{"n":1}'),
    ],
)
def test_a_payload_is_json_or_text(run_imd, words, stdin, state):
    with open("payload.py", "w") as file:
        file.write("def reduce(state, action): return [action.get('payload')]\n")
    with imd.Store(lambda state, action: state, [], log="n.imd"):
        pass
    run = run_imd("send", "n.imd", "payload.py:reduce", *words, "--query", "@", stdin=stdin)
    assert run == (0, f"[{state or 'null'}]\n", "")


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        (["todo.imd", "nope"], 1, 'no action "nope"; a scratch store has: set'),
        (["todo.imd", "set", "5"], 1, 'the payload of "set" has no member "path"'),
        (["todo.imd", "set", "/n", "5"], 2, "put a payload of several words into quotes"),
        (["todo.imd", "app.py:reduce", "set", "5"], 2, "todo.imd is a log of imd, not of app.py"),
        (["todo.imd", "set", "-"], 2, "standard input is not valid UTF-8"),
        (["todo.imd", "set", "5", "--author", "x"], 2, "--author is for a shared log\n"),
        (["c.imd", "didTop"], 1, 'unknown action type "didTop"'),
        (["c.imd", "counter", "didTop"], 1, 'unknown action type "didTop"'),
        (["n.imd", "added"], 2, "name its reducer, as in: imd send n.imd app.py:reduce TYPE"),
        (["none.imd", "added"], 3, "none.imd: No such file or directory"),
    ],
)
def test_an_action_that_is_not_sent(run_imd, words, code, message):
    run_imd("run", "todo.imd")
    run_imd("run", "c.imd", "counter")
    with imd.Store(lambda state, action: state, 0, log="n.imd"):
        pass
    run = run_imd("send", *words, stdin=b"\xff")
    assert (run.code, run.out) == (code, "")
    assert message in run.err
    assert [imd.log.verify(name)["last"] for name in ("todo.imd", "c.imd", "n.imd")] == [0, 0, 0]


def test_an_action_is_sent_to_a_log_that_is_not_shared(run_imd):
    run_imd("run", "c.imd", "counter")
    assert run_imd("send", "c.imd", "didTapIncrementButton", "--query", "value").out == "1\n"
    with imd.open("counter", log="c.imd"):
        run = run_imd("send", "c.imd", "didTapIncrementButton")
    assert run.code == 3
    assert "has it open" in run.err


@pytest.mark.parametrize(
    ("name", "options", "message"),
    [
        ("counter", {"shared": True}, "--shared needs a log"),
        (None, {"author": "ann"}, "--author needs a log"),
        ("new.imd", {"author": "ann"}, "--author is for a shared log; add --shared"),
        (
            "new.imd",
            {"shared": True, "read_only": True},
            "--shared is for a store that writes, not --read-only",
        ),
        ("app.py:store", {"shared": True}, "is a store, which has its options: no --shared"),
    ],
)
def test_what_it_says_of_mistakes(tmp_path, monkeypatch, name, options, message):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "app.py").write_text(
        "import immutabledata\nstore = immutabledata.Store(lambda state, action: state, {})\n"
    )
    with pytest.raises(CommandError) as caught:
        open_store(name, **options)
    assert message in str(caught.value)
    assert not os.path.exists("new.imd")


def test_a_log_of_one_writer_is_not_opened_as_shared(run_imd):
    run_imd("run", "one.imd")
    run = run_imd("shell", "one.imd", "--shared", "-c", "@")
    assert run.code == 3
    assert 'one.imd" is not a shared log; open it without "shared"; imd share makes' in run.err


def test_a_log_becomes_shared_and_the_reverse(run_imd):
    run_imd("shell", "todo.imd", "-c", "append /todos milk", "-c", "append /todos tea")
    state, undone = '{"todos":["milk","tea"]}\n', '{"todos":["milk"]}\n'
    assert json.loads(run_imd("share", "todo.imd").out) == {
        "file": "todo.imd",
        "shared": True,
        "changed": True,
    }
    assert json.loads(run_imd("share", "todo.imd").out)["changed"] is False
    assert read_header("todo.imd").is_shared
    assert run_imd("shell", "todo.imd", "-c", "@", "-c", ".undo", "-c", "@").out == state + undone
    assert run_imd("send", "todo.imd", "set", '{"path":"/n","value":1}') == (0, "", "")
    assert json.loads(run_imd("unshare", "todo.imd").out)["shared"] is False
    assert not read_header("todo.imd").is_shared
    shown = run_imd("shell", "todo.imd", "-c", ".undo", "-c", "@", "-c", ".undo", "-c", "@").out
    assert shown == undone + "{}\n"
    assert json.loads(run_imd("replay", "todo.imd").out)["difference"] is None
    assert not any(each.writer for each in imd.log.entries("todo.imd"))


def test_a_log_that_is_open_is_not_converted(run_imd, board):
    run = run_imd("unshare", "board.imd")
    assert (run.code, run.out) == (3, "")
    assert "close it first" in run.err
    with imd.open("counter", log="c.imd"):
        run = run_imd("share", "c.imd")
    assert (run.code, run.out) == (3, "")
    assert "has it open" in run.err


def test_the_log_of_a_program_needs_its_reducer(run_imd):
    with imd.Store(lambda state, action: state, 0, log="n.imd"):
        pass
    run = run_imd("share", "n.imd")
    assert run.code == 2
    assert "imd share n.imd app.py:reduce. If it is a program in C or C++, call imd_log_com" in run.err


def test_who_sends_to_a_log_of_another_program_is_told_of_sharing(tmp_path):
    command = [sys.executable, "-m", "immutabledata"]
    streams = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    shell = [*command, "shell", "todo.imd"]
    with subprocess.Popen(shell, cwd=tmp_path, text=True, **streams) as process:
        process.stdin.write("set /n 1\nn\n")
        process.stdin.flush()
        assert process.stdout.readline() == "1\n"
        send = [*command, "send", "todo.imd", "set", "{}"]
        done = subprocess.run(send, cwd=tmp_path, capture_output=True, text=True, check=False)
        assert (done.returncode, done.stdout) == (3, "")
        assert "open it read-only; or imd share lets several programs write it" in done.stderr
        process.stdin.close()
