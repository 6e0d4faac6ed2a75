"""The shell in a real terminal, by tmux."""

import importlib.util
import os
import re
import shutil
import sys
import time
from pathlib import Path

import pytest

pytest.importorskip("prompt_toolkit")
pytest.importorskip("rich")

import immutabledata as imd

ROOT = Path(__file__).parents[3]
FILE = ROOT / "apps/terminal/src/immutabledata_terminal/testing/terminal.py"

if not FILE.exists() or shutil.which("tmux") is None:
    pytest.skip("there is no tmux", allow_module_level=True)

# Without the package around it, which needs more.
specification = importlib.util.spec_from_file_location("terminal", FILE)
terminal_module = importlib.util.module_from_spec(specification)
specification.loader.exec_module(terminal_module)


class Terminal(terminal_module.Terminal):
    def leave(self):
        self.wait_for_prompt()
        self.press("C-d")
        self.wait_for_end()

    def wait_for_prompt(self, prompt=">"):
        """Waits until keys go to the prompt, so that Ctrl+D does not end the input."""
        end = time.monotonic() + terminal_module.TIMEOUT
        while not self.text.rstrip().endswith(prompt):
            assert self._wait_for_output(end), self.text

    def enter(self, text):
        self.type(text)
        self.wait_for(f"> {text}")
        self.press("Enter")


@pytest.fixture
def run(tmp_path):
    terminals = []

    def run(*arguments, size=(80, 30), script="", **environment):
        variables = {
            "XDG_STATE_HOME": tmp_path / "state",
            "PYTHONPATH": Path(imd.__file__).parents[1],
            "HOME": tmp_path,
            **environment,
        }
        if "IMMUTABLEDATA_LIBRARY" in os.environ:
            library = os.path.abspath(os.environ["IMMUTABLEDATA_LIBRARY"])
            variables["IMMUTABLEDATA_LIBRARY"] = library
        settings = [f"{name}={value}" for name, value in variables.items()]
        folder = tmp_path / f"terminal-{len(terminals)}"
        folder.mkdir()
        command = ["bash", "-c", script, "bash"] if script else []
        command += ["env", "-u", "NO_COLOR", "-u", "PAGER", "-u", "LESS", "-C", tmp_path, *settings]
        command += [sys.executable, "-m", "immutabledata", *arguments]
        terminals.append(Terminal(folder, command, size))
        return terminals[-1]

    yield run
    for terminal in terminals:
        terminal.__exit__()


def test_imd_alone(run):
    terminal = run()
    welcome = terminal.wait_for("scratch>")
    lines = welcome.splitlines()
    assert lines[0].startswith("imd ")
    assert lines[5].startswith("scratch>")
    # What the welcome says can be typed.
    terminal.enter("set /todos []")
    terminal.wait_for("+ /todos  []")
    terminal.enter('append /todos "Write a test"')
    terminal.wait_for('+ /todos/0  "Write a test"')
    terminal.enter(".observe length(todos)")
    terminal.wait_for("[1] length(todos)  1")
    terminal.enter(".undo")
    terminal.wait_for("[1] length(todos)  0", '- /todos/0  "Write a test"')
    terminal.enter(".save todo.imd")
    terminal.wait_for("saved in todo.imd", "todo.imd>")
    terminal.leave()


def test_what_was_saved_opens_again_with_its_past(run, tmp_path):
    first = run("shell", "todo.imd")
    first.wait_for("todo.imd>")
    first.enter("set /n 1")
    first.wait_for("+ /n  1")
    first.leave()
    again = run("shell", "todo.imd")
    again.wait_for("todo.imd>")
    again.enter(".undo")
    again.wait_for("- /n  1")
    # Lines are kept too.
    again.press("Up", "Up")
    again.wait_for("> set /n 1")
    assert (tmp_path / "state/imd/history").stat().st_mode & 0o777 == 0o600


def test_completion(run):
    terminal = run("shell", "animals")
    terminal.wait_for("animals>")
    terminal.type("ui/animalE")
    terminal.wait_for("ui/animalEditor/onTapAddAnimalButton", "Adds an animal.")
    terminal.press("Tab")
    terminal.wait_for("> ui/animalEditor/onTapAddAnimalButton")
    terminal.type(" diet=H")
    terminal.wait_for("Herbivore")
    terminal.press("Tab")
    terminal.wait_for("diet=Herbivore")
    terminal.press("C-c")
    terminal.type(".und")
    terminal.wait_for("undo the last action")


def test_control_c_leaves_a_line_and_control_d_ends(run):
    terminal = run("shell")
    terminal.wait_for("scratch>")
    terminal.type("half a li")
    terminal.press("C-c")
    terminal.enter("set /n 1")
    terminal.wait_for("+ /n  1")
    terminal.wait_for_prompt()
    terminal.press("C-d")
    terminal.wait_for("this store is not saved")
    terminal.enter("/n")
    terminal.leave()


def test_control_z_suspends(run):
    terminal = run("shell", script='set -m; "$@"; echo "it has stopped"; read; fg')
    terminal.wait_for("scratch>")
    terminal.type("set /n")
    terminal.wait_for("> set /n")
    terminal.press("C-z")
    terminal.wait_for("it has stopped")
    terminal.press("Enter")
    terminal.wait_for_prompt("> set /n")
    terminal.type(" 1")
    terminal.press("Enter")
    terminal.wait_for("+ /n  1")


def test_changes_of_others_appear_above_the_line_that_is_typed(run):
    writer = run("shell", "todo.imd")
    writer.wait_for("todo.imd>")
    writer.enter("set /n 1")
    writer.wait_for("+ /n  1")
    reader = run("shell", "todo.imd", "--read-only")
    reader.wait_for("todo.imd>")
    reader.enter(".observe n")
    reader.wait_for("[1] n  1")
    reader.type("half a li")
    reader.wait_for("> half a li")
    writer.enter("set /n 2")
    lines = reader.wait_for("[1] n  2", "> half a li").splitlines()
    assert lines.index("[1] n  2") < lines.index("todo.imd> half a li")


def test_what_exceeds_the_screen_is_in_a_pager(run):
    if shutil.which("less") is None:
        pytest.skip("there is no less")
    terminal = run("shell", "--state", str(list(range(100))), size=(40, 12))
    terminal.wait_for("scratch>")
    terminal.enter("@")
    terminal.wait_for_prompt(":")
    terminal.wait_for("0  0", "8  8", gone=["scratch>"])
    terminal.press("G")
    terminal.wait_for("… 80 more", gone=["8  8"])
    terminal.press("q")
    terminal.wait_for("scratch>")
    terminal.enter(".last")
    terminal.wait_for_prompt(":")
    terminal.press("G")
    terminal.wait_for("99  99", "(END)")
    terminal.press("q")
    terminal.wait_for("scratch>")


@pytest.mark.parametrize("environment", [{"NO_COLOR": 1}, {"TERM": "dumb"}], ids=str)
def test_without_colours(run, environment, tmp_path):
    terminal = run("shell", **environment)
    terminal.wait_for("scratch>")
    terminal.type("set /n 1")
    terminal.press("Enter")
    terminal.wait_for("+ /n  1")
    coloured = terminal._tmux("capture-pane", "-p", "-e").stdout
    assert re.search("\x1b\\[[39][0-7]m", coloured) is None


def test_colours(run):
    terminal = run("shell")
    terminal.wait_for("scratch>")
    terminal.enter("set /n 1")
    terminal.wait_for("+ /n  1")
    assert "\x1b[32m+ /n  1" in terminal._tmux("capture-pane", "-p", "-e").stdout


def test_a_narrow_screen(run):
    terminal = run("shell", size=(40, 30))
    terminal.wait_for("scratch>")
    terminal.type('set /todos [{"title":"熊","done":false}]')
    terminal.wait_for('":false}]')
    terminal.press("Enter")
    terminal.wait_for("+ /todos  [{")
    terminal.enter("/todos/0")
    terminal.wait_for('{"done": false, "title": "熊"}')
    terminal.enter("todos[")
    terminal.wait_for("found the end", "  todos[\n        ^")
