"""Magnitudes as text, and their colors."""

from __future__ import annotations

COLORS = {
    "green": "#3fb950",
    "yellow": "#e3c000",
    "orange": "#f08c2e",
    "red": "#e5484d",
    "purple": "#b366e6",
    "indigo": "#7a7cff",
    "gray": "#8a8f98",
}
"""The colors on a dark background."""

BANDS = [(0, "green"), (1, "yellow"), (2, "orange"), (3, "red"), (5, "purple"), (7, "indigo")]
"""Where each band begins, and its color; it ends where the next one begins."""


def band_of(magnitude: float) -> str:
    """The name of the color of a magnitude: that of its band, gray below 0."""
    found = "gray"
    for start, name in BANDS:
        if magnitude >= start:
            found = name
    return found


def color_of(magnitude: float) -> str:
    """The color of a magnitude, as in CSS."""
    return COLORS[band_of(magnitude)]


def magnitude_text(magnitude: float) -> str:
    """A magnitude with one fraction digit, such as "4.5", in at most five characters.

    A feed can have any number, but no quake has a magnitude of 100.
    """
    if abs(magnitude) >= 99.95:
        return "≥100" if magnitude > 0 else "≤-100"
    return f"{magnitude:.1f}"
