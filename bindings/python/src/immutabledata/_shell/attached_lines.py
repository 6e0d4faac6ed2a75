"""The lines that imd attach executes, which end with the program."""

from __future__ import annotations

import importlib.util
import io
import os
import select
import sys
from collections.abc import Iterator
from contextlib import suppress
from typing import Any, Callable

from .._inspector.failures import GoneError
from .input import numbered_lines


class Lines:
    """Reads lines, until somebody says that no more are wanted."""

    def __init__(self) -> None:
        self._reason: str | None = None
        self._wakes, self._woken = os.pipe()
        self._prompting: Any = None

    def close(self) -> None:
        for descriptor in (self._wakes, self._woken):
            os.close(descriptor)

    def end(self, reason: str) -> None:
        """Lets a read that waits raise GoneError. Any thread may call it."""
        self._reason = reason
        os.write(self._woken, b"\n")
        loop = None if self._prompting is None else self._prompting.app.loop
        if loop is not None:
            with suppress(RuntimeError):  # It has just ended.
                loop.call_soon_threadsafe(self._leave)

    def _leave(self) -> None:
        """Ends the prompt if the program has ended, also just before it began."""
        app = self._prompting.app
        if self._reason is not None and app.future is not None and not app.future.done():
            app.exit(exception=EOFError)

    def read(
        self, given: list[str] | None, prompt: Callable[[], str]
    ) -> Iterator[tuple[int, str]]:
        """The lines that are given, or those of standard input, with their numbers. A terminal
        shows a prompt.

        Raises GoneError: the program has ended.
        """
        if given is not None:
            yield from enumerate(given, 1)
        elif sys.stdin.isatty() and importlib.util.find_spec("prompt_toolkit"):
            yield from self._prompted(prompt)
        else:
            yield from self._plain(prompt if sys.stdin.isatty() else None)

    def wait_for_end(self) -> None:
        """Waits until the program ends, or the reader of standard output does."""
        self._wait(None)

    def _require_program(self) -> None:
        if self._reason is not None:
            raise GoneError(self._reason)

    def _wait(self, source: Any) -> None:
        """Waits until a file has something. Raises GoneError: the program has ended."""
        poll = select.poll()
        poll.register(self._wakes, select.POLLIN)
        try:
            poll.register(sys.stdout, 0)  # Errors are reported all the same.
            if source is not None:
                poll.register(source, select.POLLIN)
        except io.UnsupportedOperation:  # They are no files, as in tests.
            return
        ready = {descriptor for descriptor, _ in poll.poll()}
        self._require_program()
        if source is None or source.fileno() not in ready:
            raise BrokenPipeError

    def _plain(self, prompt: Callable[[], str] | None) -> Iterator[tuple[int, str]]:
        def wait() -> None:
            if prompt is not None:
                sys.stdout.write(prompt())
                sys.stdout.flush()
            self._wait(sys.stdin)

        for lines in numbered_lines(wait):
            for number, line in lines:
                yield number, line.decode(errors="replace")

    def _prompted(self, prompt: Callable[[], str]) -> Iterator[tuple[int, str]]:
        from prompt_toolkit import PromptSession
        from prompt_toolkit.patch_stdout import patch_stdout

        self._prompting = PromptSession[str]()
        while True:
            try:
                with patch_stdout(raw=True):  # What happens meanwhile appears above the prompt.
                    line = self._prompting.prompt(prompt(), pre_run=self._leave)
            except KeyboardInterrupt:
                continue
            except EOFError:
                self._require_program()
                return
            yield 0, line
