"""Results as lines of a terminal."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from rich.text import Text

from ..output import printable
from .rendering import Layout, render_changes, render_table, render_value
from .results import Changes, Note, Prose, Result, Rows, Shown
from .tracing import render_trace


def render(result: Result, layout: Layout) -> Iterator[Text]:
    """The lines of a result."""
    if isinstance(result, Shown):
        yield from render_value(result.data, layout)
    elif isinstance(result, Rows):
        yield from _rows(result, replace(layout, limit=None))
        if result.note:
            yield Text(result.note, "dim")
    elif isinstance(result, Changes):
        yield from render_changes(result.patch, result.before, layout)
    elif isinstance(result, Prose):
        yield from (Text(printable(line)) for line in result.text.split("\n"))
    elif isinstance(result, Note):
        yield Text(printable(result.text), "dim")
    else:
        yield from render_trace(result.line, layout)


def _rows(result: Rows, layout: Layout) -> Iterator[Text]:
    if not result.wraps:
        yield from render_table(result.columns, result.rows, layout, result.has_head)
        return
    *columns, last = result.columns
    names = [max(len(str(row.get(name, ""))) for row in result.rows) for name in columns]
    left = min(sum(max(width, 6) + 2 for width in names), layout.width * 3 // 5)
    room = max(layout.width - left, 12)
    rows: list[Mapping[str, Any]] = []
    for row in result.rows:
        first, *others = textwrap.wrap(str(row.get(last, "")), room) or [""]
        rows.append({**row, last: first})
        rows += [{last: other} for other in others]
    yield from render_table(result.columns, rows, layout, result.has_head)
