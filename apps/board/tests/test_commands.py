"""The queue of commands."""

import asyncio

import immutabledata as imd
import pytest

from immutabledata_board import commands
from immutabledata_board.commands import Command, Commands, Done


class Store:
    """What the queue needs of a store."""

    def __init__(self):
        self.problem = None
        self.synced = 0

    def select(self, name):
        return {"problem": self.problem}

    def sync(self):
        self.synced += 1
        self.problem = None

    def poll(self):
        pass


@pytest.fixture
def calls():
    return []


@pytest.fixture
def store():
    return Store()


async def perform(store, calls, *submitted):
    queue = Commands(
        store,
        lambda done: calls.append(done.notice),
        lambda error, commands: calls.append((str(error), len(commands))),
        lambda count: calls.append(count),
    )
    for change in submitted:
        queue.submit(Command(change))
    task = asyncio.create_task(queue.run())
    await queue.join()
    task.cancel()
    await asyncio.wait([task])


def fail(error):
    def run(store):
        raise error

    return run


def succeed(notice):
    return lambda store: Done(notice=notice)


async def test_a_rejected_action_does_not_stop_the_others(store, calls):
    await perform(store, calls, fail(imd.ReducerFailedError("no")), succeed("one"), succeed("two"))
    assert calls == [("no", 1), "one", "two"]


@pytest.mark.parametrize("error", [imd.TimedOutError("locked"), imd.StorageError("full")])
async def test_a_file_that_is_not_reached_drops_what_waits(store, calls, error):
    await perform(store, calls, succeed("one"), fail(error), succeed("two"), succeed("three"))
    assert calls == ["one", (str(error), 3)]


async def test_it_says_what_waits(store, calls, monkeypatch):
    monkeypatch.setattr(commands, "SLOW", 0)
    await perform(store, calls, succeed("one"), succeed("two"))
    assert calls == [2, 1, "one", 1, 0, "two"]


async def test_what_was_not_written_is_written_first(store, calls):
    store.problem = "no space left"
    await perform(store, calls, succeed("one"))
    assert (store.synced, calls) == (1, ["one"])
