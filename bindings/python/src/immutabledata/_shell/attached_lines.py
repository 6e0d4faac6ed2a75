"""The lines that imd attach executes, which end with the program."""

from __future__ import annotations

import importlib.util
import os
import select
import sys
from collections.abc import Iterator
from typing import Any, Callable

from .._inspector.failures import GoneError
from .failure import CommandError

_LONGEST_LINE = 1 << 20


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
        prompt = self._prompting
        if prompt is not None and prompt.app.loop is not None:
            prompt.app.loop.call_soon_threadsafe(self._leave, prompt)

    def _leave(self, prompt: Any) -> None:
        if prompt.app.is_running:
            prompt.app.exit(exception=EOFError)

    def read(self, given: list[str] | None, prompt: Callable[[], str]) -> Iterator[str]:
        """The lines that are given, or those of standard input; a terminal shows a prompt.

        Raises GoneError: the program has ended.
        """
        if given is not None:
            yield from given
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

    def _wait(self, source: int | None) -> None:
        """Waits until a descriptor has something. Raises GoneError: the program has ended."""
        poll = select.poll()
        poll.register(self._wakes, select.POLLIN)
        if source is not None:
            poll.register(source, select.POLLIN)
        poll.register(sys.stdout.fileno(), 0)  # Errors are reported all the same.
        ready = {descriptor for descriptor, _ in poll.poll()}
        self._require_program()
        if source is None or source not in ready:
            raise BrokenPipeError

    def _plain(self, prompt: Callable[[], str] | None) -> Iterator[str]:
        source = sys.stdin.fileno()
        rest = b""
        while True:
            if prompt is not None:
                sys.stdout.write(prompt())
                sys.stdout.flush()
            while b"\n" not in rest:
                self._wait(source)
                part = os.read(source, 1 << 16)
                if not part:
                    if rest:
                        yield rest.decode(errors="replace")
                    return
                rest += part
                if len(rest) > _LONGEST_LINE:
                    raise CommandError("a line has at most 1 MiB")
            line, _, rest = rest.partition(b"\n")
            yield line.decode(errors="replace")

    def _prompted(self, prompt: Callable[[], str]) -> Iterator[str]:
        from prompt_toolkit import PromptSession
        from prompt_toolkit.patch_stdout import patch_stdout

        self._prompting = PromptSession[str]()
        while True:
            self._require_program()
            try:
                with patch_stdout(raw=True):  # What happens meanwhile appears above the prompt.
                    line = self._prompting.prompt(prompt())
            except KeyboardInterrupt:
                continue
            except EOFError:
                self._require_program()
                return
            yield line
