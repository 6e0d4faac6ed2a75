"""The status line: what waits, what is not saved, and what others have done."""

from __future__ import annotations

from typing import Any

from immutabledata_terminal import StatusLine, printable

from .changes import author_of
from .words import news_of


class BoardStatusLine(StatusLine):
    def __init__(self, author: str, is_shared: bool) -> None:
        super().__init__()
        self._author = author
        self._where = f"Shared; you are {printable(author)}" if is_shared else "Saved as you go"
        self._waiting = 0
        self._problem = ""
        self._connection: str | None = None
        self._news = ""

    def on_mount(self) -> None:
        self.observe("@@log", self.show_log)
        self._listener = self.store.listener("board/*")(self.show_news)

    def on_unmount(self) -> None:
        super().on_unmount()
        self._listener.cancel()

    def show_waiting(self, count: int) -> None:
        """Shows how many commands wait for another program."""
        self._waiting = count
        self.show_message()

    def show_log(self, log: Any) -> None:
        self._problem = printable(log["problem"] or "")
        self._connection = log.get("connection")
        self.show_message()

    async def show_news(self, action: Any, old: Any, new: Any) -> None:
        """Shows an action of another author."""
        author = author_of(action)
        if author != self._author and old != new:
            who = author or "Another program"
            self._news = printable(f"{who} {news_of(action, old, new)}")
            self.show_message()

    def message(self) -> tuple[str, str]:
        if self._waiting:
            changes = "1 change waits" if self._waiting == 1 else f"{self._waiting} changes wait"
            cause = "the server" if self._connection else "another program that has the board locked"
            return "waiting", f"{changes} for {cause}…"
        if self._connection == "waiting":
            return "failure", f"No connection to the server: {self._problem}"
        if self._connection in ("diverged", "update needed"):
            return "failure", f"Changes are not possible any more: {self._problem}"
        if self._problem:
            return "failure", f"Not saved, the next change tries again: {self._problem}"
        return "ready", f"{self._news} · {self._where}" if self._news else self._where
