"""Doxygen's markup for the blocks of a comment."""

from __future__ import annotations

import html
import re
from collections.abc import Iterable

from prose import Block, Bullets, Code, Paragraph, parse

NAME = re.compile(r"(?<!\")\b(?:imd|IMD)_\w*\w\b(?!\*)")
FAILURE = re.compile(r"(?:^|(?<=[.;] ))(?=IMD_[A-Z_]+(?:, IMD_[A-Z_]+)*: )")
FILE = re.compile(r"(\bimmutabledata\w*\.h)")
EMPHASIS = re.compile(r"(?<![\w*])\*(?=\w)([^*]{1,60}?)(?<=\w)\*(?!\w)")


class Markup:
    """Writes comments for Doxygen, with links to names."""

    def __init__(self, code: str) -> None:
        """The names with the library's prefix in the code become links."""
        self.names = set(NAME.findall(code))

    def blocks(self, text: str, declaration: str) -> str:
        """A comment; "name: …" in it describes a parameter of the declaration."""
        parameters = set(re.findall(r"\w+", declaration)) - self.names
        blocks = parse(text, lambda term: parameters.issuperset(term.split(", ")))
        return "\n".join(self._block(block) for block in blocks)

    def inline(self, text: str) -> str:
        """Text without blocks."""
        text = EMPHASIS.sub(r"<em>\1</em>", _escape(text.strip()))
        text = FILE.sub(r"%\1", text)  # Without a link to the file itself.
        return NAME.sub(lambda name: f"#{name[0]}" if name[0] in self.names else name[0], text)

    def _block(self, block: Block) -> str:
        if isinstance(block, Paragraph):
            return self._paragraph(block.text)
        if isinstance(block, Code):
            return f"@verbatim\n{block.text}\n@endverbatim\n"
        if isinstance(block, Bullets):
            items = "".join(f"<li>{self.inline(item)}</li>" for item in block.items)
            return f"<ul>{items}</ul>\n"
        return _table((self._term(term), map(self._block, texts)) for term, texts in block.items)

    def _paragraph(self, text: str) -> str:
        """A paragraph, in which "IMD_LIMIT: …" says when a call fails: these become a list."""
        first, *failures = FAILURE.split(text) if FAILURE.search(text) else [text]
        lead = f"<p>{self.inline(first)}</p>\n" if first.strip() else ""
        if not failures:
            return f"<p><strong>{first}</strong></p>\n" if first.isalpha() else lead
        pairs = (failure.split(": ", 1) for failure in failures)
        return lead + _table((self.inline(name), [self.inline(text)]) for name, text in pairs)

    def _term(self, term: str) -> str:
        """Code, or a heading such as "Threads"."""
        is_heading = term.replace(" ", "").isalnum() and term[0].isupper()
        return term if is_heading else f"<code>{_escape(term)}</code>"


def _table(rows: Iterable[tuple[str, Iterable[str]]]) -> str:
    cells = (f"<tr><td>{term}</td><td>{''.join(texts)}</td></tr>" for term, texts in rows)
    return f"<table>{''.join(cells)}</table>\n"


def _escape(text: str) -> str:
    return re.sub(r"([\\@#%]|--)", r"\\\1", html.escape(text, quote=False))
