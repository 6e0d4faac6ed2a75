"""The program in a real terminal, with the feed server as a program."""

import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import NOW
from immutabledata_terminal.testing import Terminal

PROGRAM = Path(sys.executable).with_name("immutabledata-quakes")
pytestmark = pytest.mark.skipif(shutil.which("tmux") is None, reason="there is no tmux")


@pytest.fixture
def feed():
    """The address of a feed of 500 quakes, and its process."""
    command = [sys.executable, "-m", "immutabledata_quakes.feed_server"]
    options = ["--count", "500", "--days", "1", "--now", str(NOW)]
    with subprocess.Popen([*command, *options], stdout=subprocess.PIPE, text=True) as process:
        yield process.stdout.readline().split()[-1], process
        process.terminate()


def go_to_the_day(terminal):
    terminal.press("g")
    terminal.wait_for("Show another day")
    # Replaces the selected text.
    terminal.type("2026-11-21")
    terminal.press("Enter")
    terminal.wait_for("Sat 21 Nov 2026", gone=["Show another day"])


def test_refresh_search_delete_and_restart_without_the_feed(feed, tmp_path):
    url, process = feed
    command = [PROGRAM, "--store", tmp_path / "q.sqlite", "--feed", url, "--time-zone", "UTC"]
    with Terminal(tmp_path, command, (80, 24)) as terminal:
        terminal.wait_for("Quakes — q.sqlite", "There are no quakes here yet.", "Ready", "UTC")
        go_to_the_day(terminal)
        terminal.press("r")
        terminal.wait_for("The last week")
        terminal.press("w")
        terminal.wait_for("500 of 500", "◉", "Ready")
        terminal.press("/")
        terminal.wait_for("Part of a name")
        terminal.type("Tonga")
        shown = terminal.wait_for("of 500", "Tonga", gone=["500 of 500"])
        assert "Peru" not in shown
        terminal.press("Escape")
        terminal.wait_for("500 of 500")
        terminal.press("d")
        terminal.wait_for("499 of 499", "Ready")
        terminal.press("C-z")
        terminal.wait_for("500 of 500", "Ready")
        terminal.press("C-y")
        terminal.wait_for("499 of 499", "Ready")
        terminal.press("q")
        terminal.wait_for_end()

        process.terminate()
        process.wait()
        terminal.start(command, (60, 16))
        terminal.wait_for("There are no quakes on this day.", "Ready")
        go_to_the_day(terminal)
        terminal.wait_for("499 of 499", "◉")
        terminal.press("r")
        terminal.wait_for("The last day")
        terminal.press("d")
        terminal.wait_for(
            "Couldn't get the feed: no response from", "connection refused", "499 of 499"
        )


def test_sigterm_restores_the_terminal(tmp_path):
    """A shell that starts the program gets its terminal back, and the status of the signal."""
    start = 'echo $$ >"$0"; exec "$@"'
    script = 'sh -c "$@"; echo "status $?"; stty; echo "$(stty size)"; exec cat'
    pid = tmp_path / "pid"
    program = [PROGRAM, "--store", tmp_path / "q.sqlite", "--time-zone", "UTC"]
    with Terminal(tmp_path, ["sh", "-c", script, "sh", start, pid, *program], (80, 24)) as terminal:
        terminal.wait_for("Quakes — q.sqlite", "Ready")
        os.kill(int(pid.read_text()), signal.SIGTERM)
        shown = terminal.wait_for("status 143", "24 80", gone=["Quakes — q.sqlite"])
        assert "-icanon" not in shown
        assert "-echo" not in shown.split()
