"""A real terminal without a window, by tmux: keys go in, and the text on the screen comes out."""

from __future__ import annotations

import os
import select
import shlex
import subprocess
import time
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

TIMEOUT = 30


class Terminal:
    """A program in its own terminal. A context manager that ends both."""

    def __init__(
        self, folder: Path, command: Sequence[object], size: tuple[int, int] = (100, 30)
    ) -> None:
        self._folder = folder
        self._starts = 0
        self.start(command, size)

    def start(self, command: Sequence[object], size: tuple[int, int] = (100, 30)) -> None:
        # A server of tmux that is about to exit can still occupy its socket.
        self._starts += 1
        self._socket = str(self._folder / f"tmux-{self._starts}")
        width, height = map(str, size)
        # readline, which pytest imports, sets a size in the environment, which would win.
        line = "exec env -u LINES -u COLUMNS LC_ALL=C.UTF-8 " + shlex.join(map(str, command))
        self._tmux("new-session", "-d", "-s", "0", "-x", width, "-y", height, line)
        # All output of the program arrives here too, and the end of the file when it exits.
        output = f"{self._socket}-output"
        os.mkfifo(output)
        self._tmux("pipe-pane", "exec cat >" + shlex.quote(output))
        self._output = open(output, "rb", buffering=0)  # noqa: SIM115

    def __enter__(self) -> Terminal:
        return self

    def __exit__(self, *error: object) -> None:
        self._tmux("kill-server", check=False)
        self._output.close()

    def press(self, *keys: str) -> None:
        """Presses keys by their tmux names, such as Down, C-s and a."""
        self._tmux("send-keys", "--", *keys)

    def type(self, text: str) -> None:
        self._tmux("send-keys", "-l", "--", text)

    def resize(self, width: int, height: int) -> None:
        self._tmux("resize-window", "-x", str(width), "-y", str(height))

    @property
    def text(self) -> str:
        return self._tmux("capture-pane", "-p").stdout

    def wait_for(self, *texts: str, gone: Iterable[str] = ()) -> str:
        """Waits until the screen has all of texts and none of gone."""

        def is_shown(screen: str) -> bool:
            return all(text in screen for text in texts) and not any(text in screen for text in gone)

        return self.wait_until(is_shown, f"{texts} without {gone}")

    def wait_until(self, is_expected: Callable[[str], bool], expected: str) -> str:
        """Waits until the text of the screen is as expected, and returns it."""
        end = time.monotonic() + TIMEOUT
        while True:
            shown = self.text
            if is_expected(shown):
                return shown
            if not self._wait_for_output(end):
                raise AssertionError(f"expected {expected} on this screen:\n{shown}")

    def wait_for_end(self) -> None:
        """Waits until the program has exited, which ends the terminal."""
        end = time.monotonic() + TIMEOUT
        while self._wait_for_output(end):
            pass
        assert time.monotonic() < end, self.text
        self._output.close()

    def _wait_for_output(self, end: float) -> bool:
        """Waits for output of the program. Returns whether there is some before the time end."""
        timeout = max(end - time.monotonic(), 0)
        ready, _, _ = select.select([self._output], [], [], timeout)
        return bool(ready and self._output.read(1 << 20))

    def _tmux(self, *arguments: str, check: bool = True) -> subprocess.CompletedProcess[str]:
        command = ["tmux", "-u", "-f", "/dev/null", "-S", self._socket, *arguments]
        return subprocess.run(command, capture_output=True, text=True, check=check)
