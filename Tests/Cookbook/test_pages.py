"""Each recipe is short, and has a row in the table of the cookbook."""

import re
from pathlib import Path

import pytest
from recipes import FOLDER, PAGES, programs_of


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_length(page: Path) -> None:
    lines = sum(len(text.splitlines()) for text in programs_of(page).values())
    prose = re.sub(r"^```.*?^```|^#.*?$|\]\([^)]*\)", "", page.read_text(), flags=re.M | re.S)
    assert 0 < lines <= 60
    assert 0 < len(re.findall(r"\w\S*", prose)) <= 90


def test_table() -> None:
    listed = re.findall(r"^\| \[.*?\]\(([\w-]+\.md)\)", (FOLDER / "README.md").read_text(), re.M)
    assert sorted(listed) == [page.name for page in PAGES]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_every_recipe_is_tested(page: Path) -> None:
    test = Path(__file__).with_name(f"test_{page.stem.replace('-', '_')}.py")
    assert f'PAGE = "{page.name}"' in test.read_text()
