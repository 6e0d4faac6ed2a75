"""The page in the documentation."""

import re
from pathlib import Path

from immutabledata_board import reduce
from immutabledata_board.help import KEYS

ROOT = Path(__file__).parents[3]
PAGE = (ROOT / "docs/board.md").read_text()
SOURCES = [path.read_text() for path in (ROOT / "apps/board/src").rglob("*.py")]


def test_quotes_the_source():
    blocks = re.findall(r"^```python\n(.*?)^```", PAGE, re.M | re.S)
    assert len(blocks) == 6
    for block in blocks:
        assert any(block in source for source in SOURCES), block


def test_lists_the_actions():
    listed = re.findall(r"^\| `board/(\w+)`", PAGE, re.M)
    assert listed == [creator for creator in listed if hasattr(reduce.actions, creator)]
    assert len(listed) == len(set(listed)) == 7


def test_lists_the_keys():
    for key in re.findall(r"\b[a-zA-Z]\b", " ".join(KEYS)):
        assert f"`{key}`" in PAGE, key
