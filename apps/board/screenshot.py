"""Draws the picture of the application: python screenshot.py FILE."""

import asyncio
import sys
import tempfile
from functools import partial
from pathlib import Path

from immutabledata_board.app import BoardApp
from immutabledata_board.changes import Changes
from immutabledata_board.store import open_store

SIZE = (100, 22)

CARDS = {
    "todo": [
        ("Pages for the C++ header", "One page a class; every example compiled"),
        ("A shorter first start", ""),
        ("Measure logs on ext4 and XFS", "fsync, and what a group of writers shares"),
        ("Packages for 64-bit ARM", ""),
    ],
    "doing": [
        ("Several programs, one state", "Review the page of the guide"),
        ("Kill writers in the middle of an entry", "20,000 actions, two processes"),
    ],
    "done": [
        ("Undo in a shared log", ""),
        ("The shell follows other writers", "imd shell --shared"),
        ("Notify observers within a millisecond", ""),
    ],
}


async def draw(folder: Path) -> str:
    """A shared board, to which a script has just added a card, as SVG."""
    changes = Changes("terminal 1", is_shared=True)
    path = folder / "board.imd"
    with open_store(path, "terminal 1") as store:
        for column, cards in CARDS.items():
            for title, notes in cards:
                payload = {"id": title, "column": column, "title": title, "notes": notes}
                store.dispatch("board/added", payload)
    app = BoardApp(partial(open_store, path, "terminal 1"), path.name, changes)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.pause()
        payload = {"id": "nightly", "column": "todo", "title": "Nightly build: 2 new warnings"}
        with open_store(path, "nightly build") as script:
            script.dispatch("board/added", payload, meta={"author": "nightly build"})
        await asyncio.to_thread(app.store.refresh)
        await pilot.pause()
        while "nightly build" not in str(app.browse.status.content):
            await pilot.pause()
        await pilot.press("right", "down")
        await pilot.pause()
        return app.export_screenshot()


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        Path(sys.argv[1]).write_text(asyncio.run(draw(Path(folder))), encoding="utf-8")
