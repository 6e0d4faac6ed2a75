"""Standard output: JSON Lines for programs, text with colour for people."""

from __future__ import annotations

import io
import json
import os
import re
import select
import shutil
import sys
import textwrap
from collections.abc import Iterable, Sequence
from contextlib import suppress
from datetime import datetime
from typing import Any

import immutabledata as imd

_CODES = {"bold": "1", "dim": "2", "red": "31", "green": "32", "yellow": "33", "cyan": "36"}

# The tokens of JSON that have a colour.
_TOKEN = re.compile(r'("(?:[^"\\]|\\.)*")(\s*:)?|\b(true|false|null)\b|-?\d[\d.eE+-]*')

# A log may have been written by anybody. Some characters control a terminal, others the direction of
# the text after them.
_CONTROL = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]")


class Styled(str):
    """A text for a terminal that only its style controls, not what the text is of."""


class Output:
    """Where a command writes its results. What comes from a log or a file name reaches a terminal
    only escaped.
    """

    def __init__(self, as_json: bool = False) -> None:
        self._is_terminal = sys.stdout.isatty()
        self.is_json = as_json or not self._is_terminal
        """Whether JSON Lines are expected, instead of text for people."""
        self.has_colour = not self.is_json and has_colour(self._is_terminal)
        self.width = shutil.get_terminal_size().columns

    def line(self, *parts: str) -> None:
        """Writes a line. JSON stays JSON on a terminal: only its texts have such characters."""
        shown: Iterable[str] = parts
        if self._is_terminal:
            shown = (part if isinstance(part, Styled) else one_line(part) for part in parts)
        sys.stdout.write("".join(shown) + "\n")

    def paragraph(self, text: str, style: str = "") -> None:
        """Writes a text of several lines, see wrapped, for people."""
        for line in text.split("\n"):
            self.line(self.style(line, style) if style else line)

    def data(self, data: Any) -> None:
        """Writes plain data as a line of JSON."""
        self.line(to_line(data))

    def value(self, text: str) -> None:
        """Writes a value, which is JSON: a line of JSON, or indented for people."""
        for line in [text] if self.is_json else _indented(text).split("\n"):
            self.line(self.coloured(line))

    def table(
        self, titles: Sequence[str], rows: Iterable[Sequence[str]], right: Sequence[str] = ()
    ) -> None:
        """Writes a table for people; the columns with the titles in right are aligned there."""
        listed = [list(map(one_line, row)) for row in rows]
        widths = [max(map(len, column)) for column in zip(titles, *listed)]
        for number, row in enumerate([titles, *listed]):
            cells = [
                cell.rjust(width) if title in right else cell.ljust(width)
                for cell, width, title in zip(row, widths, titles)
            ]
            text = fold("  ".join(cells).rstrip(), self.width)
            self.line(text if number else self.style(text, "bold"))

    def style(self, text: str, style: str) -> str:
        """The text in a style, such as "dim"."""
        return Styled(f"\033[{_CODES[style]}m{one_line(text)}\033[0m") if self.has_colour else text

    def coloured(self, text: str) -> str:
        """JSON with colour."""
        if not self.has_colour:
            return text
        return Styled(_TOKEN.sub(self._coloured_token, one_line(text)))

    def _coloured_token(self, match: re.Match[str]) -> str:
        text, colon, constant = match.groups()
        if colon is not None:
            return self.style(text, "cyan") + colon
        if text is not None:
            return self.style(text, "green")
        return self.style(match[0], "dim" if constant == "null" else "yellow")

    def flush(self) -> None:
        """Hands everything over to the reader."""
        sys.stdout.flush()

    def wait(self, seconds: float) -> None:
        """Waits. Raises BrokenPipeError: the reader has ended, and nobody would notice more."""
        wait_for_input(None, seconds)


def wait_for_input(source: Any, seconds: float | None = None) -> None:
    """Waits until a file has something to read, or for some seconds.

    Raises BrokenPipeError: it has nothing, and the reader of the standard output has ended.
    """
    poll = select.poll()
    try:
        poll.register(sys.stdout, 0)  # Errors are reported all the same.
        if source is not None:
            poll.register(source, select.POLLIN)
    except io.UnsupportedOperation:  # They are no files, as in tests.
        if source is not None:
            return
    ready = {file for file, _ in poll.poll(None if seconds is None else seconds * 1000)}
    if ready and (source is None or source.fileno() not in ready):
        raise BrokenPipeError


def write_utf8() -> None:
    """Lets pipes and files get UTF-8 in every locale; a terminal shows what its encoding has.

    A path may contain bytes that are no text: a lone surrogate is an escape in JSON.
    """
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            encoding = stream.encoding if stream.isatty() else "utf-8"
            stream.reconfigure(encoding=encoding, errors="backslashreplace")


def has_colour(is_terminal: bool) -> bool:
    """Whether colour is wanted; see no-color.org."""
    return is_terminal and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def to_line(data: Any) -> str:
    """Plain data as JSON without line breaks."""
    return json.dumps(data, ensure_ascii=False, separators=(",", ":"))


def json_of(value: Any) -> str:
    """A Value or a scalar as JSON."""
    return value.to_json() if isinstance(value, imd.Value) else to_line(value)


def printable(text: str) -> str:
    """A text without the characters that control a terminal, other than line breaks."""
    return _CONTROL.sub(lambda match: f"\\u{ord(match[0]):04x}", text)


def one_line(text: str) -> str:
    """A text for a terminal in one line, whatever a log or the name of a file has in it."""
    return printable(text).replace("\n", "\\u000a")


def report(message: str) -> None:
    """Prints a message for people on standard error, if that can be written."""
    with suppress(OSError):
        print(f"imd: {printable(message)}", file=sys.stderr, flush=True)


def fold(text: str, width: int) -> str:
    """A text for people, no longer than a width; a long one ends with "…"."""
    text = one_line(text)
    return text if len(text) <= width else text[: max(width - 1, 0)] + "…"


def wrapped(text: str, width: int, indent: str = "", more: str = "") -> str:
    """A text for people in lines that are no longer than a width, unless a word is.

    indent: what each line begins with; more: what all but the first have after it.
    """
    lines = textwrap.wrap(
        text,
        width,
        initial_indent=indent,
        subsequent_indent=indent + more,
        break_long_words=False,
        break_on_hyphens=False,
    )
    return "\n".join(lines)


def time_text(milliseconds: int, precision: str = "seconds") -> str:
    """A time since 1970 for people; the number itself if no calendar has it."""
    try:
        return datetime.fromtimestamp(milliseconds / 1000).isoformat(" ", precision)
    except (OSError, OverflowError, ValueError):
        return f"{milliseconds} ms"


def size_text(count: int) -> str:
    """A number of bytes for people, such as 1.5 MB."""
    size, units = float(count), ["B", "KB", "MB", "GB", "TB"]
    while size >= 1000 and len(units) > 1:
        size, units = size / 1000, units[1:]
    return f"{count} B" if units[0] == "B" else f"{size:.1f} {units[0]}"


def _indented(text: str) -> str:
    try:
        return json.dumps(json.loads(text), ensure_ascii=False, indent=2)
    except (RecursionError, ValueError):  # It nests too deep, or has a number with many digits.
        return text
