"""Commands: what the user asks the store to do, in the order of the keys.

A dispatch to a shared log waits while another process writes, and up to ten seconds if that process
hangs. So commands run on a thread, one after the other, and the screen stays alive.
"""

from __future__ import annotations

import asyncio
from typing import Any, Callable, NamedTuple

import immutabledata as imd

SLOW = 0.2
"""After how many seconds a command is shown as one that waits."""


class Done(NamedTuple):
    """What a command has done."""

    selected: str | None = None
    """The id of the card or column to select."""
    notice: str = ""
    """What to tell the user."""


Change = Callable[[imd.Store[Any]], Done]
"""Called on a thread. It reads the state when its turn has come, after the changes before it."""


class Command(NamedTuple):
    change: Change
    retry: Callable[[], None] | None = None
    """Lets the user change what was typed, if it was not accepted."""


class Commands:
    """A queue of commands."""

    def __init__(
        self,
        store: imd.Store[Any],
        done: Callable[[Done], None],
        failed: Callable[[imd.Error, list[Command]], None],
        waiting: Callable[[int], None],
    ) -> None:
        """done or failed is called after a command; waiting with how many wait, or 0.

        failed gets the command, and those that were dropped with it: if it could not reach the
        file, those behind it would wait as long, and may have been meant for its outcome.
        """
        self._store = store
        self._done, self._failed, self._waiting = done, failed, waiting
        self._queue: asyncio.Queue[Command] = asyncio.Queue()
        self.unfinished = 0
        """How many commands have not ended."""
        self._is_slow = False

    def submit(self, command: Command) -> None:
        self.unfinished += 1
        self._queue.put_nowait(command)
        if self._is_slow:
            self._waiting(self.unfinished)

    async def join(self) -> None:
        """Waits until all commands so far have ended."""
        await self._queue.join()

    async def run(self) -> None:
        """Runs the commands until it is cancelled. One that has begun then ends on its thread."""
        while True:
            command = await self._queue.get()
            call = asyncio.ensure_future(asyncio.to_thread(self._perform, command))
            await asyncio.wait([call], timeout=SLOW)
            if not call.done():
                self._is_slow = True
                self._waiting(self.unfinished)
                await asyncio.wait([call])
            self._end(command, call)

    def _perform(self, command: Command) -> Done:
        if self._store.select("@@log")["problem"] is not None:
            self._store.sync()  # The disk was full, for example: writes what is missing.
        return command.change(self._store)

    def _end(self, command: Command, call: asyncio.Future[Done]) -> None:
        self._finish()
        error = call.exception()
        failed = [command]
        if isinstance(error, (imd.StorageError, imd.TimedOutError)):
            while not self._queue.empty():
                failed.append(self._queue.get_nowait())
                self._finish()
        if self._is_slow:
            self._is_slow = self.unfinished > 0
            self._waiting(self.unfinished)
        self._store.poll()
        if error is None:
            self._done(call.result())
        elif isinstance(error, imd.Error):
            self._failed(error, failed)
        else:
            raise error

    def _finish(self) -> None:
        self.unfinished -= 1
        self._queue.task_done()
