"""No job takes over 3 % more instructions than counts.json states."""

import json
from pathlib import Path

import count
import pytest

ROOT = Path(__file__).parents[2]
RECORDED = json.loads(count.COUNTS.read_text())


@pytest.fixture(scope="session")
def counts() -> count.Counts:
    others = count.differences(RECORDED["tools"], count.tools())
    if others:
        pytest.skip(f"counts.json holds for other tools: {', '.join(others)}")
    library = ROOT / ".build-benchmarks-prefix/lib/libimmutabledata.so"
    return count.Jobs(ROOT / ".build-instructions", library).count()


@pytest.mark.parametrize("job", RECORDED["counts"])
def test_count(job: str, counts: count.Counts) -> None:
    assert count.compare({job: RECORDED["counts"][job]}, {job: counts[job]}) == []


def test_jobs(counts: count.Counts) -> None:
    assert counts.keys() == RECORDED["counts"].keys()


def test_bounds(counts: count.Counts) -> None:
    assert count.bounds(counts)[1] == []


def test_a_job_beyond_its_bound_is_a_problem(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(count, "BOUNDS", [("undo", "set", 1.2), ("redo", "set", 1.2)])
    shown, problems = count.bounds({"set": 1000, "undo": 1200, "redo": 1201})
    assert shown == ["undo: 1.200 of set; at most 1.2", "redo: 1.201 of set; at most 1.2"]
    assert problems == ["redo: 1.201 of set, more than 1.2"]


def test_growth_of_three_percent_is_accepted() -> None:
    assert count.compare({"set": 1000, "get": 1000}, {"set": 1030, "get": 10}) == []


def test_growth_beyond_three_percent_is_a_problem() -> None:
    problems = count.compare({"set": 1000, "get": 1000}, {"set": 1031, "get": 1000})
    assert problems == ["set: 1,031 instructions, 3.1 % more than 1,000"]


def test_other_jobs_are_problems() -> None:
    assert count.compare({"set": 1}, {"get": 1}) == [
        "get: not in counts.json",
        "set: in counts.json, but not a job",
    ]


def test_other_tools_are_named() -> None:
    then, now = {"Swift": "6.3.1", "glibc": "2.36"}, {"Swift": "6.4", "glibc": "2.36"}
    assert count.differences(then, now) == ["Swift 6.4 instead of 6.3.1"]
