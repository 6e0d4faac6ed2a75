"""Commits, and lines of a trace, of a program on a terminal."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import Any

from .._inspector.text import preview
from .output import Output, fold, time_text

# How many changes of a commit are shown.
_MOST_CHANGES = 10

_SIGNS = {"add": ("+", "green"), "remove": ("-", "red"), "replace": ("~", "yellow")}
_OTHER = "~", "yellow"
_NAMES = ("event", "name", "after", "method", "url", "status", "arguments", "code", "message")


def commit_lines(commit: Mapping[str, Any], output: Output) -> Iterator[Sequence[str]]:
    """A commit, and what it changed below it, each as the parts of a line."""
    action = commit["action"]
    number, when = f"#{commit['commit']}", time_text(commit["time"], "milliseconds")[11:]
    kind = fold(str(action.get("type")), 200)
    duration = _duration(commit.get("microseconds"))
    room = output.width - len(f"{number} {when} {kind} {duration}") - 2
    parts = [output.style(f"{number} {when} ", "dim"), output.style(kind, "bold")]
    if "payload" in action and room > 8:
        parts += [" ", output.coloured(preview(action["payload"], room))]
    yield [*parts, output.style(f"  {duration}", "dim")] if duration else parts
    if commit.get("problem"):
        yield ["  ", output.style(fold(str(commit["problem"]), output.width - 2), "yellow")]
    patch = commit.get("patch") or ()
    for operation in islice(patch, _MOST_CHANGES):
        sign, style = _SIGNS.get(operation["op"], _OTHER)
        yield ["  ", output.style(_change(sign, operation, output.width - 2), style)]
    if len(patch) > _MOST_CHANGES:
        yield ["  ", output.style(f"… {len(patch) - _MOST_CHANGES:,} more changes", "dim")]


def _change(sign: str, operation: Mapping[str, Any], width: int) -> str:
    path = operation["path"] or "(the state)"
    text = f"{sign} {path}"
    if "from" in operation:
        text += f"  from {operation['from']}"
    if "value" in operation:
        text += f"  {preview(operation['value'], max(width - len(text) - 2, 8))}"
    return fold(text, width)


def trace_line(line: Mapping[str, Any], output: Output) -> Sequence[str]:
    """A line of the trace that is no action, as its parts."""
    words = [_word(line[name]) for name in _NAMES if line.get(name) not in (None, "", {})]
    text = fold(" ".join(words), max(output.width - 24, 20))
    duration = _duration(line.get("microseconds"))
    if line.get("trace") == "selector":
        text += " changed" if line.get("changed") else " is the same"
    kind = output.style(str(line.get("trace")), "cyan")
    return [kind, " ", text, output.style(f"  {duration}", "dim")]


def _word(data: Any) -> str:
    return data if isinstance(data, str) else preview(data)


def _duration(microseconds: Any) -> str:
    if not isinstance(microseconds, (int, float)):
        return ""
    return f"{microseconds:.0f} µs" if microseconds < 1000 else f"{microseconds / 1000:.1f} ms"
