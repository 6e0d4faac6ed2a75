"""The text on a screen, from the picture that Textual exports."""

from __future__ import annotations

import html
import re

from textual.geometry import Region

CELL = 12.2
"""The width of a cell in the picture."""

TEXT = re.compile(r'<text [^>]*x="([\d.]+)"[^>]*-line-(\d+)\)">(.*?)</text>')


def lines_of(svg: str) -> list[str]:
    """The lines of text in a picture, without trailing spaces."""
    lines: dict[int, str] = {}
    for x, number, text in TEXT.findall(svg):
        line, column = lines.get(int(number), ""), round(float(x) / CELL)
        text = html.unescape(text).replace("\xa0", " ")
        lines[int(number)] = line.ljust(column) + text
    return [lines.get(number, "").rstrip() for number in range(max(lines) + 1)]


def text_in(lines: list[str], region: Region) -> list[str]:
    """The lines of a region."""
    rows = lines[region.y : region.bottom]
    return [row[region.x : region.right].rstrip() for row in rows]
