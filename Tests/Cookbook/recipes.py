"""The programs in docs/cookbook, and what runs them."""

import re
import subprocess
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parents[2] / "docs/cookbook"
PAGES = sorted(page for page in FOLDER.glob("*.md") if page.name != "README.md")
TIMEOUT = 30


def programs_of(page: Path) -> dict[str, str]:
    """The programs of a page by the names of their files, which their first lines say."""
    blocks = re.findall(r"^```(?:python|c)\n(.*?)^```", page.read_text(), re.M | re.S)
    return {re.match(r"(?:#|/\*) (\w+\.(?:py|c))", block)[1]: block for block in blocks}


class Running:
    """A program that runs, whose input and output are lines. A context manager that ends it."""

    def __init__(self, command: Sequence[object], **options: Any) -> None:
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True, "bufsize": 1}
        self.process = subprocess.Popen([*map(str, command)], **{**pipes, **options})
        self._timer = threading.Timer(TIMEOUT, self.process.kill)
        self._timer.start()

    def __enter__(self) -> "Running":
        return self

    def __exit__(self, *error: object) -> None:
        self.process.kill()
        self.process.communicate()
        self._timer.cancel()

    def write(self, *lines: str) -> None:
        self.process.stdin.write("".join(line + "\n" for line in lines))
        self.process.stdin.flush()

    def read(self, count: int = 1) -> list[str]:
        """The next lines of the output; empty ones if it has ended."""
        return [self.process.stdout.readline().rstrip("\n") for _ in range(count)]

    def end(self) -> str:
        """Ends the input, and returns the rest of the output of a program that ends well."""
        rest, _ = self.process.communicate()
        assert self.process.returncode == 0, rest
        return rest
