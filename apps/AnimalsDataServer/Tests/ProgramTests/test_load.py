"""Short runs of the load tool in both modes."""

import re
import subprocess
import sys
from pathlib import Path

import pytest


@pytest.mark.parametrize(
    ("options", "kills"), [([], "0, 0 requests interrupted"), (["--kill", "1"], "[1-9]")]
)
def test_load(options: list[str], kills: str) -> None:
    command = [sys.executable, Path(__file__).with_name("load.py"), "--seconds", "5", *options]
    result = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert result.returncode == 0, result.stdout + result.stderr
    assert re.search(f"\nkills {{6}}{kills}", result.stdout)
    assert "\nproblems   0\n" in result.stdout
