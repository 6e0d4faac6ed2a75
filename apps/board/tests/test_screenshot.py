"""The picture in the documentation."""

import subprocess
import sys
from pathlib import Path

from immutabledata_terminal.testing import lines_of

ROOT = Path(__file__).parents[3]


def test_shows_the_application_as_it_is(tmp_path):
    drawn = tmp_path / "board.svg"
    subprocess.run([sys.executable, ROOT / "apps/board/screenshot.py", drawn], check=True)
    picture = ROOT / "docs/board.svg"
    assert lines_of(picture.read_text()) == lines_of(drawn.read_text()), "run make screenshot"
