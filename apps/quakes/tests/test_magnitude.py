"""The text and the color of a magnitude."""

import pytest

from immutabledata_quakes.magnitude import COLORS, band_of, color_of, magnitude_text

NAN, INFINITY = float("nan"), float("inf")


@pytest.mark.parametrize(
    ("magnitude", "band"),
    [
        (-INFINITY, "gray"),
        (-0.1, "gray"),
        (-0.0, "green"),
        (0.0, "green"),
        (0.999, "green"),
        (1.0, "yellow"),
        (1.999, "yellow"),
        (2.0, "orange"),
        (2.999, "orange"),
        (3.0, "red"),
        (4.999, "red"),
        (5, "purple"),
        (6.999, "purple"),
        (7.0, "indigo"),
        (9.9, "indigo"),
        (INFINITY, "indigo"),
        (NAN, "gray"),
    ],
)
def test_bands(magnitude, band):
    assert band_of(magnitude) == band
    assert color_of(magnitude) == COLORS[band]


def test_bands_differ_in_color():
    assert len(set(COLORS.values())) == 7


@pytest.mark.parametrize(
    ("magnitude", "text"),
    [
        (4.5, "4.5"),
        (4, "4.0"),
        (4.26, "4.3"),
        (0.04, "0.0"),
        (-0.5, "-0.5"),
        (10, "10.0"),
        (99.9, "99.9"),
        (99.96, "≥100"),
        (1e300, "≥100"),
        (-1e300, "≤-100"),
    ],
)
def test_text(magnitude, text):
    assert magnitude_text(magnitude) == text
