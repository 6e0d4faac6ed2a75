"""Cards as lines."""

from __future__ import annotations

from typing import Callable

from immutabledata_terminal import printable
from textual.content import Content
from textual.strip import Strip
from textual.style import Style
from textual.visual import Visual
from textual.widget import Widget

from .board import Card

MAX_LINES = 3
"""How many lines of a title are shown."""

NOTES = Style(dim=True)
"""What the notes of a card add to its style."""


class CardLines:
    """Renders cards, and keeps the lines of those that were rendered since the last rendering."""

    def __init__(self, widget: Widget, style: Callable[[str], Style]) -> None:
        """style: the style with a name, such as "card"."""
        self._widget = widget
        self._style = style
        self._known: dict[tuple[Card, int, str], list[Strip]] = {}
        self._used: dict[tuple[Card, int, str], list[Strip]] = {}

    def begin(self) -> None:
        """Begins another rendering."""
        self._known, self._used = self._used, {}

    def forget(self) -> None:
        """Renders all cards anew, because the theme has changed."""
        self._used.clear()

    def lines(self, card: Card, width: int, style: str) -> list[Strip]:
        key = card, width, style
        lines = self._known.get(key) or self._render(card, width, self._style(style))
        self._used[key] = lines
        return lines

    def _render(self, card: Card, width: int, style: Style) -> list[Strip]:
        width = max(width - 2, 1)
        title = Content(printable(card.title))
        lines = Visual.to_strips(self._widget, title, width, None, style, pad=True)
        if len(lines) > MAX_LINES:
            rest = " ".join(line.text.strip() for line in lines[MAX_LINES - 1 :])
            lines[MAX_LINES - 1 :] = [one_line(self._widget, rest, width, style)]
        if card.notes:
            notes = printable(card.notes.strip().split("\n")[0])
            lines.append(one_line(self._widget, notes, width, style + NOTES))
        edge = Strip.blank(1, style.rich_style)
        return [Strip.join([edge, line, edge]) for line in lines]


def one_line(widget: Widget, text: str | Content, width: int, style: Style) -> Strip:
    """One line, cut or extended to a width."""
    content = Content(text) if isinstance(text, str) else text
    content = content.truncate(max(width, 1), ellipsis=True)
    return Visual.to_strips(widget, content, max(width, 1), 1, style, pad=True)[0]
