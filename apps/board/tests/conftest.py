import contextlib
import sys
from functools import partial
from pathlib import Path

import pytest
from immutabledata_terminal.testing import User, pytest_pyfunc_call  # noqa: F401

from immutabledata_board.app import BoardApp
from immutabledata_board.changes import Changes
from immutabledata_board.store import open_store

PROGRAM = Path(sys.executable).with_name("immutabledata-board")
IMD = Path(sys.executable).with_name("imd")

CARDS = {"todo": ["Oak", "Elm", "Yew"], "doing": ["Ash"], "done": []}
"""The titles of the cards, which are also their ids, by column."""


def fill(store):
    for column, titles in CARDS.items():
        for title in titles:
            add(store, title, column)


def add(store, id, column="todo", author="ann", **members):
    payload = {"id": id, "column": column, "title": id, **members}
    store.dispatch("board/added", payload, meta={"author": author})


def columns_of(store):
    """The ids of the cards by column."""
    return {column["id"]: list(column["cards"]) for column in store.state["columns"]}


@pytest.fixture
def path(tmp_path):
    return tmp_path / "board.imd"


@pytest.fixture
def run(path):
    """Runs the application with the cards: async with run() as user."""

    @contextlib.asynccontextmanager
    async def run(size=(80, 24), shared=False, author="ann", fill=fill):
        name = author if shared else None
        if not path.exists():
            with open_store(path, name) as store:
                fill(store)
        app = BoardApp(partial(open_store, path, name), path.name, Changes(author, shared))
        async with app.run_test(size=size, notifications=True) as pilot:
            user = BoardUser(app, pilot)
            await user.until(lambda: app.browse.is_mounted and app.browse.board.total.columns)
            yield user

    return run


class BoardUser(User):
    """Uses the application, and looks at its parts."""

    @property
    def board(self):
        return self.app.browse.board

    @property
    def shown(self):
        """The ids of the cards on the screen, column by column."""
        return [[card.id for card in column.cards] for column in self.board.shown.columns]

    @property
    def selected(self):
        return self.board.selection.card

    @property
    def status(self):
        return str(self.app.browse.status.content)

    @property
    def last_toast(self):
        return self.toasts[-1][1] if self.toasts else None

    async def tap(self, *keys):
        """Presses keys one by one, and waits until their commands have ended."""
        for key in keys:
            await self.press(key)
            await self.app.browse.commands.join()
            await self.pilot.pause()

    def cell_of(self, text):
        """Where a text is on the screen."""
        for y, line in enumerate(self.screen):
            if text in line:
                return line.index(text), y
        raise AssertionError(f"{text!r} is not on this screen:\n" + "\n".join(self.screen))

    async def drag(self, text, to, end=True):
        """Drags a card, by the mouse, to a cell."""
        await self.pilot.mouse_down(offset=self.cell_of(text))
        await self.pilot.hover(offset=to)
        if end:
            await self.pilot.mouse_up(offset=to)
            await self.app.browse.commands.join()
            await self.pilot.pause()
