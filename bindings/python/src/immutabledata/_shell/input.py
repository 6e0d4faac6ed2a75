"""Lines of standard input, as many as are there at a time."""

from __future__ import annotations

import sys
from codecs import BOM_UTF8
from collections.abc import Iterator
from typing import Any, Callable

from .failure import CommandError
from .output import size_text

# How many bytes are read at a time, if so many are there.
_PART = 1 << 16

# A longer line, such as that of /dev/zero, is not read: it would take ten times its length.
_MAX_LENGTH = 1 << 28


def numbered_lines(
    waits: Callable[[], object] = lambda: None,
) -> Iterator[list[tuple[int, bytes]]]:
    """The lines that are not empty, with their numbers.

    waits: called before each part is read.

    Raises CommandError: a line is too long.
    """
    source: Any = sys.stdin.buffer
    number, length = 0, 0
    rest: list[bytes] = []  # Joined once: a line may be longer than many parts.
    while part := _read(source, waits):
        first, *lines = part.split(b"\n")
        rest.append(first)
        length += len(first)
        if length > _MAX_LENGTH:
            raise CommandError(f"line {number + 1:,} is longer than {size_text(_MAX_LENGTH)}")
        if lines:
            lines = [b"".join(rest), *lines]
            if not number:
                lines[0] = lines[0].removeprefix(BOM_UTF8)
            rest = [lines.pop()]
            length = len(rest[0])
            numbered = enumerate(lines, number + 1)
            yield [(place, line) for place, line in numbered if line and not line.isspace()]
            number += len(lines)
    last = b"".join(rest)
    if not number:
        last = last.removeprefix(BOM_UTF8)
    if last.strip():
        yield [(number + 1, last)]


def _read(source: Any, waits: Callable[[], object]) -> bytes:
    waits()
    part: bytes = source.read1(_PART)
    return part
