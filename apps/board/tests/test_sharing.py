"""One board of several writers."""

import contextlib
import fcntl
import os
import signal
import struct
import subprocess
import sys

import immutabledata as imd
import pytest
from conftest import add, columns_of

from immutabledata_board import reduce
from immutabledata_board.changes import Changes
from immutabledata_board.store import open_store

WRITER = """
import sys
from pathlib import Path
from immutabledata_board.store import open_store

store = open_store(Path(sys.argv[1]), "bob")
for line in sys.stdin:
    id = line.strip()
    store.dispatch("board/added", {"id": id, "column": "done", "title": id}, meta={"author": "bob"})
    print(id, flush=True)
"""


@pytest.fixture
def other(path):
    """A store of another author. The application must be running."""
    with contextlib.ExitStack() as stack:
        yield lambda: stack.enter_context(open_store(path, "bob"))


@pytest.fixture
def writer(path):
    """Another process. It adds cards whose ids it reads, and prints each when it is added."""
    with subprocess.Popen(
        [sys.executable, "-c", WRITER, path],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        yield process
        process.kill()


def tell(process, id):
    process.stdin.write(f"{id}\n")
    process.stdin.flush()
    assert process.stdout.readline() == f"{id}\n"


@contextlib.contextmanager
def locked(path):
    """Has the file locked, as a process that hangs in its turn does."""
    with open(f"{path}-lock", "r+b") as lock:
        whole = struct.pack("hhqqi", fcntl.F_WRLCK, os.SEEK_SET, 0, 1, 0)
        fcntl.fcntl(lock, 37, whole)  # F_OFD_SETLK
        yield


async def test_the_changes_of_another_process_appear(run, writer):
    async with run(shared=True) as user:
        tell(writer, "Fir")
        await user.until(lambda: user.shown[2] == ["Fir"])
        await user.until(lambda: user.status == "bob added a card, “Fir” · Shared; you are ann")
        await user.tap("L")
        tell(writer, "Box")
        await user.until(lambda: user.shown == [["Elm", "Yew"], ["Oak", "Ash"], ["Fir", "Box"]])


async def test_a_process_that_is_killed_loses_nothing(run, path, writer):
    async with run(shared=True) as user:
        for number in range(5):
            tell(writer, f"{number}")
        writer.send_signal(signal.SIGKILL)
        writer.wait()
        await user.tap("d")
        await user.until(lambda: user.shown[2] == ["0", "1", "2", "3", "4"])
    with open_store(path, "ann") as store:
        assert columns_of(store)["done"] == ["0", "1", "2", "3", "4"]
        assert columns_of(store)["todo"] == ["Elm", "Yew"]


async def test_the_selection_stays_on_its_card(run, other):
    async with run(shared=True) as user:
        await user.press("down")
        store = other()
        add(store, "Fir", before="Oak", author="bob")
        await user.until(lambda: len(user.shown[0]) == 4)
        assert user.selected == "Elm"
        store.dispatch("board/moved", {"id": "Elm", "column": "done"})
        await user.until(lambda: user.shown[2] == ["Elm"])
        assert user.selected == "Elm"
        store.dispatch("board/columnAdded", {"id": "x", "title": "X", "before": "todo"})
        await user.until(lambda: len(user.shown) == 4)
        assert (user.selected, user.board.column.id) == ("Elm", "done")
        store.dispatch("board/removed", {"id": "Elm"})
        await user.until(lambda: user.selected is None)
        assert user.board.column.id == "done"


async def test_what_another_has_removed_is_not_changed(run, other):
    async with run(shared=True) as user:
        await user.press("enter")
        await user.type(" tree")
        other().dispatch("board/removed", {"id": "Oak"})
        await user.tap("enter")
        assert user.last_toast == 'there is no card "Oak"'
        assert user.app.screen.title_input.value == "Oak tree"
        await user.press("escape")
        assert user.shown[0] == ["Elm", "Yew"]


async def test_only_the_own_change_is_undone(run, other):
    async with run(shared=True) as user:
        await user.tap("d")
        store = other()
        add(store, "Fir", "done", author="bob")
        await user.tap("u")
        assert user.last_toast == "bob added a card last; only who has made a change can undo it"
        store.dispatch("board/removed", {"id": "Fir"})
        await user.tap("u")
        assert user.last_toast == (
            "another program deleted a card last; only who has made a change can undo it"
        )
        assert user.shown == [["Elm", "Yew"], ["Ash"], []]
        await user.tap("L", "u", "U")
        assert user.shown == [["Yew"], ["Elm", "Ash"], []]


def test_an_undo_that_the_store_refuses(path):
    """A file in which edits are no steps: the undo would lose that of another store."""
    log = {"path": path, "shared": True}
    ann, bob = (imd.Store(reduce, history={"ignore": ["*/edited"]}, log=log) for _ in range(2))
    with ann, bob:
        changes = Changes("ann", is_shared=True)
        changes.change("added", {"id": "Ash", "column": "todo", "title": "Ash"})(ann)
        bob.dispatch("board/edited", {"id": "Ash", "title": "Rowan"})
        with pytest.raises(imd.InvalidArgumentError, match="another store that shares the log has"):
            changes.undo(ann)
        assert ann.state["cards"]["Ash"]["title"] == "Rowan"


async def test_a_locked_file_does_not_stop_the_screen(run, path):
    async with run(shared=True) as user:
        with locked(path):
            await user.press("L")
            await user.until(lambda: user.status.startswith("1 change waits for another program"))
            await user.press("j", "d", "r")
            assert user.top == "Editor"
            await user.press("escape", "l")
            assert user.status.startswith("2 changes wait")
            assert user.selected == "Ash"
            assert user.shown == [["Oak", "Elm", "Yew"], ["Ash"], []]
            await user.press("q")
        await user.until(lambda: not user.app.is_running)
    with open_store(path, "ann") as store:
        assert columns_of(store) == {"todo": ["Yew"], "doing": ["Oak", "Ash"], "done": []}


async def test_what_waits_can_be_undone(run, path):
    async with run(shared=True, fill=lambda store: None) as user:
        assert not user.keys["Undo"]
        with locked(path):
            await user.press("D")
            await user.until(lambda: user.status.startswith("1 change waits"))
            await user.press("u")
            assert user.status.startswith("2 changes wait")
        await user.until(lambda: user.last_toast == "Undone: deleted a column.")
        assert len(user.shown) == 3
        assert (user.keys["Undo"], user.keys["Redo"]) == (False, True)


async def test_two_screens(run):
    async with run(shared=True) as ann, run(shared=True, author="bob") as bob:
        await ann.tap("L")
        await bob.until(lambda: bob.shown == [["Elm", "Yew"], ["Oak", "Ash"], []])
        assert bob.selected == "Oak"
        await bob.tap("L")
        await ann.until(lambda: ann.shown == [["Elm", "Yew"], ["Ash"], ["Oak"]])
        assert ann.selected == "Oak"
        assert ann.status.startswith("bob moved a card")
        assert bob.status.startswith("ann moved a card")
