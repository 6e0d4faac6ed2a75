"""The package, the examples and typed programs, checked by mypy and Pyright."""

import json
import os
import re
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

TESTS = Path(__file__).parent
PACKAGE = TESTS.parent
RIGHT = TESTS / "typed" / "right_uses.py"
WRONG = TESTS / "typed" / "wrong_uses.py"
KANBAN = TESTS / "typed" / "kanban.py"
MISTAKES = TESTS / "typed" / "mistakes.py"
EXAMPLES = sorted((PACKAGE.parents[1] / "examples").glob("*.py"))


def run(module, *arguments):
    """Runs a type checker, with the options in pyproject.toml; returns its output."""
    command = [sys.executable, "-m", module, *map(str, arguments)]
    return subprocess.run(command, cwd=PACKAGE, capture_output=True, text=True).stdout


def mypy(*files):
    """The mistakes that mypy finds: the line of each, and the message."""
    options = ["--no-error-summary", "--hide-error-context"]
    if files != ("src",):
        # A program has the installed package; what a check of the sources cached hides mistakes.
        options += ["--cache-dir", os.devnull]
    output = run("mypy", *options, *files)
    return [(int(line), text) for line, text in re.findall(r":(\d+): error: (.*)", output)]


@cache
def pyright_mistakes():
    """What Pyright finds in all files. Basedpyright is Pyright as a package that needs no npm."""
    files = ["src", *EXAMPLES, RIGHT, WRONG, KANBAN, MISTAKES]
    report = json.loads(run("basedpyright", "--pythonpath", sys.executable, "--outputjson", *files))
    assert report["summary"]["filesAnalyzed"] > len(files)
    return report["generalDiagnostics"]


def pyright(*files):
    """The mistakes that Pyright finds in files or folders."""
    paths = {PACKAGE / file for file in files}
    return [
        (each["range"]["start"]["line"] + 1, each["message"])
        for each in pyright_mistakes()
        if not paths.isdisjoint([Path(each["file"]), *Path(each["file"]).parents])
    ]


CHECKERS = pytest.mark.parametrize("check", [mypy, pyright])


@CHECKERS
def test_the_package(check):
    assert check("src") == []


@CHECKERS
def test_the_examples(check):
    assert len(EXAMPLES) >= 3
    assert check(*EXAMPLES) == []


@CHECKERS
@pytest.mark.parametrize("file", [RIGHT, KANBAN])
def test_right_uses(check, file):
    assert check(file) == []


@CHECKERS
@pytest.mark.parametrize(("file", "count"), [(WRONG, 40), (MISTAKES, 20)])
def test_wrong_uses(check, file, count):
    lines = file.read_text(encoding="utf-8").splitlines()
    wrong = {number for number, line in enumerate(lines, 1) if line.endswith("# wrong")}
    assert len(wrong) > count
    assert {line for line, message in check(file)} == wrong
