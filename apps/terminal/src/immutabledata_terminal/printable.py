"""Text for a terminal."""

_CONTROLS = dict.fromkeys([*range(0x20), *range(0x7F, 0xA0)], "\N{REPLACEMENT CHARACTER}")


def printable(text: str) -> str:
    """Replaces control characters: names are untrusted and must not control the terminal."""
    return text.translate(_CONTROLS)
