"""A Sphinx extension: converts the plain docstrings of the package to reStructuredText."""

from __future__ import annotations

import inspect
import re
import textwrap

import immutabledata
from docutils import nodes
from prose import Block, Bullets, Code, Paragraph, Rows, parse
from sphinx.application import Sphinx

# Names that no sentence contains by accident link to their description.
NAMES = {name for name in immutabledata.__all__ if re.search(r"[a-z][A-Z]", name)}
LINK = re.compile(rf"\b(?:immutabledata\.\w+(?:\.\w+)?|(?:{'|'.join(sorted(NAMES))})\b(?![.\w]))")


def convert(
    app: Sphinx, what: str, name: str, item: object, options: object, lines: list[str]
) -> None:
    """A handler of autodoc-process-docstring: replaces the lines."""
    blocks = parse("\n".join(lines), lambda term: _is_term(term, item))
    lines[:] = "\n\n".join(map(_block, blocks)).split("\n")


def show_signature(
    app: Sphinx, what: str, name: str, item: type, options: object, signature: str, result: str
) -> tuple[str, str] | None:
    """A handler of autodoc-process-signature: hides constructors without a docstring."""
    if what == "class" and not getattr(vars(item).get("__init__"), "__doc__", None):
        return "", ""
    if not signature:
        return None
    plain = re.sub(r"TypeAliasForwardRef\('(\w+)'\)", r"\1", signature)
    return re.sub(r"\b_?ABSENT\b", "...", plain), result


def join_with_dashes(app: Sphinx, document: nodes.document) -> None:
    """A handler of doctree-read: Sphinx writes "--" between a parameter and its text."""
    for text in list(document.findall(nodes.Text)):
        if text == " -- ":
            text.parent.replace(text, nodes.Text(" – "))


def _is_term(term: str, item: object) -> bool:
    if term.startswith("Raises "):
        return True
    try:
        parameters = set(inspect.signature(item).parameters)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        return False
    return parameters.issuperset(term.split(", "))


def _block(block: Block) -> str:
    if isinstance(block, Paragraph):
        return _inline(block.text)
    if isinstance(block, Code):
        return "::\n\n" + textwrap.indent(block.text, "    ")
    if isinstance(block, Bullets):
        return "\n".join(f"- {_inline(item)}" for item in block.items)
    write = _row if isinstance(block, Rows) else _field
    return "\n".join(write(term, content) for term, content in block.items)


def _row(term: str, content: list[Block]) -> str:
    return f"``{term}``\n{_indented(content)}"


def _field(term: str, content: list[Block]) -> str:
    text = _indented(content)
    if term.startswith("Raises "):
        return "\n".join(f":raises {name}:\n{text}" for name in term[7:].split(", "))
    return "\n".join(f":param {name}:\n{text}" for name in term.split(", "))


def _indented(content: list[Block]) -> str:
    return textwrap.indent("\n\n".join(map(_block, content)), "    ")


def _inline(text: str) -> str:
    text = re.sub(r"([*`|\\])", r"\\\1", text)
    text = re.sub(r"(\w)_(?!\w)", r"\1\\_", text)
    return LINK.sub(lambda name: f":py:obj:`{name[0].removeprefix('immutabledata.')}`\\ ", text)


def setup(app: Sphinx) -> dict[str, bool]:
    app.connect("autodoc-process-docstring", convert)
    app.connect("autodoc-process-signature", show_signature)
    app.connect("doctree-read", join_with_dashes)
    return {"parallel_read_safe": True}
