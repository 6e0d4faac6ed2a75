"""The land of the Earth, as characters.

land.pbm is a bitmap of one degree (PBM, binary), computed from Natural Earth, whose maps are in the
public domain: https://www.naturalearthdata.com/about/terms-of-use/
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

WIDTH, HEIGHT = 360, 180
_HEAD = b"P4\n360 180\n"

_DOTS = ((0x01, 0x08), (0x02, 0x10), (0x04, 0x20), (0x40, 0x80))
"""The bits of the dots in a braille character (Unicode, block U+2800), by row and column."""


@lru_cache(maxsize=1)
def bitmap() -> bytes:
    """The land: a bit for each degree, 45 bytes for each of the 180 rows from north to south."""
    content = Path(__file__).with_name("land.pbm").read_bytes()
    return content[len(_HEAD) :]


def is_land(column: int, row: int) -> bool:
    """Whether the square of a degree is land; it begins at column - 180° and 90° - row."""
    byte = bitmap()[row * (WIDTH // 8) + column // 8]
    return bool(byte >> (7 - column % 8) & 1)


@lru_cache(maxsize=4)
def land(width: int, height: int) -> list[str]:
    """The rows of a map of width by height braille characters. Complexity: O(width · height)."""
    columns = [(2 * x + 1) * WIDTH // (4 * width) for x in range(2 * width)]
    rows = [(2 * y + 1) * HEIGHT // (8 * height) for y in range(4 * height)]
    return [
        "".join(_character(columns[x : x + 2], rows[y : y + 4]) for x in range(0, 2 * width, 2))
        for y in range(0, 4 * height, 4)
    ]


def _character(columns: list[int], rows: list[int]) -> str:
    bits = 0
    for row, dots in zip(rows, _DOTS):
        for column, dot in zip(columns, dots):
            if is_land(column, row):
                bits |= dot
    return chr(0x2800 + bits) if bits else " "
