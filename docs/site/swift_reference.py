"""Writes a page that lists the Swift modules and their types, so that the site's search finds them.

    swift_reference.py FOLDER PAGE MODULE ...

FOLDER has the symbols of each module in graphs, and an archive of DocC in docc. The entries link to
DocC's pages.
"""

from __future__ import annotations

import itertools
import json
import sys
from pathlib import Path

INTRODUCTION = """\
# Swift

The modules of the package, each with its types and functions. The links lead to pages of DocC,
whose viewer needs a web server, such as `python3 -m http.server`.
"""


def section(folder: Path, module: str) -> str:
    """A module, and what it declares at the top level."""
    archive = folder / f"docc/{module}.doccarchive/linkable-entities.json"
    linkable = json.loads(archive.read_text())
    entities = [entity for entity in linkable if entity["path"].count("/") == 3]
    graph = json.loads((folder / f"graphs/{module}/{module}.symbols.json").read_text())
    summaries = {symbol["identifier"]["precise"]: summary(symbol) for symbol in graph["symbols"]}
    whole = link(f"/documentation/{module.lower()}", "The whole module")
    lines = [f"\n## {module}\n", f"{whole}\n"]
    for entity in sorted(entities, key=lambda entity: entity["path"]):
        if entity["title"].startswith("imd_"):  # A function of the C header.
            continue
        # Only a module that this one extends is not a symbol of this one.
        text = summaries.get(entity["usr"], "Extensions of this module.")
        lines.append(f"- {link(entity['path'], entity['title'])}: {text}")
    return "\n".join(lines) + "\n"


def summary(symbol: dict) -> str:
    """The first paragraph of a doc comment, which is Markdown."""
    lines = [line["text"] for line in symbol.get("docComment", {"lines": []})["lines"]]
    return " ".join(itertools.takewhile(bool, lines))


def link(path: str, text: str) -> str:
    return f'<a href="swift{path}/">{text}</a>'


if __name__ == "__main__":
    folder, page, *modules = sys.argv[1:]
    sections = (section(Path(folder), module) for module in modules)
    Path(page).write_text(INTRODUCTION + "".join(sections))
