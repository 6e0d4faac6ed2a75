"""imd attach: lines from a pipe, options and terminals, and the end of the program."""

import json
import os
import pty
import re
import signal
import threading

import pytest
from fake_program import FakeProgram, FakeStore
from imd_command import environment, start


def append(state, action):
    """A reducer with a list."""
    if action["type"] != "added":
        raise ValueError("there is no such action")
    return state.insert("/todos/-", action["payload"])


@pytest.fixture
def board(tmp_path):
    store = FakeStore(1, {"todos": ["a\x1b[31m\u202e"], "n": 1}, reducer=append)
    with FakeProgram(tmp_path / "board.sock", store, FakeStore(2, [], name="other")) as program:
        yield program


@pytest.fixture
def attach(board, run_imd):
    """Executes lines: attach("state"). Runs the command in this process."""

    def attach(*lines):
        return run_imd("attach", board.path, *(word for line in lines for word in ("-c", line)))

    return attach


@pytest.mark.parametrize(
    ("line", "output"),
    [
        ("state", {"todos": ["a\x1b[31m\u202e"], "n": 1}),
        (".state", {"todos": ["a\x1b[31m\u202e"], "n": 1}),
        ("state /n", 1),
        ("/n", 1),
        ("length(todos)", 1),
        ("todos[?@ == 'b']", []),
        ("dispatch added milk", {"commit": 1}),
        ('dispatch added {"n": [1]}', {"commit": 1}),
        ('{"type": "added", "payload": 5}', {"commit": 1}),
        ("undo", {"steps": 1}),
        ("redo 3", {"steps": 3}),
        ("statistics", {"observations": 2, "process": {"stores": 1}}),
        ("describe", {"selectors": [], "actions": [{"type": "set"}]}),
        ("history", {"steps": []}),
    ],
)
def test_lines(attach, line, output):
    run = attach(line)
    assert (run.code, run.err) == (0, "")
    assert json.loads(run.out) == output


def test_what_actions_are_dispatched(attach, board):
    attach("dispatch added milk and tea", 'dispatch added "5"', "dispatch added 5")
    assert board.stores[1].state["todos"][1:] == ["milk and tea", "5", 5]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("nope(", "unknown function|there is no function"),
        ("stat", '"stat" is no member of the state; did you mean state?'),
        (".sate", 'there is no command ".sate"; did you mean state?'),
        ("/none", "nothing at"),
        ("state todos", 'a JSON Pointer begins with "/": /todos'),
        ("dispatch", "the type of the action is missing"),
        ("dispatch none", "there is no such action"),
        ("undo x", '"x" is no number'),
        ("travel", "the number of a step is missing"),
        ("use 9", 'there is no store "9"; stores lists all'),
        ("trace sometimes", "trace, or trace off"),
        ('{"type": ', "not JSON"),
    ],
)
def test_mistakes(board, run_imd, line, message):
    run = run_imd("attach", board.path, stdin=f"\n{line}\nn\n")
    assert (run.code, run.out) == (1, "1\n")
    assert re.search(message, run.err) or message in run.err
    assert run.err.startswith("imd: line 2: ")


def test_stores(attach):
    run = attach("stores", "use 2", "state", "use store 1", "n")
    names = [json.loads(line)["name"] for line in run.out.splitlines()[:2]]
    assert names == ["store 1", "other"]
    assert run.out.splitlines()[2:] == ["[]", "1"]


def test_a_store_that_is_not_controlled(attach):
    run = attach("use 2", "dispatch added 1")
    assert run.code == 1
    assert run.err == "imd: line 2: the program does not allow it to be controlled\n"


def test_quit_ends(attach):
    assert attach("n", "quit", "n").out == "1\n"


def test_the_trace_is_shown_until_the_program_ends(board):
    process = start("attach", board.path, "-c", "trace", "-c", "n")
    assert process.stdout.readline() == b"1\n"
    board.commit({"type": "added", "payload": "\x1b"}, {"todos": []})
    commit = json.loads(process.stdout.readline())
    assert (commit["notification"], commit["commit"]) == ("commit", 1)
    assert commit["action"] == {"type": "added", "payload": "\x1b"}
    board.notify("trace", {"store": 1, "line": {"trace": "selector", "name": "open"}})
    assert json.loads(process.stdout.readline())["line"]["name"] == "open"
    board.drop(3, {"type": "b"}, {"todos": []})
    assert json.loads(process.stdout.readline())["commits"] == 3
    assert json.loads(process.stdout.readline())["commit"] == 5
    board.close()
    out, errors = process.communicate(timeout=30)
    assert (process.returncode, out) == (0, b"")
    assert errors == b"imd: the program has ended the connection\n"


def test_the_trace_ends_with_its_reader(board):
    process = start("attach", board.path, "-c", "trace")
    board.wait_for("attach")
    process.stdout.close()
    assert process.wait(30) == 141
    process.communicate()


def test_ctrl_c_ends_the_trace(board):
    process = start("attach", board.path, "-c", "trace", "-c", "n")
    assert process.stdout.readline() == b"1\n"
    process.send_signal(signal.SIGINT)
    assert process.wait(30) == 0
    process.communicate()


def test_trace_off(attach, board):
    assert attach("trace", "trace off", "n").out == "1\n"
    board.wait_for("select")
    assert [method for method, _ in board.requests] == ["stores", "attach", "detach", "select"]


def test_the_program_ends_while_lines_are_awaited(board):
    process = start("attach", board.path)
    process.stdin.write(b"n\n")
    process.stdin.flush()
    assert process.stdout.readline() == b"1\n"
    board.close()
    assert process.wait(30) == 3
    assert process.stderr.read() == b"imd: the program has ended the connection\n"
    process.communicate()


@pytest.mark.parametrize(
    ("target", "message"),
    [("12", "process 12 cannot be inspected"), ("a.sock", "a.sock: No such file")],
)
def test_no_program(run_imd, target, message, monkeypatch, tmp_path):
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))
    run = run_imd("attach", target)
    assert (run.code, run.out) == (3, "")
    assert message in run.err


# ---- On a terminal -------------------------------------------------------------------------------


class Terminal:
    """imd attach with a terminal, with or without prompt_toolkit."""

    def __init__(self, *arguments, **variables):
        self.master, slave = pty.openpty()
        env = environment(COLUMNS="80", LINES="24", PROMPT_TOOLKIT_NO_CPR="1", **variables)
        pipes = dict.fromkeys(("stdin", "stdout", "stderr"), slave)
        self.process = start(*arguments, env=env, start_new_session=True, **pipes)
        os.close(slave)
        self.text = ""

    def wait_for(self, text):
        """Reads until a text has appeared."""
        while text not in self.text:
            try:
                part = os.read(self.master, 10_000)
            except OSError:  # The process has ended.
                break
            self.text += part.decode(errors="replace")
        assert text in self.text
        before, _, self.text = self.text.partition(text)
        return before

    def send(self, text):
        os.write(self.master, text.encode())

    def end(self):
        reader = threading.Thread(target=self._drain)
        reader.start()
        code = self.process.wait(30)
        reader.join()
        os.close(self.master)
        return code

    def _drain(self):
        try:
            while part := os.read(self.master, 10_000):
                self.text += part.decode(errors="replace")
        except OSError:
            pass


@pytest.fixture(params=["prompt", "plain"])
def terminal(request, board, tmp_path):
    variables = {}
    if request.param == "plain":
        hidden = tmp_path / "hidden"
        hidden.mkdir()
        (hidden / "sitecustomize.py").write_text(
            "import importlib.util\n"
            "find = importlib.util.find_spec\n"
            "importlib.util.find_spec = lambda name, *rest: (\n"
            "    None if name == 'prompt_toolkit' else find(name, *rest))\n"
        )
        paths = [str(hidden), os.environ.get("PYTHONPATH", "")]
        variables["PYTHONPATH"] = os.pathsep.join(paths)
    terminal = Terminal("attach", board.path, **variables)
    terminal.wait_for("help lists the commands")
    yield terminal
    if terminal.process.poll() is None:
        terminal.process.kill()
        terminal.end()


def test_values_on_a_terminal(terminal):
    terminal.wait_for("store 1>")
    terminal.send("state /todos\r")
    shown = terminal.wait_for("]")
    shown += terminal.wait_for("store 1>")
    assert "\\u001b[31m\\u202e" in shown
    assert "\u202e" not in shown
    terminal.send("quit\r")
    assert terminal.end() == 0


def test_the_trace_on_a_terminal(terminal, board):
    terminal.wait_for("store 1>")
    terminal.send("trace\r")
    board.wait_for("attach")
    script = {"type": "added\x1b]0;x\x07", "payload": {"text": "x" * 5000}}
    board.commit(script, {"todos": ["a\x1b[31m\u202e"], "n": 2})
    shown = terminal.wait_for("~ /n  2")
    assert "#1" in shown
    assert "added\\u001b]0;x\\u0007" in shown
    assert "\x07" not in shown
    assert "…" in shown
    assert len(shown) < 2000
    line = {"trace": "selector", "name": "a\x1b[5m", "changed": True}
    board.notify("trace", {"store": 1, "line": line})
    assert "\x1b[5m" not in terminal.wait_for(" changed")
    board.close()
    assert terminal.end() == 0
    assert "the program has ended the connection" in terminal.text


def test_help_on_a_terminal(terminal):
    terminal.wait_for("store 1>")
    terminal.send("help\r")
    terminal.wait_for("dispatch TYPE [PAYLOAD]   dispatch an action")
    terminal.send("stores\r")
    terminal.wait_for("* 1  ")
    terminal.wait_for("store 1>")
    terminal.send("\x04")
    assert terminal.end() == 0
