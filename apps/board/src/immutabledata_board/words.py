"""Actions in words."""

from __future__ import annotations

from typing import Any

_WORDS = {
    "board/added": "added a card",
    "board/edited": "edited a card",
    "board/moved": "moved a card",
    "board/removed": "deleted a card",
    "board/columnAdded": "added a column",
    "board/columnRenamed": "renamed a column",
    "board/columnRemoved": "deleted a column",
}


def words_of(type: str) -> str:
    """What an action has done: "added a card"."""
    return _WORDS.get(type, "made a change")


def news_of(action: Any, old: Any, new: Any) -> str:
    """What an action has done, and to which card: "added a card, “Write”"."""
    id = action["payload"]["id"]
    card = new["cards"].get(id) or old["cards"].get(id)
    words = words_of(action["type"])
    return words if card is None else f"{words}, “{card['title']}”"
