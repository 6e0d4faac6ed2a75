"""The site that `make docs` built, as its readers get it."""

from __future__ import annotations

import json
import re
import zlib
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[2]
BUILT = ROOT / ".build-docs"
SITE = BUILT / "site"


@cache
def text(page: str) -> str:
    return (SITE / page).read_text()


@cache
def described(language: str) -> frozenset[str]:
    """The names of a language ("c", "cpp" or "py") that a page describes, by Sphinx's inventory."""
    # Four lines of text, then a compressed line for each name: name, kind, priority, address, title.
    compressed = (SITE / "objects.inv").read_bytes().split(b"\n", 4)[4]
    lines = zlib.decompress(compressed).decode().splitlines()
    found = (re.fullmatch(rf"(.+?) {language}:\w+ -?\d+ (\S+) .*", line) for line in lines)
    return frozenset(match[1] for match in found if match and _exists(match[2], match[1]))


def _exists(address: str, name: str) -> bool:
    page, _, anchor = address.partition("#")
    return f'id="{anchor.replace("$", name)}"' in text(page)


def symbols(module: str) -> dict[str, str]:
    """The public symbols of a Swift module, as the compiler lists them: identifiers and names."""
    return {
        symbol["identifier"]["precise"]: ".".join(symbol["pathComponents"])
        for graph in (BUILT / "graphs" / module).glob("*.json")
        for symbol in json.loads(graph.read_text())["symbols"]
        if symbol["kind"]["identifier"] != "swift.extension"
    }


def swift_pages(module: str) -> dict[str, Path]:
    """The pages of a module's symbols, by DocC."""
    entities = json.loads((BUILT / f"docc/{module}.doccarchive/linkable-entities.json").read_text())
    return {
        entity["usr"]: SITE / f"swift{entity['path']}/index.html"
        for entity in entities
        if "usr" in entity
    }
