"""The program in a real terminal, and two of them on one file."""

import os
import shutil
import signal
import subprocess

import pytest
from conftest import IMD, PROGRAM, columns_of
from immutabledata_terminal.testing import Terminal

from immutabledata_board.store import open_store

pytestmark = pytest.mark.skipif(shutil.which("tmux") is None, reason="there is no tmux")


@pytest.fixture
def folders(tmp_path):
    folders = [tmp_path / name for name in ("a", "b")]
    for folder in folders:
        folder.mkdir()
    return folders


def test_two_terminals_and_a_script(folders, path):
    ann = Terminal(folders[0], [PROGRAM, "--shared", "--author", "ann", path], (80, 24))
    with ann:
        ann.wait_for("Board — board.imd", "Shared; you are ann", "no cards")
        with Terminal(folders[1], [PROGRAM, "--author", "bob", path], (80, 24)) as bob:
            bob.wait_for("Shared; you are bob")
            ann.press("n")
            ann.wait_for("New card in To do")
            ann.type("Write the guide")
            ann.press("Enter")
            ann.wait_for("Write the guide", gone=["New card"])
            bob.wait_for("Write the guide", "ann added a card")
            bob.press("S-Right")
            ann.wait_for("bob moved a card")
            card = '{"id": "7", "column": "done", "title": "Nightly build"}'
            send = [IMD, "send", path, "immutabledata_board:reduce", "board/added", card]
            subprocess.run(send, check=True)
            for terminal in (ann, bob):
                terminal.wait_for("Nightly build", "Another program added a card")
            bob.press("u")
            bob.wait_for("another program added a card last")
            bob.press("q")
            bob.wait_for_end()
        ann.press("q")
        ann.wait_for_end()
    with open_store(path, "ann") as store:
        assert [len(ids) for ids in columns_of(store).values()] == [0, 1, 1]


def test_kill_loses_nothing_that_was_shown(tmp_path, path):
    pid = tmp_path / "pid"
    script = 'echo $$ >"$0"; exec "$@"'
    with Terminal(tmp_path, ["sh", "-c", script, pid, PROGRAM, path], (80, 24)) as terminal:
        terminal.wait_for("Saved as you go", "no cards")
        for title in ("Oak", "Elm"):
            terminal.press("n")
            terminal.wait_for("New card")
            terminal.type(title)
            terminal.press("Enter")
            terminal.wait_for(title, gone=["New card"])
        terminal.press("S-Right")
        terminal.wait_for("Elm")
        terminal.wait_until(lambda screen: screen.count("─ 1 ─") == 2, "the card moved")
        os.kill(int(pid.read_text()), signal.SIGKILL)
        terminal.wait_for_end()
        terminal.start([PROGRAM, path], (80, 24))
        terminal.wait_until(lambda screen: screen.count("─ 1 ─") == 2, "the same board")
        terminal.press("u")
        terminal.wait_for("Undone: moved a card.", "─ 2 ─")


def test_sigterm_restores_the_terminal(tmp_path, path):
    start = 'echo $$ >"$0"; exec "$@"'
    script = 'sh -c "$@"; echo "status $?"; stty; exec cat'
    pid = tmp_path / "pid"
    command = ["sh", "-c", script, "sh", start, pid, PROGRAM, "--shared", path]
    with Terminal(tmp_path, command, (80, 24)) as terminal:
        terminal.wait_for("Board — board.imd", "no cards")
        os.kill(int(pid.read_text()), signal.SIGTERM)
        shown = terminal.wait_for("status 143", "baud", gone=["Board — board.imd"])
        assert "-icanon" not in shown
        assert "-echo" not in shown.split()
