"""The widget with the columns: the keys and the mouse select cards and move them."""

from __future__ import annotations

from typing import NamedTuple

from textual.binding import Binding
from textual.events import (
    Blur,
    Click,
    Focus,
    MouseDown,
    MouseMove,
    MouseScrollDown,
    MouseScrollUp,
    MouseUp,
    Resize,
)
from textual.message import Message
from textual.reactive import var
from textual.strip import Strip
from textual.style import Style
from textual.widget import Widget

from .board import Board, Card, Column, Place
from .layout import Drop, Layout
from .painter import Painter, Picture
from .selection import Selection

SCROLL = 3
"""How many lines a notch of the wheel scrolls."""


class Pressed(NamedTuple):
    """Where the mouse button went down on a card, while it is down."""

    card: str
    x: int
    y: int


class BoardView(Widget, can_focus=True):
    """Shows a board, or the cards that contain a text."""

    ALLOW_SELECT = False
    BINDINGS = [
        Binding("up,k", "move(-1)", show=False),
        Binding("down,j", "move(1)", show=False),
        Binding("left,h", "move_column(-1)", show=False),
        Binding("right,l", "move_column(1)", show=False),
        Binding("pageup", "move(-10)", show=False),
        Binding("pagedown", "move(10)", show=False),
        Binding("home,g", "move(-1000000)", show=False),
        Binding("end,G", "move(1000000)", show=False),
        Binding("shift+up,K", "move_card(0, -1)", show=False),
        Binding("shift+down,J", "move_card(0, 1)", show=False),
        Binding("shift+left,H", "move_card(-1, 0)", show=False),
        Binding("shift+right,L", "move_card(1, 0)", show=False),
        Binding("escape", "escape", show=False),
    ]
    COMPONENT_CLASSES = {
        f"board--{name}"
        for name in (
            *("board", "border", "border-focus", "title", "hint", "drop"),
            *("card", "cursor", "blurred", "dragged"),
        )
    }

    selection: var[Selection] = var(Selection(), init=False)

    class Moved(Message):
        """The user moves a card by columns to the right, and by rows down."""

        def __init__(self, card: str, columns: int, rows: int) -> None:
            super().__init__()
            self.card, self.columns, self.rows = card, columns, rows

    class Dropped(Message):
        """The user has dragged a card to a place on the board that was on the screen."""

        def __init__(self, drop: Drop, board: Board) -> None:
            super().__init__()
            self.drop, self.board = drop, board

    class Opened(Message):
        """The user opens the selected card by a double click."""

    class Escaped(Message):
        """The user has pressed the escape key, and there was no drag that it ends."""

    def __init__(self) -> None:
        super().__init__(id="board")
        self.total = Board(())
        """All cards."""
        self.shown = Board(())
        """Those that contain the text."""
        self.text = ""
        self._layout = Layout()
        self._painter = Painter(self, self._layout, self._style)
        self._strips: list[Strip] | None = None
        """The lines; None if they must be painted."""
        self._is_following = True
        self._pressed: Pressed | None = None
        self._drop: Drop | None = None
        """What is dragged, and where it would go."""

    # ---- What is shown ---------------------------------------------------------------------------

    def show(self, board: Board) -> None:
        """Replaces the board. The selected card stays selected."""
        self.total = board
        self._show()

    def find(self, text: str) -> None:
        """Shows only the cards that contain a text."""
        self.text = text
        self._show()

    def select(self, id: str) -> None:
        """Selects a card or a column. If a search hides the card, the search ends."""
        if self.shown.place_of(id) is None and self.total.place_of(id) is not None:
            self.find("")
            self.post_message(self.Escaped())
        place, index = self.shown.place_of(id), self.shown.index_of(id)
        if place is None and index is not None:
            place = Place(index, 0)
        if place is not None:
            self.selection = Selection.at(self.shown, place)

    @property
    def card(self) -> Card | None:
        """The selected card."""
        return self.shown.card_at(self.selection.place)

    @property
    def column(self) -> Column:
        """The selected column."""
        return self.total.columns[self.selection.place.column]

    def _show(self) -> None:
        self.shown = self.total.containing(self.text) if self.text else self.total
        self.selection = self.selection.on(self.shown)
        if self._pressed is not None and self.shown.place_of(self._pressed.card) is None:
            self._end_drag()  # Another writer has removed it.
        self._repaint()

    def watch_selection(self) -> None:
        self._repaint()

    def _repaint(self, is_following: bool = True) -> None:
        """Paints again before the next key. is_following: scrolls to the selected card."""
        self._is_following = is_following
        self._strips = None
        self.refresh()

    def render_line(self, y: int) -> Strip:
        if self._strips is None:
            self._strips = self._paint() if self.shown.columns else []
        return self._strips[y] if y < len(self._strips) else Strip.blank(self.size.width)

    def _paint(self) -> list[Strip]:
        place = self.selection.place
        picture = Picture(self.shown, self.total, place, self.has_focus, self._drop)
        return self._painter.paint(picture, *self.size, self._is_following)

    def _style(self, name: str) -> Style:
        return self.get_visual_style(f"board--{name}")

    def notify_style_update(self) -> None:
        super().notify_style_update()
        self._painter.forget_styles()
        self._repaint(self._is_following)

    def on_resize(self, event: Resize) -> None:
        self._repaint()

    def on_focus(self, event: Focus) -> None:
        self._repaint()

    def on_blur(self, event: Blur) -> None:
        self._repaint()

    # ---- Keys ------------------------------------------------------------------------------------

    def action_move(self, rows: int) -> None:
        self.selection = self.selection.moved(self.shown, 0, rows)

    def action_move_column(self, columns: int) -> None:
        self.selection = self.selection.moved(self.shown, columns, 0)

    def action_move_card(self, columns: int, rows: int) -> None:
        if self.selection.card is not None:
            self.post_message(self.Moved(self.selection.card, columns, rows))

    def action_escape(self) -> None:
        if self._pressed is not None:
            self._end_drag()
        else:
            self.post_message(self.Escaped())

    # ---- The mouse -------------------------------------------------------------------------------

    def on_mouse_down(self, event: MouseDown) -> None:
        board = self._layout.board  # What is on the screen.
        if not board.columns:
            return
        place = self._layout.place_at(event.x, event.y)
        card = None if place is None else board.card_at(place)
        if card is not None and event.button == 1:
            self._pressed = Pressed(card.id, event.x, event.y)
            self.capture_mouse()
        if place is None:
            place = Place(self._layout.column_at(event.x), self.selection.place.row)
        self.selection = Selection.at(board, place).on(self.shown)

    def on_mouse_move(self, event: MouseMove) -> None:
        pressed = self._pressed
        if pressed is not None and (self._drop or (event.x, event.y) != (pressed.x, pressed.y)):
            self._drop = self._layout.drop_at(pressed.card, event.x, event.y)
            self._layout.scroll_at_edge(event.x)
            self._repaint(is_following=False)

    def on_mouse_up(self, event: MouseUp) -> None:
        drop = self._drop
        self._end_drag()
        if drop is not None:
            self.post_message(self.Dropped(drop, self._layout.board))

    def _end_drag(self) -> None:
        if self._pressed is not None:
            self._pressed = None
            self.release_mouse()
        self._drop = None
        self._repaint()

    def on_click(self, event: Click) -> None:
        if event.chain == 2 and self._layout.place_at(event.x, event.y) is not None:
            self.post_message(self.Opened())

    def on_mouse_scroll_down(self, event: MouseScrollDown) -> None:
        self._scroll(event.x, SCROLL)

    def on_mouse_scroll_up(self, event: MouseScrollUp) -> None:
        self._scroll(event.x, -SCROLL)

    def _scroll(self, x: int, lines: int) -> None:
        if self._layout.board.columns:
            self._layout.scroll(x, lines)
            self._repaint(is_following=False)
