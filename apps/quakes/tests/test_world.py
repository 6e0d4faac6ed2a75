"""The projection, and the land."""

import pytest

from immutabledata_quakes.world.land import is_land, land
from immutabledata_quakes.world.projection import cell_of, fit


@pytest.mark.parametrize(
    ("longitude", "latitude", "cell"),
    [
        (-180, 90, (0, 0)),
        (0, 0, (36, 9)),
        (179.9, -89.9, (71, 17)),
        (180, -90, (0, 17)),
        (-179.9, 0, (0, 9)),
        (190, 0, (2, 9)),
        (-545, 95, (71, 0)),
        (0, -95, (36, 17)),
    ],
)
def test_cells(longitude, latitude, cell):
    assert cell_of(longitude, latitude, 72, 18) == cell


@pytest.mark.parametrize(
    ("pane", "size"),
    [
        ((80, 20), (80, 20)),
        ((80, 40), (80, 27)),
        ((80, 5), (40, 5)),
        ((40, 20), (40, 14)),
        ((1, 1), (1, 1)),
        ((0, 5), (0, 0)),
    ],
)
def test_fits(pane, size):
    assert fit(*pane) == size


@pytest.mark.parametrize(
    ("place", "longitude", "latitude", "expected"),
    [
        ("Sahara", 10, 23, True),
        ("Kansas", -98, 38, True),
        ("Amazonia", -60, -5, True),
        ("Alice Springs", 133, -24, True),
        ("South Pole", 0, -89, True),
        ("Greenland", -40, 72, True),
        ("Siberia", 100, 60, True),
        ("Pacific", -150, 0, False),
        ("Atlantic", -35, 30, False),
        ("Indian Ocean", 80, -30, False),
        ("Black Sea", 35, 43, False),
        ("North Pole", 0, 89, False),
    ],
)
def test_land(place, longitude, latitude, expected):
    assert is_land(longitude + 180, 90 - latitude) is expected


def test_characters():
    for width, height in ((36, 9), (100, 30), (200, 60), (1, 1)):
        rows = land(width, height)
        assert len(rows) == height
        assert {len(row) for row in rows} == {width}
    # Europe and Africa, between two oceans.
    assert [row[16:22] for row in land(36, 9)][2:6] != [" " * 6] * 4
    assert [row[2:6] for row in land(36, 9)][3:6] == [" " * 4] * 3
