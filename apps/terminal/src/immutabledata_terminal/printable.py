"""Text for a terminal."""

_CONTROLS = dict.fromkeys(
    [
        *range(0x20),
        *range(0x7F, 0xA0),
        *range(0x2028, 0x202F),  # ends of lines and paragraphs; embeddings and overrides
        *range(0x2066, 0x206A),  # isolates
        0xFEFF,  # the byte order mark
    ],
    "\N{REPLACEMENT CHARACTER}",
)


def printable(text: str) -> str:
    """Replaces the characters that control the terminal or the direction of the text after them.

    Names are untrusted.
    """
    return text.translate(_CONTROLS)
