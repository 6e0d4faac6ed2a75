"""Text for a terminal."""

_CONTROLS = dict.fromkeys([*range(0x20), *range(0x7F, 0xA0)], "\N{REPLACEMENT CHARACTER}")


def printable(text: str) -> str:
    """Text without controls: a name may come from anyone, and a terminal obeys what it is sent."""
    return text.translate(_CONTROLS)
