"""The plain style of the comments in headers and of Python docstrings, as blocks.

Comments and docstrings are written to be read in the source, without markup:

    A paragraph.

    name: a term, and what it means
        "option"  a row of a table: a term, a gap, and a text that may take
                  several lines

    Raises LimitError: a term of Python.

        - an item of a list

        code, which is any other indented text
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Callable, Union


@dataclass
class Paragraph:
    text: str


@dataclass
class Code:
    text: str


@dataclass
class Bullets:
    items: list[str]


@dataclass
class Terms:
    """Parameters, or exceptions of Python: "Raises LimitError"."""

    items: list[tuple[str, list[Block]]]


class Rows(Terms):
    """A table."""


Block = Union[Paragraph, Code, Bullets, Terms]

TERM = re.compile(r"((?:Raises )?[\w.]+(?:, [\w.]+)*): (?=\S)")
ROW = re.compile(r"( *)(\S.*?)( {2,})(?=\S)")


def parse(text: str, is_term: Callable[[str], bool]) -> list[Block]:
    """Splits a text into blocks. A name at the start of a line is a term if is_term says so."""
    return _Parser(text.splitlines(), is_term).blocks()


class _Parser:
    def __init__(self, lines: list[str], is_term: Callable[[str], bool]) -> None:
        self.lines = [line.rstrip() for line in lines]
        self.is_term = is_term
        self.at = 0

    def blocks(self) -> list[Block]:
        found: list[Block] = []
        while self.at < len(self.lines):
            line = self.lines[self.at]
            if not line:
                self.at += 1
            elif self._term(line):
                found.append(self._terms())
            elif _indent(line) or ROW.match(line):
                found.append(self._indented())
            else:
                found.append(Paragraph(self._flow()))
        return found

    def _term(self, line: str) -> str | None:
        match = TERM.match(line)
        return match[1] if match and self.is_term(match[1]) else None

    def _flow(self) -> str:
        """The lines of a paragraph."""
        begin = self.at
        while self.at < len(self.lines):
            line = self.lines[self.at]
            if not line or self.at > begin and self._begins(line):
                break
            self.at += 1
        return " ".join(line.strip() for line in self.lines[begin : self.at])

    def _begins(self, line: str) -> bool:
        """Whether a line below a paragraph is not a part of it."""
        is_other = _indent(line) or self._term(line) or ROW.match(line)
        return bool(is_other) or line.startswith("Raises ")

    def _terms(self) -> Terms:
        """Terms without a blank line between them, each with the block below it."""
        items: list[tuple[str, list[Block]]] = []
        while self.at < len(self.lines) and (term := self._term(self.lines[self.at])):
            text = self._flow()[len(term) + 2 :]
            while (rest := self._continuation(text)) is not None:
                text += " " + rest
            content: list[Block] = [Paragraph(text)]
            if text.endswith(":") and self.at < len(self.lines) and _indent(self.lines[self.at]):
                content.append(self._indented())
            items.append((term, content))
        return Terms(items)

    def _continuation(self, text: str) -> str | None:
        """The next line, if it continues a term: indented, below a text without a final ":"."""
        if self.at == len(self.lines) or text.endswith(":"):
            return None
        line = self.lines[self.at]
        if not _indent(line):
            return None
        self.at += 1
        return line.strip()

    def _indented(self) -> Block:
        """A table, a list or code."""
        indent = _indent(self.lines[self.at])
        is_rows = bool(ROW.match(self.lines[self.at]))
        begin = self.at
        while self.at < len(self.lines):
            line = self.lines[self.at]
            if _indent(line) < indent if line else is_rows:
                break
            if is_rows and not indent and not _indent(line) and not ROW.match(line):
                break
            self.at += 1
        lines = [line[indent:] for line in self.lines[begin : self.at]]
        while not lines[-1]:
            lines.pop()
        if is_rows:
            return Rows([(term, [Paragraph(text)]) for term, text in _rows(lines)])
        if lines[0].startswith("- "):
            return Bullets([item.lstrip("- ") for item in _hanging(lines)])
        if re.match(r"\w+(, \w+)*: \S", lines[0]):
            pairs = (item.split(": ", 1) for item in _hanging(lines))
            return Rows([(term, [Paragraph(text)]) for term, text in pairs])
        return Code("\n".join(lines))


def _rows(lines: list[str]) -> list[tuple[str, str]]:
    rows = []
    for item in _hanging(lines):
        match = ROW.match(item)
        assert match, item
        rows.append((match[2], item[match.end() :]))
    return rows


def _hanging(lines: list[str]) -> list[str]:
    """Items that begin at the margin and continue on indented lines."""
    items: list[str] = []
    for line in lines:
        if line.startswith(" "):
            items[-1] += " " + line.strip()
        else:
            items.append(line)
    return items


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip(" "))
