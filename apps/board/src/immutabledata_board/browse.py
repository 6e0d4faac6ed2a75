"""The screen: the board, and what the keys do with it."""

from __future__ import annotations

from typing import Any

import immutabledata as imd
from immutabledata_terminal import UNDO_BINDINGS, Find, StoreWidget, printable
from textual import on
from textual.app import ComposeResult
from textual.binding import Binding
from textual.screen import Screen
from textual.widgets import Footer, Header, Input

from .board import Board
from .board_view import BoardView
from .changes import Changes, new_id
from .commands import Command, Commands, Done
from .editor import Editor, Texts
from .help import Help
from .status_line import BoardStatusLine


class BrowseScreen(Screen[None], StoreWidget):
    """Shows the store. It changes it only by commands, which may have to wait."""

    BINDINGS = [
        Binding("n", "add", "Add"),
        Binding("enter,e", "edit", "Edit", key_display="enter"),
        Binding("d,delete", "remove", "Delete", key_display="d"),
        *UNDO_BINDINGS,
        Binding("slash", "find", "Find", key_display="/"),
        Binding("c", "add_column", "Column"),
        Binding("r", "rename_column", "Rename", show=False),
        Binding("D", "remove_column", "Delete the column", show=False),
        Binding("question_mark", "help", "Help", key_display="?"),
        Binding("q", "app.quit", "Quit"),
    ]
    AUTO_FOCUS = "BoardView"

    def __init__(self, changes: Changes) -> None:
        super().__init__()
        self.changes = changes
        self.board = BoardView()
        self.find = Find(self.board, self.board.action_move)
        self.find.placeholder = "Part of a title or of notes"
        self.status = BoardStatusLine(changes.author, changes.is_shared)

    def compose(self) -> ComposeResult:
        yield Header(icon="≡")
        yield self.board
        yield self.find
        yield self.status
        yield Footer()

    def on_mount(self) -> None:
        self.commands = Commands(
            self.store, self._show_done, self._show_error, self.status.show_waiting
        )
        self.run_worker(self.commands.run())
        self.watch(self.board, "selection", self.refresh_bindings, init=False)
        self.observe("board", self._show_board)
        self.observe("@@history", self._show_history)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        if action == "find":
            return not isinstance(self.focused, Find)
        if action in ("edit", "remove"):
            return True if self.board.card is not None else None
        if action in ("undo", "redo"):
            return True if self._history[action] else None
        return True

    # ---- What is shown ---------------------------------------------------------------------------

    _history: dict[str, Any] = {"undo": 0, "redo": 0}

    def _show_board(self, state: Any) -> None:
        self.board.show(Board.of(state))
        self.refresh_bindings()

    def _show_history(self, history: Any) -> None:
        self._history = history
        self.refresh_bindings()

    def _show_done(self, done: Done) -> None:
        if done.selected is not None:
            self.board.select(done.selected)
        if done.notice:
            self.notify(printable(done.notice), markup=False)

    def _show_error(self, error: imd.Error, dropped: int) -> None:
        text = error.message
        if dropped:
            text = f"{text}; {dropped} more that waited were dropped"
        self.notify(printable(text), severity="error", markup=False)

    # ---- Cards -----------------------------------------------------------------------------------

    def action_add(self) -> None:
        card, column = self.board.card, self.board.column
        cards = self.board.total.columns[self.board.selection.place.column].cards
        next = cards.index(card) + 1 if card is not None else len(cards)
        before = cards[next].id if next < len(cards) else None

        def add(texts: Texts | None) -> None:
            if texts is not None:
                where = {"column": column.id, "before": before}
                payload = {"id": new_id(), **where, **texts._asdict()}
                self.submit(self.changes.change("added", payload))

        self.app.push_screen(Editor(f"New card in {printable(column.title)}", Texts(""), True), add)

    @on(BoardView.Opened)
    def action_edit(self) -> None:
        card = self.board.card
        if card is None:
            return
        old, id = Texts(printable(card.title), card.notes), card.id

        def edit(texts: Texts | None) -> None:
            if texts is not None:
                changed = {
                    name: text
                    for name, text in texts._asdict().items()
                    if text != getattr(old, name)
                }
                if changed:
                    self.submit(self.changes.change("edited", {"id": id, **changed}))

        self.app.push_screen(Editor("Edit the card", old, True), edit)

    def action_remove(self) -> None:
        card = self.board.card
        if card is not None:
            self.submit(self.changes.remove(card.id, card.title))

    @on(BoardView.Moved)
    def move(self, event: BoardView.Moved) -> None:
        if event.to is None:
            self.submit(self.changes.move(event.card, event.by, self.board.text))
        else:
            self.submit(self.changes.drop(event.card, event.to, self.board.shown))

    # ---- Columns ---------------------------------------------------------------------------------

    def action_add_column(self) -> None:
        columns = self.board.total.columns
        next = self.board.selection.place.column + 1
        before = columns[next].id if next < len(columns) else None

        def add(texts: Texts | None) -> None:
            if texts is not None:
                payload = {"id": new_id(), "title": texts.title, "before": before}
                self.submit(self.changes.change("columnAdded", payload))

        self.app.push_screen(Editor("New column", Texts(""), False), add)

    def action_rename_column(self) -> None:
        column = self.board.column

        def rename(texts: Texts | None) -> None:
            if texts is not None:
                payload = {"id": column.id, "title": texts.title}
                self.submit(self.changes.change("columnRenamed", payload))

        old = Texts(printable(column.title))
        self.app.push_screen(Editor("Rename the column", old, False), rename)

    def action_remove_column(self) -> None:
        self.submit(self.changes.change("columnRemoved", {"id": self.board.column.id}))

    # ---- The rest --------------------------------------------------------------------------------

    def submit(self, command: Command) -> None:
        self.commands.submit(command)

    def action_undo(self) -> None:
        self.submit(self.changes.undo)

    def action_redo(self) -> None:
        self.submit(self.changes.redo)

    def action_find(self) -> None:
        self.find.begin()

    @on(Input.Changed, "Find")
    def _find(self, event: Input.Changed) -> None:
        self.board.find(event.value)

    @on(BoardView.Escaped)
    def _show_all(self) -> None:
        self.find.end()

    def action_help(self) -> None:
        self.app.push_screen(Help())
