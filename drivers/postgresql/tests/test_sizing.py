"""The tables of docs/postgresql-sizing.md are those that sizing.py prints."""

import subprocess
import sys

from driver import ROOT


def test_tables():
    program = ROOT / "drivers/postgresql/benchmark/sizing.py"
    tables = subprocess.run(
        [sys.executable, program], check=True, capture_output=True, text=True
    ).stdout.strip()
    page = (ROOT / "docs/postgresql-sizing.md").read_text()
    for table in tables.split("\n\n"):
        assert table in page, f"replace this table of the page:\n{table}"
