"""The quick benchmarks measure all but Swift and bombs, and write a page and plots."""

import subprocess
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest
from results import Results, read

ROOT = Path(__file__).parents[2]
WRITTEN = ROOT / ".build-benchmarks-quick"

CHANGED = [
    "C: immutabledata, store",
    "C: immutabledata, value without a store",
    "C: SQLite",
    "C: jansson, in place",
    "Node: Redux",
    "Python: immutabledata, reducer",
    "Python: immutabledata, drafting reducer",
    "Python: immutabledata, value without a store",
    "Python: pyrsistent",
    "Python: immutables",
    "Python: rpds-py",
    "Python: pycrdt",
    "Python: loro",
    "Python: python-redux",
    "Python: sqlite3",
    "Python: copy of dicts",
]

KEEPING = [
    "C: immutabledata, store with history",
    "C: immutabledata, value without a store",
    "Node: Redux",
    "Python: immutabledata, store with history",
    "Python: immutabledata, value without a store",
    "Python: pyrsistent",
    "Python: immutables",
    "Python: rpds-py",
    "Python: copy of dicts",
]


@pytest.fixture(scope="session")
def results() -> Results:
    python = ROOT / ".build-benchmarks-venv/bin/python"
    subprocess.run(["benchmarks/run.sh", ".build-cmake", python, "quick"], cwd=ROOT, check=True)
    return read(WRITTEN / "benchmarks/results.tsv")


@pytest.mark.parametrize(
    "job",
    [
        "change one field of a record",
        "insert a record",
        "delete a record",
        "memory of a record",
        "memory of a step",
    ],
)
def test_every_contestant_is_measured(job: str, results: Results) -> None:
    expected = KEEPING if job == "memory of a step" else CHANGED
    measured = {point.name for point in results.points if point.job == job}
    not_measured = " ".join(results.notes)
    for name in expected:
        library = name.partition(": ")[2]
        if job == "memory of a record" and name == "C: immutabledata, store":
            continue
        assert name in measured or library in not_measured, name


def test_medians_are_positive(results: Results) -> None:
    assert all(point.median > 0 for point in results.points)
    # A difference of two medians that were measured for a moment can be anything, and so can a share.
    differences = (
        "the same without the observer, the dispatch and the call",
        "added to a dispatch by",
        "shared log: least share",
    )
    measured = [each for each in results.comparisons if not each.job.startswith(differences)]
    assert len(measured) == len(results.comparisons) - 7
    assert [each for each in measured if each.ours <= 0] == []


@pytest.mark.parametrize(
    "job",
    [
        "change one of 1,024 records, by an action",
        "change one of 1,024 records, by an action that is a value",
        "undo, 8,192 records",
        "redo, 8,192 records",
        "travel, 8,192 records",
        "memory of each of 10,000 steps",
        "select of 1,024 records, unchanged",
        "select of 1,024 records as a value, unchanged",
        "sum of 1,024 records, one changed",
        "dispatch and top 10 of 1,024 records",
        "shared log: dispatch, 2 processes",
        "shared log: observer in another process is called, median",
    ],
)
def test_rows_with_goals(job: str, results: Results) -> None:
    assert [each for each in results.comparisons if each.job == job and each.goal]


def test_page(results: Results) -> None:
    page = (WRITTEN / "benchmarks.md").read_text()
    assert "### Change one field of a record" in page
    assert "| C: SQLite |" in page
    assert "| processor |" in page


def test_plots(results: Results) -> None:
    plot = ElementTree.parse(WRITTEN / "benchmarks/change-one-field-of-a-record.svg")
    shown = [element.text for element in plot.iter("{http://www.w3.org/2000/svg}text")]
    for label in ["Python", "immutabledata, reducer", "Redux", "1,024", "8,192"]:
        assert label in shown
