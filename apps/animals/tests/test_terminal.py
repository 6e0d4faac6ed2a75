"""The program in a real terminal, on a file and on a server."""

import os
import shutil
import socket
import subprocess
import sys
from pathlib import Path

import pytest
from terminal import Terminal

PROGRAM = Path(sys.executable).with_name("immutabledata-animals")
SERVER = Path(
    os.environ.get("ANIMALS_DATA_SERVER")
    or Path(__file__).parents[3] / ".build-server/release/AnimalsDataServer"
)
pytestmark = pytest.mark.skipif(shutil.which("tmux") is None, reason="there is no tmux")


@pytest.fixture
def command(tmp_path):
    return [PROGRAM, "--store", tmp_path / "zoo.sqlite"]


def go_to(terminal, category, animal):
    """Chooses a category by its place, and the animals' pane."""
    terminal.wait_for("Newt", "Ready")
    terminal.press("Home", *["Down"] * category)
    terminal.wait_for(animal)
    terminal.press("Right")


def test_browse_add_edit_delete_and_see_it_again(command, tmp_path):
    with Terminal(tmp_path, command) as terminal:
        go_to(terminal, 4, "Red kangaroo")
        terminal.press("a")
        terminal.wait_for("Add an animal", "What is it called?")
        terminal.type("Übergroßer Bär 熊")
        terminal.press("Tab", "Enter")
        terminal.wait_for("Omnivore")
        terminal.press("End", "Enter")
        terminal.wait_for("Omnivore                         ▼")
        terminal.press("C-s")
        terminal.wait_for("● Übergroßer Bär 熊  Omnivore")

        terminal.press("Home", "Down")
        terminal.wait_for("│ Dog  ")
        terminal.press("e")
        terminal.wait_for("Edit the animal")
        terminal.type("gy")
        terminal.press("C-s")
        terminal.wait_for("● Doggy", gone=["Edit the animal"])

        terminal.press("Home", "d")
        terminal.wait_for("Delete Cat?")
        terminal.press("y")
        terminal.wait_for("● Doggy", gone=["● Cat", "Delete Cat?"])
        terminal.press("q")
        terminal.wait_for_end()

        terminal.start(command)
        go_to(terminal, 4, "Red kangaroo")
        terminal.wait_for("Übergroßer Bär 熊", "● Doggy", gone=["● Cat"])
        terminal.press("C-r")
        terminal.wait_for("Replace all")
        terminal.press("y")
        terminal.wait_for("● Cat", "● Dog ", gone=["Doggy", "Bär"])


def test_mouse_and_resize(command, tmp_path):
    with Terminal(tmp_path, command, (80, 24)) as terminal:
        terminal.wait_for("Newt", "Ready")
        # The left button goes down and up on the fifth category, as a terminal tells of it.
        terminal.type("\x1b[<0;5;7M")
        terminal.type("\x1b[<0;5;7m")
        terminal.wait_for("Southern gibbon", "│ Category  Mammal")
        terminal.resize(50, 16)
        terminal.wait_for("│ Category  Mammal  ", gone=["Reload samples"])
        terminal.resize(120, 40)
        terminal.wait_for("Reload samples", "││ Category  Mammal")


# ---- On a server ---------------------------------------------------------------------------------


@pytest.fixture
def server(tmp_path):
    """The address of a server."""
    if not SERVER.exists():
        pytest.skip(f"there is no server at {SERVER}; make server builds it")
    command = [SERVER, "--port", "0", "--database", tmp_path / "server.sqlite"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            yield process.stdout.readline().split()[-1]
        finally:
            process.terminate()


def test_two_windows_on_one_server(server, tmp_path):
    command = [PROGRAM, "--remote", server]
    folders = tmp_path / "one", tmp_path / "other"
    for folder in folders:
        folder.mkdir()
    with Terminal(folders[0], command) as one, Terminal(folders[1], command) as other:
        for terminal in (one, other):
            go_to(terminal, 4, "Red kangaroo")
        one.press("Home", "e")
        one.wait_for("Edit the animal")
        one.type("fish")
        one.press("C-s")
        one.wait_for("● Catfish")
        other.wait_for("● Catfish")
        other.press("Home", "d")
        other.wait_for("Delete Catfish?")
        other.press("y")
        other.wait_for("● Dog", gone=["Catfish"])
        one.wait_for("● Dog", gone=["Catfish"])


def test_no_server(tmp_path):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))  # and does not listen
        url = f"http://127.0.0.1:{taken.getsockname()[1]}"
        with Terminal(tmp_path, [PROGRAM, "--remote", url]) as terminal:
            terminal.wait_for("No categories:", "Press r to try again.")
