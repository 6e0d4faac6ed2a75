"""Lines of a trace on a terminal, see Store.set_trace."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from rich.text import Text

from ..output import printable
from .rendering import Layout, cut, render_changes
from .results import UNKNOWN

_FAINT = "dim"


def render_trace(line: Mapping[str, Any], layout: Layout) -> Iterator[Text]:
    """A line of a trace, and the changes of an action below it."""
    kind = line["trace"]
    if kind == "action":
        head = _action(f"#{line['number']}", "bold", line["action"], layout)
        yield _with_time(head, line)
        for change in render_changes(line.get("changes", ()), UNKNOWN, layout):
            yield Text("  ").append_text(change)
        return
    if kind == "rejected":
        action = line.get("action") or {"type": f"{len(line.get('actions', ()))} actions"}
        yield _action("rejected", "bold red", action, layout)
        yield Text(f"  {line.get('code', '')}: {printable(line.get('message', ''))}", "red")
        return
    names = _NAMES if "name" in line else ("expression", *_NAMES)
    words = [str(line[name]) for name in names if line.get(name) not in (None, "", {})]
    head = Text(f"{kind} ", "bold").append(printable(" ".join(words)))
    if kind == "selector":
        head.append(" changed" if line.get("changed") else " is the same", _FAINT)
    if "message" in line:
        head.append(f": {printable(line['message'])}", "red")
    yield _with_time(head, line)


_NAMES = (
    "event",
    "name",
    "after",
    "method",
    "url",
    "status",
    "arguments",
    "code",
)


def _action(title: str, style: str, action: Mapping[str, Any], layout: Layout) -> Text:
    head = Text(f"{title} ", style).append(printable(action["type"]), "not bold")
    if "payload" in action:
        room = max(layout.width - head.cell_len - 12, 8)
        head.append(" ").append_text(cut(action["payload"], room, layout))
    return head


def _with_time(head: Text, line: Mapping[str, Any]) -> Text:
    microseconds = line.get("microseconds")
    if microseconds is None:
        return head
    if microseconds < 1000:
        return head.append(f"  {microseconds:.0f} µs", _FAINT)
    return head.append(f"  {microseconds / 1000:.1f} ms", _FAINT)
