"""The pages refer only to what exists: files, headings, and names in the sources."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
FOLDERS = (
    *("Sources", "Tests", "apps", "benchmarks", "bindings", "cmake", "docs", "drivers"),
    *("examples", "include", "scripts", "shared-library"),
)
FILES = [
    path
    for name in FOLDERS
    for path in (ROOT / name).rglob("*")
    if path.is_file() and not {".build", "build"} & set(path.relative_to(ROOT).parts)
]
PAGES = [*ROOT.glob("*.md"), *(path for path in FILES if path.suffix == ".md")]
GUIDE = sorted((ROOT / "docs").glob("*.md"))
DESIGN = [ROOT / "ARCHITECTURE.md", *(ROOT / "docs/design").glob("*.md")]

SOURCES = [path for path in FILES if path.suffix in {".c", ".cpp", ".h", ".hpp", ".py", ".swift"}]
NAMES = {name for path in SOURCES for name in re.findall(r"\w+", path.read_text())}
NAMES |= {part for path in FILES for part in path.relative_to(ROOT).parts}
NAMES |= {"CMakeLists", "Osize", "Properties", "URLSession"}


def prose(page: Path) -> str:
    return re.sub(r"^```.*?^```", "", page.read_text(), flags=re.M | re.S)


def anchors(page: Path) -> set[str]:
    """The anchors of a page's headings, as GitHub makes them."""
    headings = re.findall(r"^#+ (.*)$", page.read_text(), re.M)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("page", PAGES, ids=str)
def test_links(page: Path) -> None:
    for link in re.findall(r"\]\(([^)\s]+)\)", prose(page)):
        if re.match(r"\w+:", link):
            continue
        path, _, anchor = link.partition("#")
        target = page.parent / path if path else page
        assert target.exists(), link
        assert not anchor or anchor in anchors(target), link


FOLD = r"^<details>\n<summary>([^<\n]+)</summary>\n\n(.*?)\n\n</details>\n"


@pytest.mark.parametrize("page", GUIDE, ids=str)
def test_folds(page: Path) -> None:
    """What is folded is shown as Markdown, has no heading, and is in one order of languages."""
    text = prose(page)
    folds = re.findall(FOLD, text, re.M | re.S)
    assert len(folds) == text.count("<details>") == text.count("</details>")
    assert not any(re.search("^#", inside, re.M) for _, inside in folds)
    for group in re.split(r"(?<=^</details>\n)(?!\n<details>)", text, flags=re.M):
        languages = re.findall(r"^<summary>(.*)</summary>", group, re.M)
        assert languages == [name for name in ("C", "C++", "Swift") if name in languages]


@pytest.mark.parametrize("page", DESIGN, ids=str)
def test_names(page: Path) -> None:
    """Every capitalized name in the code of a design page is in the sources."""
    for code in re.findall(r"`([^`]+)`", prose(page)):
        for name in re.findall(r"\b[A-Z]\w*[a-z]\w*\b", code):
            assert name in NAMES, code


@pytest.mark.parametrize("page", DESIGN, ids=str)
def test_paths(page: Path) -> None:
    """Every path in the code of a design page exists."""
    for code in re.findall(r"`([^`…]+)`", prose(page)):
        if code.startswith(tuple(f"{name}/" for name in FOLDERS)):
            assert (ROOT / code).exists(), code
