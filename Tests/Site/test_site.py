"""The site describes every public item, and is complete: no link leads nowhere."""

from __future__ import annotations

import html
import inspect
import re
from collections.abc import Iterator
from types import ModuleType
from urllib.parse import unquote

import declarations
import immutabledata
import pytest
from built import ROOT, SITE, described, swift_pages, symbols, text
from immutabledata import testing

MODULES = re.findall(r'\.library\(name: "(\w+)", targets', (ROOT / "Package.swift").read_text())
PAGES = sorted(str(page.relative_to(SITE)) for page in SITE.rglob("*.html"))
SPHINX = [page for page in PAGES if not page.startswith("swift/")]


@pytest.mark.parametrize("header", ["immutabledata.h", "immutabledata_jansson.h"])
def test_c(header: str) -> None:
    names = declarations.of_c(header)
    assert names and names <= described("c"), names - described("c")


@pytest.mark.parametrize("header", ["immutabledata.h", "immutabledata_jansson.h"])
def test_comments(header: str) -> None:
    """The words of each line of a comment stand together on a page."""
    shown = words("".join(text(page) for page in PAGES if page.startswith("c/")))
    missing = [line for line in declarations.comments(header) if words(line) not in shown]
    assert not missing


def words(source: str) -> str:
    """The words of a text or of an HTML page."""
    joined = re.sub(r"</?(?:a|code|em|span|strong)\b[^>]*>", "", source)
    plain = html.unescape(re.sub(r"</?[a-z][^>]*>", " ", joined))
    return " ".join(["", *re.findall(r"\w+", plain), ""])


def test_cpp() -> None:
    names = declarations.of_cpp()
    assert len(names) > 100 and names <= described("cpp"), names - described("cpp")


PYTHON = [(immutabledata, name) for name in [*immutabledata.__all__, "open"]]
PYTHON += [(testing, name) for name in testing.__all__]


@pytest.mark.parametrize(("module", "name"), PYTHON)
def test_python(module: ModuleType, name: str) -> None:
    names = {f"{module.__name__}.{each}" for each in [name, *python_members(module, name)]}
    assert names <= described("py"), names - described("py")


def python_members(module: ModuleType, name: str) -> Iterator[str]:
    """The public functions and properties of a class: its own, and those of bases without a page."""
    item = getattr(module, name)
    for owner in inspect.getmro(item) if inspect.isclass(item) else ():
        is_shown_elsewhere = owner is not item and owner.__name__ in module.__all__
        if owner.__module__.startswith("immutabledata.") and not is_shown_elsewhere:
            for member, value in vars(owner).items():
                if not member.startswith("_") and (callable(value) or isinstance(value, property)):
                    yield f"{name}.{member}"


@pytest.mark.parametrize("module", MODULES)
def test_swift(module: str) -> None:
    found = symbols(module)
    pages = swift_pages(module)
    missing = [name for usr, name in found.items() if usr not in pages or not pages[usr].exists()]
    assert found and not missing


@pytest.mark.parametrize("page", SPHINX)
def test_links(page: str) -> None:
    """Every relative link leads to a file, and no script, style or picture is on another server."""
    for tag, address in re.findall(r'<(\w+)[^>]*? (?:href|src|data)="([^"#?]+)', text(page)):
        if re.match(r"\w+:|//", address):
            assert tag == "a", address
        else:
            path = (SITE / page).parent / unquote(address)
            assert (path / "index.html" if path.is_dir() else path).exists(), address


@pytest.mark.parametrize("name", ["imd_store_dispatch", "BoundedStream", "ActionCreator", "try_observe"])
def test_search(name: str) -> None:
    """One index finds the names of all languages."""
    assert re.search(rf"\b{name}\b", text("searchindex.js"), re.IGNORECASE)
