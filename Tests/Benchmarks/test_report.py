"""The page, the table in README.md, and the comparison of two runs."""

import pytest
from compare import ratios, worse
from page import file_name, goals, has_plot, matrix
from readme import BEGIN, END, with_results
from results import Comparison, Point, Results, format_quantity

POINTS = [
    Point("change", "C: immutabledata, store", 1024, 2e-6, "s"),
    Point("change", "C: SQLite", 1024, 4e-6, "s"),
    Point("change", "Node: Redux", 1024, 0.2, "s"),
    Point("change", "Python: immutabledata, reducer", 1024, 1e-5, "s"),
    Point("change", "Python: pycrdt", 1024, 5e-6, "s"),
]


@pytest.mark.parametrize(
    "number, unit, text",
    [(3.526e-6, "s", "3.53 µs"), (0.25, "s", "250 ms"), (354.2, "B", "354 B"), (1568, "B", "1.57 KB"), (57.2, "%", "57.2 %")],
)
def test_format_quantity(number: float, unit: str, text: str) -> None:
    assert format_quantity(number, unit) == text


def test_ratio_is_that_of_the_same_language() -> None:
    rows = matrix(POINTS).splitlines()
    assert "| C: SQLite | 4 µs (0.50) |" in rows
    assert "| Node: Redux | 200 ms (1e-05) |" in rows
    assert "| Python: pycrdt | 5 µs (2.00) |" in rows


def test_growth_from_the_smallest_size_to_the_largest() -> None:
    larger = [
        Point("change", "C: immutabledata, store", 8192, 3e-6, "s"),
        Point("change", "C: SQLite", 8192, 4.8e-4, "s"),
    ]
    rows = matrix(POINTS + larger).splitlines()
    assert rows[0] == "|  | 1,024 records | 8,192 records | growth |"
    assert "| C: immutabledata, store | 2 µs | 3 µs | 1.5 |" in rows
    assert "| C: SQLite | 4 µs (0.50) | 480 µs (0.006) | 120 |" in rows
    assert "| Node: Redux | 200 ms (1e-05) |  |  |" in rows


def test_goals() -> None:
    met = Comparison("change", 2e-6, "SQLite", 4e-6, "s", "ratio <= 0.75")
    missed = Comparison("select", 3e-6, "", 0, "s", "ours < 1e-6")
    share = Comparison("share", 20, "SQLite", 0, "%", "ours >= 25")
    rows = goals([met, missed, share, Comparison("read", 1, "jansson", 2, "s", "")]).splitlines()[2:]
    assert rows == [
        "| change | 2 µs | SQLite | 4 µs | 0.50 | <= 0.75 | met |",
        "| select | 3 µs |  |  |  | < 1 µs | **missed** |",
        "| share | 20 % | SQLite | 0 % | inf | >= 25 % | **missed** |",
    ]


def test_worse() -> None:
    results = Results(points=POINTS)
    slower = [Point("change", "C: immutabledata, store", 1024, 2.2e-6, "s"), *POINTS[1:]]
    assert worse(ratios(results), ratios(results)) == ["nothing became worse by more than 5 %"]
    assert worse(ratios(results), ratios(Results(points=slower))) == [
        "change, C: SQLite, 1,024: 0.5 became 0.55",
        "change, Node: Redux, 1,024: 1e-05 became 1.1e-05",
    ]


def test_one_size_has_no_plot() -> None:
    assert not has_plot(POINTS)
    assert has_plot([*POINTS, Point("change", "C: SQLite", 8192, 5e-6, "s")])


def test_file_name() -> None:
    assert file_name("select 1 % of the records, sorted") == "select-1-of-the-records-sorted.svg"


def test_other_lines_are_refused() -> None:
    with pytest.raises(ValueError, match="not a line of a benchmark: 'Segmentation fault"):
        Results().add("Segmentation fault\n")


def test_readme_keeps_what_surrounds_the_table() -> None:
    readme = f"before\n{BEGIN}\n\nold\n\n{END}\nafter\n"
    written = with_results(readme, Results())
    assert written.startswith(f"before\n{BEGIN}\n") and written.endswith(f"{END}\nafter\n")
    assert "old" not in written
