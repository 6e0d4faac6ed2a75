"""The screen: the board, and what the keys do with it."""

from __future__ import annotations

from functools import partial
from typing import Any, Callable

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
from .commands import Change, Command, Commands, Done
from .editor import Editor
from .help import Help
from .status_line import BoardStatusLine
from .texts import Texts


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
        self._steps: dict[str, Any] = {"undo": 0, "redo": 0}
        """How many steps can be undone and redone, as @@history says."""
        self._enabled: dict[str, bool] = {}
        """Whether actions are enabled; those that are missing are."""

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
        self.watch(self.board, "selection", self._refresh_keys, init=False)
        self.observe("board", self._show_board)
        self.observe("@@history", self._show_history)
        self.store.poll()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        if action == "find":
            return not isinstance(self.focused, Find)
        return True if self._enabled.get(action, True) else None

    def _refresh_keys(self) -> None:
        """Enables and disables keys. The footer is made anew only if that has changed."""
        has_card = self.board.card is not None
        # What is waiting may become a step.
        is_waiting = self.commands.unfinished > 0
        enabled = {"edit": has_card, "remove": has_card}
        enabled.update((each, is_waiting or self._steps[each] > 0) for each in ("undo", "redo"))
        if enabled != self._enabled:
            self._enabled = enabled
            self.refresh_bindings()

    # ---- What is shown ---------------------------------------------------------------------------

    def _show_board(self, state: Any) -> None:
        self.board.show(Board.of(state))
        self._refresh_keys()

    def _show_history(self, history: Any) -> None:
        self._steps = history
        self._refresh_keys()

    def _show_done(self, done: Done) -> None:
        self._refresh_keys()
        if done.selected is not None:
            self.board.select(done.selected)
        if done.notice:
            self.notify(printable(done.notice), markup=False)

    def _show_error(self, error: imd.Error, commands: list[Command]) -> None:
        self._refresh_keys()
        text = error.message
        if len(commands) > 1:
            text = f"{text}; {len(commands) - 1} more that waited were dropped"
        self.notify(printable(text), severity="error", markup=False)
        if isinstance(error, imd.StorageError) and not self.changes.is_shared:
            del commands[0]  # The store has it, and writes it later.
        for command in reversed(commands):
            if command.retry is not None:
                command.retry()

    # ---- Cards -----------------------------------------------------------------------------------

    def action_add(self) -> None:
        card, column = self.board.card, self.board.column
        next = column.cards.index(card) + 1 if card is not None else len(column.cards)
        before = column.cards[next].id if next < len(column.cards) else None

        def add(texts: Texts) -> Change:
            payload = {"id": new_id(), "column": column.id, "before": before, **texts._asdict()}
            return self.changes.change("added", payload)

        self._ask(f"New card in {printable(column.title)}", Texts(""), True, add)

    @on(BoardView.Opened)
    def action_edit(self) -> None:
        card = self.board.card
        if card is None:
            return
        id, old = card.id, Texts(printable(card.title), card.notes)

        def edit(texts: Texts) -> Change:
            return self.changes.edit(id, old, texts)

        self._ask("Edit the card", old, True, edit)

    def action_remove(self) -> None:
        card = self.board.card
        if card is not None:
            self._submit(self.changes.remove(card.id, card.title))

    @on(BoardView.Moved)
    def move(self, event: BoardView.Moved) -> None:
        self._submit(self.changes.move(event.card, event.columns, event.rows, self.board.text))

    @on(BoardView.Dropped)
    def drop(self, event: BoardView.Dropped) -> None:
        self._submit(self.changes.drop(event.drop.card, event.drop.place, event.board))

    # ---- Columns ---------------------------------------------------------------------------------

    def action_add_column(self) -> None:
        columns = self.board.total.columns
        next = self.board.selection.place.column + 1
        before = columns[next].id if next < len(columns) else None

        def add(texts: Texts) -> Change:
            payload = {"id": new_id(), "title": texts.title, "before": before}
            return self.changes.change("columnAdded", payload)

        self._ask("New column", Texts(""), False, add)

    def action_rename_column(self) -> None:
        column = self.board.column

        def rename(texts: Texts) -> Change:
            payload = {"id": column.id, "title": texts.title}
            return self.changes.change("columnRenamed", payload)

        self._ask("Rename the column", Texts(printable(column.title)), False, rename)

    def action_remove_column(self) -> None:
        self._submit(self.changes.change("columnRemoved", {"id": self.board.column.id}))

    # ---- The rest --------------------------------------------------------------------------------

    def _ask(
        self, heading: str, texts: Texts, has_notes: bool, change: Callable[[Texts], Change]
    ) -> None:
        """Asks for texts, and makes a change of them. Asks again if that is not accepted."""

        def submit(answer: Texts | None) -> None:
            if answer is not None:
                retry = partial(self._ask, heading, answer, has_notes, change)
                self._submit(change(answer), retry)

        self.app.push_screen(Editor(heading, texts, has_notes), submit)

    def _submit(self, change: Change, retry: Callable[[], None] | None = None) -> None:
        self.commands.submit(Command(change, retry))
        self._refresh_keys()

    def action_undo(self) -> None:
        self._submit(self.changes.undo)

    def action_redo(self) -> None:
        self._submit(self.changes.redo)

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
