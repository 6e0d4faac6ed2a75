"""Actions in words."""

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
