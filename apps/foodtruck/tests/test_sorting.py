"""The sort keys of the list of orders."""

import pytest

from immutabledata_foodtruck.sorting import COLUMNS, Sorting

TIME, STATUS = ("creationDate", "reverse"), ("status", "reverse")


@pytest.mark.parametrize(
    ("columns", "keys"),
    [
        ([], (STATUS, TIME)),
        (["status"], (("status", "forward"), TIME)),
        (["status", "status"], (STATUS, TIME)),
        (["creationDate"], (TIME, STATUS)),
        (["creationDate", "creationDate"], (("creationDate", "forward"), STATUS)),
        (["id"], (("id", "reverse"), STATUS, TIME)),
        (["status", "id"], (("id", "reverse"), ("status", "forward"), TIME)),
    ],
)
def test_by(columns, keys):
    sorting = Sorting()
    for column in columns:
        sorting = sorting.by(column)
    assert sorting.keys == keys
    assert sorting.argument == [{"by": by, "order": order} for by, order in keys]


def test_next_goes_through_the_columns():
    sorting, first = Sorting(), []
    for _ in COLUMNS:
        first.append(sorting.keys[0][0])
        sorting = sorting.next()
    assert first == ["status", "totalSales", "grandTotal", "creationDate", "id"]
    assert sorting.keys[0][0] == "status"
    assert len(sorting.keys) == len(COLUMNS)


def test_titles():
    sorting = Sorting().by("status")
    titles = [sorting.title(column) for column in COLUMNS]
    assert titles == ["Order", "Status▲", "Donuts", "Total", "Placed▼₂"]
    assert sorting.reversed() == Sorting()
