"""Operations grow with the size and with the changes as their documentation says."""

from pathlib import Path

import cliffs
import pytest

ROOT = Path(__file__).parents[2]
SIZES = [1024, 8192]
OPERATIONS = {"C": 40, "Python": 300}


@pytest.fixture(scope="module")
def counts() -> dict[str, list[cliffs.Counts]]:
    library = ROOT / ".build-benchmarks-prefix/lib/libimmutabledata.so"
    return dict(cliffs.count_all(ROOT / ".build-instructions", library, SIZES))


@pytest.mark.parametrize("language", OPERATIONS)
def test_operations(language: str, counts: dict[str, list[cliffs.Counts]]) -> None:
    small, large = counts[language]
    assert small.keys() == large.keys()
    assert len(small) > OPERATIONS[language]
    assert cliffs.problems([small, large], SIZES) == []


def test_growth_is_a_problem() -> None:
    small, large = {("get", 1): 100, ("set", 1): 100}, {("get", 1): 160, ("set", 1): 161}
    assert cliffs.problems([small, large], SIZES) == ["set, 1: 1.61 times as many, more than 1.60"]


def test_the_bound_of_the_growth_follows_the_sizes() -> None:
    small, large = {("get", 1): 100, ("set", 1): 100}, {("get", 1): 256, ("set", 1): 257}
    assert cliffs.problems([small, large], [1024, 65536]) == [
        "set, 1: 2.57 times as many, more than 2.56"
    ]


def test_growth_beyond_the_size_is_a_problem_of_what_takes_linear_time() -> None:
    small = {("read, O(n)", 1): 100, ("sort, O(n)", 1): 100}
    large = {("read, O(n)", 1): 960, ("sort, O(n)", 1): 961}
    assert cliffs.problems([small, large], SIZES) == [
        "sort, O(n), 1: 9.61 times as many, more than 9.60"
    ]


def test_a_change_that_costs_more_among_others_is_a_problem() -> None:
    counts = {("get", 1): 100, ("get", 10): 1500, ("set", 1): 100, ("set", 10): 1510}
    assert cliffs.problems([counts, counts], SIZES) == [
        "set, 10: 1.51 times as many for each, more than 1.5"
    ]


def test_a_form_that_costs_more_than_another_is_a_problem() -> None:
    counts = {
        ("get: a path", 1): 10000,
        ("get: keys", 1): 15000,
        ("get: a loop", 1): 15100,
        ("get all: a loop", 1): 90000,
        ("dispatch: a dict", 1): 10000,
        ("dispatch: instances", 1): 20000,
    }
    assert cliffs.problems([counts, counts], SIZES) == [
        "get: a loop, 1: 1.51 times as many as the cheapest form, more than 1.5"
    ]


def test_small_forms_are_not_compared() -> None:
    counts = {("get: a path", 1): 1000, ("get: keys", 1): 5000}
    assert cliffs.problems([counts, counts], SIZES) == []
