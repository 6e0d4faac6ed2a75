"""Plots of time against size, both logarithmic, as SVG for light and dark pages."""

from __future__ import annotations

import math
from html import escape

from results import Point, format_quantity

WIDTH, HEIGHT, LEFT, TOP, GAP, LINE = 300, 220, 62, 34, 30, 17

# Ours come first. They can be told apart without color, too: by markers and dashes.
OUR_COLORS = ["#1f77d0", "#4aa3f0", "#7d8ff5"]
PEER_COLORS = ["#d55e00", "#009e73", "#cc79a7", "#b58900", "#8c6bb1", "#a65628", "#e7298a", "#777777"]
PEER_COLORS += ["#66a61e", "#17a2a2"]
DASHES = ["", "6 3", "2 3", "8 3 2 3"]

STYLE = """
  .page { fill: #ffffff } .frame, .grid { stroke: #d0d0d0; fill: none }
  text { font: 12px system-ui, sans-serif; fill: #303030 }
  .title { font-weight: 600 } .line { fill: none; stroke-width: 1.6 } .ours { stroke-width: 3 }
  @media (prefers-color-scheme: dark) {
    .page { fill: #16181d } .frame, .grid { stroke: #3c4048 } text { fill: #d8dae0 }
  }"""

Series = dict[str, list[Point]]


def panels(points: list[Point]) -> dict[str, Series]:
    """The series of each panel: C with Node, Python, and Swift. Ours come first."""
    found: dict[str, Series] = {}
    for point in sorted(points, key=lambda point: not point.is_ours):
        title = "C, and Redux in Node" if point.language in {"C", "Node"} else point.language
        series = found.setdefault(title, {})
        series.setdefault(point.library, []).append(point)
    return dict(sorted(found.items()))


class Axes:
    """Maps sizes and medians to the pixels of a panel."""

    def __init__(self, points: list[Point]) -> None:
        sizes = [point.size for point in points]
        medians = [point.median for point in points]
        self.sizes = sorted(set(sizes))
        self.low = math.floor(math.log10(min(medians)))
        self.high = max(self.low + 1, math.ceil(math.log10(max(medians))))
        self.first, self.last = math.log(min(sizes)), math.log(max(sizes))

    def x(self, size: float) -> float:
        span = self.last - self.first or 1
        return LEFT + (math.log(size) - self.first) / span * WIDTH

    def y(self, median: float) -> float:
        return TOP + HEIGHT * (self.high - math.log10(median)) / (self.high - self.low)


def _grid(axes: Axes, unit: str) -> list[str]:
    lines = [f'<rect class="frame" x="{LEFT}" y="{TOP}" width="{WIDTH}" height="{HEIGHT}"/>']
    for power in range(axes.low, axes.high + 1):
        y = axes.y(10.0**power)
        lines.append(f'<path class="grid" d="M{LEFT} {y:.1f}h{WIDTH}"/>')
        label = format_quantity(1.0001 * 10.0**power, unit)
        lines.append(f'<text x="{LEFT - 6}" y="{y + 4:.1f}" text-anchor="end">{label}</text>')
    for size in axes.sizes:
        x = axes.x(size)
        lines.append(f'<path class="grid" d="M{x:.1f} {TOP}v{HEIGHT}"/>')
        label = f"{size:,}"
        lines.append(f'<text x="{x:.1f}" y="{TOP + HEIGHT + 16}" text-anchor="middle">{label}</text>')
    return lines


def _marker(shape: int, x: float, y: float, color: str) -> str:
    if shape == 0:
        return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3.2" fill="{color}"/>'
    if shape == 1:
        return f'<rect x="{x - 3:.1f}" y="{y - 3:.1f}" width="6" height="6" fill="{color}"/>'
    return f'<path d="M{x:.1f} {y - 4:.1f}l4 7h-8z" fill="{color}"/>'


def _panel(title: str, series: Series, axes: Axes, unit: str) -> tuple[list[str], int]:
    """The elements of a panel, and its height."""
    lines = [f'<text class="title" x="{LEFT}" y="{TOP - 12}">{escape(title)}</text>']
    lines += _grid(axes, unit)
    ours = peers = 0
    for index, (name, points) in enumerate(series.items()):
        if points[0].is_ours:
            color, kind = OUR_COLORS[ours % len(OUR_COLORS)], "line ours"
            dash, ours = DASHES[ours % len(DASHES)], ours + 1
        else:
            color, kind = PEER_COLORS[peers % len(PEER_COLORS)], "line"
            dash, peers = DASHES[peers % len(DASHES)], peers + 1
        places = [(axes.x(p.size), axes.y(p.median)) for p in sorted(points, key=lambda p: p.size)]
        style = f'class="{kind}" stroke="{color}"' + (f' stroke-dasharray="{dash}"' if dash else "")
        path = "L".join(f"{x:.1f} {y:.1f}" for x, y in places)
        lines.append(f'<path {style} d="M{path}"/>')
        lines += [_marker(index % 3, x, y, color) for x, y in places]
        y = TOP + HEIGHT + 38 + LINE * index
        lines.append(f'<path {style} d="M{LEFT} {y - 4}h26"/>')
        lines.append(_marker(index % 3, LEFT + 13, y - 4, color))
        lines.append(f'<text x="{LEFT + 34}" y="{y}">{escape(name)}</text>')
    return lines, TOP + HEIGHT + 38 + LINE * len(series)


def plot(job: str, points: list[Point]) -> str:
    """An SVG with a panel for each language. All panels have the same axes."""
    axes = Axes(points)
    drawn = [_panel(title, series, axes, points[0].unit) for title, series in panels(points).items()]
    width = len(drawn) * (LEFT + WIDTH + GAP)
    height = max(bottom for _, bottom in drawn)
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}"'
        f' height="{height}" role="img">',
        f"<title>{escape(job)}: time against the number of records</title>",
        f"<style>{STYLE}\n</style>",
        f'<rect class="page" width="{width}" height="{height}"/>',
    ]
    for index, (elements, _) in enumerate(drawn):
        lines.append(f'<g transform="translate({index * (LEFT + WIDTH + GAP)} 0)">')
        lines += [*elements, "</g>"]
    return "\n".join([*lines, "</svg>", ""])
