"""The texts that the user edits."""

from __future__ import annotations

from typing import NamedTuple


class Texts(NamedTuple):
    """Those of a card, or only the title of a column."""

    title: str
    notes: str = ""
