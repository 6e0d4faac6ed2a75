"""A pipe stands in for the connection to the other machine."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import immutabledata as imd
import pytest
from recipes import Running

PAGE = "mirror.md"


def reduce(state: Any, action: Any) -> Any:
    return [*state, action["payload"]]


class Mirror(Running):
    """The program at the end of the pipe, and tail at its beginning."""

    def __init__(self, folder: Path) -> None:
        command = ["tail", "-n", "+1", "-F", folder / "tasks.imd"]
        self.tail = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        command = [sys.executable, "mirror.py", "copy.imd"]
        super().__init__(command, cwd=folder, stdin=self.tail.stdout)

    def __exit__(self, *error: object) -> None:
        self.tail.kill()
        self.tail.communicate()
        super().__exit__(*error)

    def wait_for(self, number: int) -> None:
        while (line := self.read()[0]) != str(number):
            assert line, "the mirror has ended"


@pytest.fixture
def origin(folder: Path) -> Iterator[imd.Store]:
    log = {"path": folder / "tasks.imd", "shared": True}
    with imd.Store(reduce, state=[], history=True, log=log) as store:
        yield store


def copy(folder: Path) -> imd.Store:
    log = {"path": folder / "copy.imd", "read_only": True}
    return imd.Store(reduce, state=[], history=True, log=log)


def test_the_copy_follows(folder: Path, origin: imd.Store) -> None:
    origin.dispatch("added", "milk")
    with Mirror(folder) as mirror:
        mirror.wait_for(1)
        with copy(folder) as follower:
            for title in ("tea", "bread"):
                origin.dispatch("added", title)
            origin.undo()
            mirror.wait_for(4)
            follower.refresh()
            assert follower.state == ["milk", "tea"]
            assert follower.select("@@history")["redo"] == 1


def test_a_new_connection(folder: Path, origin: imd.Store) -> None:
    """The old copy stays until the new one has as many commits."""
    for title in ("milk", "tea"):
        origin.dispatch("added", title)
    with Mirror(folder) as mirror:
        mirror.wait_for(2)
    before = os.stat(folder / "copy.imd").st_ino
    origin.dispatch("added", "bread")
    with copy(folder) as follower, Mirror(folder) as mirror:
        assert follower.state == ["milk", "tea"]
        assert mirror.read() == ["2"]
        mirror.wait_for(3)
        assert os.stat(folder / "copy.imd").st_ino != before
        follower.refresh()
        assert follower.state == ["milk", "tea", "bread"]


def test_compaction(folder: Path, origin: imd.Store) -> None:
    for number in range(100):
        origin.dispatch("added", number)
    with Mirror(folder) as mirror:
        mirror.wait_for(100)
        imd.log.compact(folder / "tasks.imd", reduce, keep={"entries": 10})
        origin.dispatch("added", 100)
        mirror.wait_for(101)
        assert imd.log.verify(folder / "copy.imd")["entries"] < 100
        with copy(folder) as follower:
            assert follower.state == list(range(101))
    for name in ("tasks.imd", "copy.imd"):
        assert imd.log.verify(folder / name)["last"] == 101


def test_a_connection_that_ends_in_a_line(folder: Path, origin: imd.Store) -> None:
    origin.dispatch("added", "milk")
    origin.dispatch("added", "tea")
    text = (folder / "tasks.imd").read_bytes()
    command = [sys.executable, "mirror.py", "copy.imd"]
    result = subprocess.run(command, cwd=folder, input=text[:-5], capture_output=True)
    assert (result.returncode, result.stderr) == (0, b"")
    with copy(folder) as follower:
        assert follower.state == ["milk"]
