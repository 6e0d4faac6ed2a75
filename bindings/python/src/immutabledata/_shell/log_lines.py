"""The lines of a log, read as they are; docs/log.md describes the format.

imd.log.entries checks what it reads, takes several times as long, and cannot go on at the end.
"""

from __future__ import annotations

import io
import json
import os
import re
from collections.abc import Iterator
from typing import NamedTuple

import immutabledata as imd

from .header import read_header

# What stands before the value, which is the data of the line.
_HEAD = re.compile(
    rb'\{"sum":"[0-9a-f]{8}","data":"[0-9a-f]{8}",(?:"number":(\d{1,19}),)?(?:"synced":\d+,)?'
    rb'(?:"time":(-?\d{1,19}),)?(?:"writer":(\d{1,19}),)?'
    rb'"(log|base|actions|jump|history|options|opened|closed)":'
)


class LogLine(NamedTuple):
    """A line of a log."""

    number: int
    """Of the last commit; 0 for the first line."""

    time: int
    """In milliseconds since 1970; a clock may have been wrong."""

    kind: str
    data: bytes
    """The value, as JSON."""

    path: str
    """That of the log."""

    writer: int
    """The number of the store that has written it; 0 if the log is not shared."""

    author: str
    """The name of that store; its number if it has none."""

    @property
    def is_entry(self) -> bool:
        """Whether the line is an entry; others say what the file is, or that it was closed."""
        return self.kind in ("actions", "jump", "history", "options", "opened")

    @property
    def is_redacted(self) -> bool:
        """Whether its value was removed."""
        return self.data == b'"redacted"'


class LogReader:
    """Reads the lines of a file; later also those that were added meanwhile."""

    def __init__(self, path: str) -> None:
        """Opens a file. Raises what read_header raises."""
        read_header(path)
        self._path = path
        self._file: io.BufferedReader = open(path, "rb")
        self._count = 0
        self._authors: dict[int, str] = {}
        self.number = 0
        """That of the last line that was read."""

    @property
    def is_replaced(self) -> bool:
        """Whether another file has the path now, as after compacting; or none."""
        try:
            now = os.stat(self._path)
        except FileNotFoundError:
            return True
        return not os.path.samestat(now, os.fstat(self._file.fileno()))

    def __enter__(self) -> LogReader:
        return self

    def __exit__(self, *exception: object) -> None:
        self._file.close()

    def lines(self) -> Iterator[LogLine]:
        """The lines that it has not read yet. An unfinished one at the end is left for later.

        Raises CorruptError: a line is none of a log.
        """
        for line in self._file:
            if not line.endswith(b"\n"):
                self._file.seek(-len(line), io.SEEK_CUR)
                return
            self._count += 1
            head = _HEAD.match(line)
            if head is None or not line.endswith(b"}\n"):
                raise imd.CorruptError(
                    f"line {self._count} of {self._path} is damaged; see imd verify {self._path}"
                )
            number, time, digits, kind = head.groups()
            self.number = int(number or 0)
            writer, data = int(digits or 0), line[head.end() : -2]
            if kind == b"opened":
                self._authors[writer] = json.loads(data).get("author", f"#{writer}")
            author = self._authors.get(writer, f"#{writer}")
            yield LogLine(
                self.number, int(time or 0), kind.decode(), data, self._path, writer, author
            )
