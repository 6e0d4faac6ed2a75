"""Writes the pages of the C and C++ reference: a page for each section of a header of C, and for
each header of C++.

    c_reference.py XML FOLDER

XML is Doxygen's output. The pages consist of directives of Breathe.
"""

from __future__ import annotations

import math
import re
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path

from doxygen import CLASSES, Declarations, line

DIRECTIVES = {
    "class": "doxygenclass",
    "define": "doxygendefine",
    "enum": "doxygenenum",
    "function": "doxygenfunction",
    "struct": "doxygenstruct",
    "typedef": "doxygentypedef",
    "variable": "doxygenvariable",
}

# The headers of C, each with its folder in the reference.
HEADERS = {
    "immutabledata.h": "c",
    "immutabledata_log.h": "c/log",
    "immutabledata_jansson.h": "c/jansson",
}


def write_c(declarations: Declarations, header: str, folder: Path) -> None:
    """Writes the pages of a header of C: its own text, and a page for each of its sections."""
    prefix = re.sub(r"\W+", "_", header) + "_"
    sections = [
        (declarations.of(group), group)
        for group in declarations.groups
        if group.findtext("compoundname", "").startswith(prefix)
    ]
    text = _heading(header) + _description(header)
    if not sections:
        members = declarations.of(declarations.headers[header])
        _write(folder / "index.rst", text + _directives(members))
        return
    pages = []
    for members, group in sorted(sections, key=lambda section: _begin(section[0])):
        title = group.findtext("title", "")
        pages.append(re.sub(r"\W+", "-", title.lower()))
        section = _heading(title) + _section_description(group) + _directives(members)
        _write(folder / f"{pages[-1]}.rst", section)
    _write(folder / "index.rst", text + _contents(pages))


def write_cpp(declarations: Declarations, folder: Path) -> None:
    """Writes the pages of the C++ headers, in the order in which immutabledata.hpp has them."""
    header = "immutabledata.hpp"
    pages = []
    for include in declarations.headers[header].iterfind("includes"):
        members = declarations.of(declarations.by_id[include.get("refid", "")])
        path = include.text or ""
        pages.append(Path(path).stem)
        text = _heading(Path(path).name) + _description(path) + _directives(members)
        _write(folder / f"{pages[-1]}.rst", text)
    _write(folder / "index.rst", _heading(header) + _description(header) + _contents(pages))


def _begin(members: list[ElementTree.Element]) -> float:
    """The line of the first declaration. A section that only explains something comes last."""
    return line(members[0]) if members else math.inf


def _heading(title: str) -> str:
    return f"{title}\n{'=' * len(title)}\n\n"


def _description(header: str) -> str:
    return f".. doxygenfile:: {Path(header).name}\n   :sections: detaileddescription\n\n"


def _section_description(group: ElementTree.Element) -> str:
    if not "".join(group.find("detaileddescription").itertext()).strip():
        return ""
    directive = f"   .. doxygengroup:: {group.findtext('compoundname')}\n      :desc-only:\n"
    return f".. container:: section-description\n\n{directive}\n"


def _directives(members: list[ElementTree.Element]) -> str:
    return "".join(
        f".. {DIRECTIVES[member.get('kind', '')]}:: {_name(member)}\n{_options(member)}\n"
        for member in members
    )


def _options(member: ElementTree.Element) -> str:
    return "   :members:\n   :undoc-members:\n" if member.get("kind") in CLASSES else ""


def _contents(pages: list[str]) -> str:
    return ".. toctree::\n   :maxdepth: 1\n\n" + "".join(f"   {page}\n" for page in pages)


def _name(member: ElementTree.Element) -> str:
    """The name that Breathe finds a declaration by; in C++, functions may be overloaded."""
    if name := member.findtext("compoundname"):
        return name
    name = member.findtext("qualifiedname") or member.findtext("name", "")
    is_overloadable = "::" in name and member.get("kind") == "function"
    return name + member.findtext("argsstring", "") if is_overloadable else name


def _write(page: Path, text: str) -> None:
    page.parent.mkdir(parents=True, exist_ok=True)
    page.write_text(text)


if __name__ == "__main__":
    declarations = Declarations(Path(sys.argv[1]))
    declarations.sort_members()
    pages = Path(sys.argv[2])
    for header, folder in HEADERS.items():
        write_c(declarations, header, pages / folder)
    write_cpp(declarations, pages / "cpp")
