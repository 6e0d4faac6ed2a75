"""What the user can do with the store."""

from __future__ import annotations

import secrets
from typing import Any

import immutabledata as imd

from .board import Board, Place
from .commands import Change, Done
from .texts import Texts
from .words import words_of

Payload = dict[str, Any]


def new_id() -> str:
    """An id that no other program makes."""
    return secrets.token_hex(8)


class Changes:
    """Makes changes. Their actions name the author, so that everyone sees who did what."""

    def __init__(self, author: str, is_shared: bool) -> None:
        self.author = author
        self.is_shared = is_shared

    def change(self, name: str, payload: Payload) -> Change:
        """Dispatches an action, and selects its card or column; also when that is undone."""

        def run(store: imd.Store[Any]) -> Done:
            meta = {"author": self.author, "about": payload["id"]}
            store.dispatch(f"board/{name}", payload, meta=meta)
            return Done(payload["id"])

        return run

    def edit(self, card_id: str, old: Texts, new: Texts) -> Change:
        """Changes the texts that differ, so that those that another writer has changed stay."""
        texts = {name: text for name, text in new._asdict().items() if text != getattr(old, name)}

        def run(store: imd.Store[Any]) -> Done:
            return self.change("edited", {"id": card_id, **texts})(store) if texts else Done()

        return run

    def remove(self, card_id: str, title: str) -> Change:
        def run(store: imd.Store[Any]) -> Done:
            self.change("removed", {"id": card_id})(store)
            return Done(notice=f'Deleted "{title}". Press u to undo.')

        return run

    def move(self, card_id: str, columns: int, rows: int, text: str) -> Change:
        """Moves a card by columns and rows, from where it is when its turn comes.

        text: what the user searches for: the rows are those of the cards that contain it.
        """

        def run(store: imd.Store[Any]) -> Done:
            shown = Board.of(store.state.to_python()).containing(text)
            return self._move(store, shown.moved_by(card_id, columns, rows))

        return run

    def drop(self, card_id: str, to: Place, shown: Board) -> Change:
        """Moves a card to a place on the board that the user saw."""

        def run(store: imd.Store[Any]) -> Done:
            return self._move(store, shown.moved_to(card_id, to))

        return run

    def _move(self, store: imd.Store[Any], payload: Payload | None) -> Done:
        if payload is None:
            return Done()
        return self.change("moved", payload)(store)

    # ---- Undo ------------------------------------------------------------------------------------

    def undo(self, store: imd.Store[Any]) -> Done:
        return self._jump(store, "undo")

    def redo(self, store: imd.Store[Any]) -> Done:
        return self._jump(store, "redo")

    def _jump(self, store: imd.Store[Any], kind: str) -> Done:
        """Undoes or redoes a step. The newest one of a shared log may be that of somebody else."""
        store.refresh()
        history = store.select("@@history")
        if not history[kind]:
            return Done(notice=f"There is nothing to {kind}.")
        action = {"type": history[f"{kind}Type"], "meta": history[f"{kind}Meta"]}
        author = author_of(action)
        words = words_of(action["type"])
        if self.is_shared and author != self.author:
            who = author or "another program"
            reason = f"{who} {words} last; only who has made a change can {kind} it"
            raise imd.InvalidArgumentError(reason)
        getattr(store, kind)()
        return Done(_meta(action, "about"), f"{'Undone' if kind == 'undo' else 'Redone'}: {words}.")


def author_of(action: Any) -> str:
    """Who dispatched an action; empty if it does not say so."""
    return _meta(action, "author")


def _meta(action: Any, name: str) -> str:
    # Other programs dispatch, too, and may put anything there.
    meta = action.get("meta")
    found = meta.get(name) if isinstance(meta, imd.ObjectValue) else None
    return found if isinstance(found, str) else ""
