"""The program in a real terminal, with a file and with a server."""

import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import urllib.request
from pathlib import Path

import pytest
from immutabledata_terminal.testing import Terminal

PROGRAM = Path(sys.executable).with_name("immutabledata-animals")
SERVER = Path(
    os.environ.get("ANIMALS_DATA_SERVER")
    or Path(__file__).parents[3] / ".build-server/debug/AnimalsDataServer"
)
pytestmark = pytest.mark.skipif(shutil.which("tmux") is None, reason="there is no tmux")


@pytest.fixture
def command(tmp_path):
    return [PROGRAM, "--store", tmp_path / "zoo.sqlite"]


def go_to(terminal, category, animal):
    """Selects a category by its index, and the pane of its animals."""
    terminal.wait_for("Newt", "Ready")
    terminal.press("Home", *["Down"] * category)
    terminal.wait_for(animal)
    terminal.press("Right")


def test_browse_add_edit_delete_and_restart(command, tmp_path):
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
        # A click on the fifth category, as a terminal reports it.
        terminal.type("\x1b[<0;5;7M")
        terminal.type("\x1b[<0;5;7m")
        terminal.wait_for("Southern gibbon", "│ Category  Mammal")
        terminal.resize(50, 16)
        terminal.wait_for("│ Category  Mammal  ", gone=["Reload samples"])
        terminal.resize(120, 40)
        terminal.wait_for("Reload samples", "││ Category  Mammal")


def test_saving_an_animal_that_another_window_deleted(command, tmp_path):
    """Windows on one file do not follow each other, but a save does not add the animal again."""
    folders = tmp_path / "one", tmp_path / "other"
    for folder in folders:
        folder.mkdir()
    with Terminal(folders[0], command) as one, Terminal(folders[1], command) as other:
        for terminal in (one, other):
            go_to(terminal, 4, "Red kangaroo")
        one.press("e")
        one.wait_for("Edit the animal")
        other.press("d")
        other.wait_for("Delete Cat?")
        other.press("y")
        other.wait_for("● Dog", gone=["● Cat"])
        one.press("C-s")
        one.wait_for("It was not saved: there is no animal", '"Cat".')


# ---- With a server -------------------------------------------------------------------------------


class Server:
    """An animals server, which can be killed and restarted with the same address and database."""

    def __init__(self, folder):
        self._folder = folder
        self._port = "0"
        self.start()

    def start(self, *options):
        command = [SERVER, "--port", self._port, "--database", self._folder / "server.sqlite"]
        self.process = subprocess.Popen([*command, *options], stdout=subprocess.PIPE, text=True)
        self.address = self.process.stdout.readline().split()[-1]
        self._port = self.address.rpartition(":")[2]

    def kill(self):
        self.process.kill()
        self.process.wait()
        self.process.stdout.close()


@pytest.fixture
def server(tmp_path):
    if not SERVER.exists():
        pytest.skip(f"there is no server at {SERVER}; make server builds it")
    server = Server(tmp_path)
    yield server
    server.kill()


def test_two_windows_on_one_server(server, tmp_path):
    command = [PROGRAM, "--remote", server.address]
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


def rename_newt(server, name):
    """Changes an animal as another client."""
    newt = {"animalId": "Newt", "name": name, "diet": "Carnivore", "categoryId": "Amphibian"}
    request = urllib.request.Request(
        f"{server.address}/animals/api",
        json.dumps({"mutation": [{"updateAnimal": newt}]}).encode(),
        {"Content-Type": "application/json"},
    )
    urllib.request.urlopen(request, timeout=30).close()


def test_a_server_that_is_killed_and_restarted(server, tmp_path):
    with Terminal(tmp_path, [PROGRAM, "--remote", server.address]) as terminal:
        terminal.wait_for("Newt", "Ready")
        server.kill()
        terminal.wait_for("No connection since", gone=["Ready"])
        # The animals that were fetched stay.
        terminal.press("Down")
        terminal.wait_for("House sparrow", gone=["Newt", "Ready"])
        server.start()
        rename_newt(server, "Newest newt")
        terminal.wait_for("House sparrow", "Ready", gone=["No connection", "Couldn't"])
        terminal.press("Up")
        terminal.wait_for("Newest newt", "Ready")


def test_a_server_that_is_paused_and_resumed(server, tmp_path):
    server.kill()
    server.start("--heartbeat", "0.2")
    with Terminal(tmp_path, [PROGRAM, "--remote", server.address]) as terminal:
        terminal.wait_for("Newt", "Ready")
        server.process.send_signal(signal.SIGSTOP)
        terminal.wait_for("No connection since", "was silent for 500 ms", gone=["Ready"])
        server.process.send_signal(signal.SIGCONT)
        rename_newt(server, "Newest newt")
        terminal.wait_for("Newest newt", "Ready", gone=["No connection"])


def test_no_server(tmp_path):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))  # and does not listen
        url = f"http://127.0.0.1:{taken.getsockname()[1]}"
        with Terminal(tmp_path, [PROGRAM, "--remote", url]) as terminal:
            terminal.wait_for("No connection since", "refused", gone=["Ready"])
