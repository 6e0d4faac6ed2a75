"""Positions on a map in the equirectangular projection, which covers the whole Earth."""

from __future__ import annotations


def cell_of(longitude: float, latitude: float, width: int, height: int) -> tuple[int, int]:
    """The column and the row of a place, in degrees, on a map of width by height cells.

    The map begins at 180° W and 90° N. Longitudes repeat after 360°; latitudes end at the poles.
    """
    right = (longitude + 180) % 360 / 360
    down = (90 - min(max(latitude, -90), 90)) / 180
    return min(int(right * width), width - 1), min(int(down * height), height - 1)


def fit(width: int, height: int) -> tuple[int, int]:
    """The size of a map in a pane of width by height cells of a terminal.

    Cells are about twice as high as wide, so a map with four times as many columns as rows has the
    same scale in both directions. To use a pane well, a map may have between about three and eight
    times as many columns as rows.
    """
    return min(width, height * 8), min(height, -(-width // 3))
