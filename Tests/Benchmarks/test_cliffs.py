"""Operations grow with the size and with the changes as their documentation says."""

from pathlib import Path

import cliffs

ROOT = Path(__file__).parents[2]
SIZES = [1024, 8192]


def test_operations() -> None:
    program = ROOT / ".build-instructions/cliffs"
    library = ROOT / ".build-benchmarks-prefix/lib/libimmutabledata.so"
    counts = [cliffs.count(program, library, size) for size in SIZES]
    assert len(counts[0]) > 40
    assert cliffs.problems(counts, SIZES) == []


def test_growth_is_a_problem() -> None:
    small, large = {("get", 1): 100, ("set", 1): 100}, {("get", 1): 250, ("set", 1): 251}
    assert cliffs.problems([small, large], SIZES) == ["set, 1: 2.51 times as many, more than 2.5"]


def test_a_change_that_costs_more_among_others_is_a_problem() -> None:
    counts = {("get", 1): 100, ("get", 10): 1500, ("set", 1): 100, ("set", 10): 1510}
    assert cliffs.problems([counts, counts], SIZES) == [
        "set, 10: 1.51 times as many for each, more than 1.5"
    ]
