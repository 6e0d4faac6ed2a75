"""Untrusted text in a terminal."""

import pytest

from immutabledata_terminal import printable


@pytest.mark.parametrize(
    "character",
    ["\0", "\t", "\n", "\x1b", "\x7f", "\x9b", "\u2028", "\u202e", "\u2066", "\u2069", "\ufeff"],
)
def test_controls_are_replaced(character):
    assert printable(f"Cobb{character}, CA") == "Cobb\N{REPLACEMENT CHARACTER}, CA"


@pytest.mark.parametrize("text", ["", "4 km W of Cobb, CA", "Ñuñoa", "東京", "תל אביב", "[b]", "\xa0"])
def test_text_is_unchanged(text):
    assert printable(text) == text
