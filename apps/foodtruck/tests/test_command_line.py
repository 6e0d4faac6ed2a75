"""Starting the program."""

import subprocess
import sys
from pathlib import Path

from immutabledata_foodtruck.__main__ import make_app, parse

SCRIPT = Path(sys.executable).with_name("immutabledata-foodtruck")


def test_the_seed():
    apps = [make_app(parse(arguments)) for arguments in ([], ["--seed", "1"], ["--seed", "2"])]
    orders = [[order.sales for order in app.model.orders] for app in apps]
    for app in apps:
        app.store.close()
    assert orders[0] == orders[1] != orders[2]


def test_a_wrong_seed():
    result = subprocess.run([SCRIPT, "--seed", "one"], capture_output=True, text=True)
    assert result.returncode == 2
    assert "argument --seed: invalid int value: 'one'" in result.stderr


def test_without_a_terminal():
    result = subprocess.run([SCRIPT], capture_output=True, text=True, stdin=subprocess.DEVNULL)
    assert (result.returncode, result.stdout) == (1, "")
    assert result.stderr == (
        "immutabledata-foodtruck: standard input is not a terminal; start the program in a "
        "terminal\n"
    )


def test_help():
    for command in ([SCRIPT], [sys.executable, "-m", "immutabledata_foodtruck"]):
        result = subprocess.run([*command, "--help"], capture_output=True, text=True)
        assert (result.returncode, result.stderr) == (0, "")
        assert "--seed NUMBER" in result.stdout


def test_version():
    result = subprocess.run([SCRIPT, "--version"], capture_output=True, text=True)
    assert (result.returncode, result.stdout) == (0, "immutabledata-foodtruck 0.1.0\n")
