"""A real terminal, of tmux, without a window: keys go in, and the text on the screen comes out."""

import shlex
import subprocess
import time

DEADLINE = 30


class Terminal:
    """A program that runs in a terminal of its own. A context manager that ends both."""

    def __init__(self, folder, command, size=(100, 30)):
        self._socket = str(folder / "tmux")
        self._folder = folder
        self.start(command, size)

    def start(self, command, size=(100, 30)):
        width, height = map(str, size)
        # readline, which pytest imports, puts a size into the environment that would count instead.
        line = "exec env -u LINES -u COLUMNS LC_ALL=C.UTF-8 " + shlex.join(map(str, command))
        self._tmux("new-session", "-d", "-s", "0", "-x", width, "-y", height, line)

    def __enter__(self):
        return self

    def __exit__(self, *error):
        self._tmux("kill-server", check=False)

    def press(self, *keys):
        """Presses keys by their tmux names, such as Down, C-s and a."""
        self._tmux("send-keys", "--", *keys)

    def type(self, text):
        self._tmux("send-keys", "-l", "--", text)

    def resize(self, width, height):
        self._tmux("resize-window", "-x", str(width), "-y", str(height))

    @property
    def text(self):
        return self._tmux("capture-pane", "-p").stdout

    def wait_for(self, *texts, gone=()):
        """Waits until the screen has all these texts, and none of those that are to be gone."""
        end = time.monotonic() + DEADLINE
        while True:
            shown = self.text
            if all(text in shown for text in texts) and not any(text in shown for text in gone):
                return shown
            if time.monotonic() > end:
                raise AssertionError(f"expected {texts} without {gone} on this screen:\n{shown}")
            time.sleep(0.02)

    def wait_for_end(self):
        """Waits until the program has ended, which ends the terminal."""
        end = time.monotonic() + DEADLINE
        while self._tmux("has-session", check=False).returncode == 0:
            assert time.monotonic() < end, self.text
            time.sleep(0.02)

    def _tmux(self, *arguments, check=True):
        command = ["tmux", "-u", "-f", "/dev/null", "-S", self._socket, *arguments]
        return subprocess.run(command, capture_output=True, text=True, check=check)
