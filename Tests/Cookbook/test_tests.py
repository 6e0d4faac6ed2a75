"""The tests in the page pass, and find what is wrong with the reducer."""

import subprocess
import sys
from pathlib import Path

import pytest

PAGE = "tests.md"


def run(folder: Path, *arguments: str) -> str:
    # Without the profile, Hypothesis fails on a machine that is busy.
    options = ["-q", "--tb=no", "--hypothesis-profile=ci", "test_accounts.py", *arguments]
    command = [sys.executable, "-m", "pytest", *options]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True).stdout


def replace(folder: Path, old: str, new: str) -> None:
    test = folder / "test_accounts.py"
    text = test.read_text()
    assert text.count(old) == 1
    test.write_text(text.replace(old, new))


def test_right_reducer(folder: Path) -> None:
    assert "6 passed" in run(folder)


@pytest.mark.parametrize(
    ("old", "new", "failed"),
    [
        ("draft[source] < cents", "False", "test_refusals[transfer2-the balance is too low]"),
        ("draft[target] += cents", "draft[target] = cents", "test_a_transfer"),
    ],
)
def test_wrong_reducers(folder: Path, old: str, new: str, failed: str) -> None:
    replace(folder, old, new)
    shown = run(folder, "--deselect", "test_accounts.py::TestAccounts")
    assert f"FAILED test_accounts.py::{failed}" in shown and "1 failed" in shown


def test_random_actions(folder: Path) -> None:
    """They find that a balance can be negative; to find the shortest list would take a minute."""
    replace(folder, "draft[source] < cents", "False")
    replace(folder, "import settings", "import Phase, settings")
    replace(folder, "max_examples=20", "max_examples=20, phases=[Phase.generate]")
    assert "FAILED test_accounts.py::TestAccounts::runTest" in run(folder, "-k", "TestAccounts")
