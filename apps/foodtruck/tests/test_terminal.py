"""The program in a real terminal."""

import os
import shutil
import signal
import sys
from pathlib import Path

import pytest
from immutabledata_terminal.testing import Terminal

PROGRAM = Path(sys.executable).with_name("immutabledata-foodtruck")
pytestmark = pytest.mark.skipif(shutil.which("tmux") is None, reason="there is no tmux")


def test_prepare_edit_complete_and_resize(tmp_path):
    with Terminal(tmp_path, [PROGRAM], (80, 24)) as terminal:
        terminal.wait_for("Food truck — today", "Order#1215  ready", "Newest")
        terminal.press("f")
        terminal.wait_for("Orders: placed", "Order#1224  placed", "9 of 24")
        terminal.press("f", "n")
        terminal.wait_for("No order is preparing.", "Choose an order")
        terminal.press("f", "f", "f", "End")
        terminal.wait_for("Order#1216  placed")
        terminal.press("n")
        terminal.wait_for("Preparing Order#1216, ", "Order#1216  preparing")
        terminal.press("e")
        terminal.wait_for("Edit the donuts", "Topping")
        terminal.type(" deluxe")
        terminal.wait_for(" deluxe  ", "× ", "deluxe ")
        terminal.press("Escape")
        terminal.wait_for("Order#1216  preparing", "Newest", gone=["Edit the donuts"])
        terminal.press("/")
        terminal.wait_for("Part of an id")
        terminal.type("deluxe")
        terminal.wait_for("Order#1216 preparing", gone=["Order#1201 "])
        terminal.press("Escape")
        terminal.wait_for("Order#1201 ")
        terminal.resize(40, 12)
        terminal.wait_for("Order#1216  preparing", gone=["Newest"])
        terminal.press("c")
        terminal.wait_for("Order#1216  completed", gone=["Preparing"])
        terminal.press("q")
        terminal.wait_for_end()


def test_standard_error_can_be_redirected(tmp_path):
    errors = tmp_path / "errors"
    script = 'exec "$@" 2>"$0"'
    with Terminal(tmp_path, ["sh", "-c", script, errors, PROGRAM], (80, 24)) as terminal:
        terminal.wait_for("Food truck — today", "Order#1215  ready", "Newest")
        terminal.press("q")
        terminal.wait_for_end()
    assert errors.read_text() == ""


def test_sigterm_restores_the_terminal(tmp_path):
    """A shell that starts the program gets its terminal back, and the status of the signal."""
    start = 'echo $$ >"$0"; exec "$@"'
    script = 'sh -c "$@"; echo "status $?"; stty; exec cat'
    pid = tmp_path / "pid"
    with Terminal(tmp_path, ["sh", "-c", script, "sh", start, pid, PROGRAM], (80, 24)) as terminal:
        terminal.wait_for("Food truck — today", "Newest")
        os.kill(int(pid.read_text()), signal.SIGTERM)
        shown = terminal.wait_for("status 143", "baud", gone=["Food truck — today"])
        assert "-icanon" not in shown
        assert "-echo" not in shown.split()
