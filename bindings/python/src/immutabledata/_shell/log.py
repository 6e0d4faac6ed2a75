"""imd log: the entries of a log."""

from __future__ import annotations

import argparse
import fnmatch
import json
from collections import deque
from collections.abc import Iterator
from contextlib import ExitStack
from itertools import islice
from typing import Any

import immutabledata as imd

from .failure import USAGE, CommandError
from .files import is_pipe, read_whole
from .log_lines import LogLine, LogReader
from .output import Output, fold, json_of, one_line, time_text

# Seconds between two looks at a file that is followed.
_INTERVAL = 0.1


def run(arguments: argparse.Namespace) -> int:
    """Prints the entries of a log, oldest first."""
    output = Output(arguments.json)
    write = _write_line if output.is_json else _write_row
    if arguments.follow and (arguments.file == "-" or is_pipe(arguments.file)):
        raise CommandError("--follow needs a file, which a pipe is not", USAGE)
    try:
        with read_whole(arguments.file) as path:
            for entry in islice(_entries(path, arguments, output), arguments.count):
                write(output, entry)
    except imd.Error:
        raise
    except (KeyError, OverflowError, TypeError, ValueError):  # It has another shape.
        file = arguments.file
        raise imd.CorruptError(f"an entry of {file} is damaged; see imd verify {file}") from None
    return 0


def _entries(
    path: str, arguments: argparse.Namespace, output: Output
) -> Iterator[LogLine]:
    """The entries that were asked for. Before it waits for more, it hands over the output."""
    start, pattern = arguments.start, arguments.type
    with ExitStack() as stack:
        reader = stack.enter_context(LogReader(path))
        present = _selected(reader, start, pattern)
        yield from present if arguments.last is None else deque(present, arguments.last)
        while arguments.follow:
            output.flush()
            output.wait(_INTERVAL)
            is_replaced = reader.is_replaced
            yield from _selected(reader, start, pattern)
            if is_replaced:
                start = max(start, reader.number + 1)
                stack.close()
                reader = stack.enter_context(LogReader(path))


def _selected(reader: LogReader, start: int, pattern: str | None) -> Iterator[LogLine]:
    """Entries among the lines that were not read yet."""
    for line in reader.lines():
        if not line.is_entry or line.number < start:
            continue
        if pattern is None or any(fnmatch.fnmatchcase(each, pattern) for each in _types(line)):
            yield line


def _types(entry: LogLine) -> list[str]:
    """The types of its actions; a jump has that of the action which streams get for it."""
    if entry.is_redacted:
        return []
    if entry.kind == "actions":
        return [action["type"] for action in _parsed(entry)]
    return [f"@@history/{_parsed(entry)['kind']}"] if entry.kind == "jump" else []


def _parsed(entry: LogLine) -> Any:
    try:
        return json.loads(entry.data)
    except RecursionError:  # It nests deeper than Python can read.
        return next(imd.log.entries(entry.path, entry.number)).content


def _write_line(output: Output, entry: LogLine) -> None:
    data = entry.data.decode()
    writer = f'"writer":{entry.writer},' if entry.writer else ""
    head = f'{{"number":{entry.number},"time":{entry.time},{writer}'
    output.line(f'{head}"{entry.kind}":{data}}}')


def _write_row(output: Output, entry: LogLine) -> None:
    parts = _descriptions(entry)
    when = time_text(entry.time, "milliseconds")
    first = entry.number - len(parts) + 1
    for number, (title, rest) in enumerate(parts, first):
        place = f"{number:>8}  {when}"
        if entry.writer:
            place += f"  {one_line(entry.author)}"
        head = output.style(place, "dim"), "  ", output.style(title, "bold")
        room = output.width - len(f"{place}  {title} ")
        output.line(*head, *((" ", output.coloured(fold(rest, room))) if rest else ()))


def _descriptions(entry: LogLine) -> list[tuple[str, str]]:
    """What happened in an entry, and details; a batch has several."""
    if entry.is_redacted:
        return [("redacted", "")]
    data = _parsed(entry)
    if entry.kind == "jump":
        return [(data["kind"], f"to {data['number']}")]
    if entry.kind != "actions":
        return [(entry.kind, entry.data.decode())]
    if not data:
        return [("nothing", "a migration took the action out")]
    return [(one_line(action["type"]), _details(action)) for action in data]


def _details(action: Any) -> str:
    rest = {name: action[name] for name in action if name != "type"}
    if not rest:
        return ""
    return json_of(imd.value(rest["payload"] if set(rest) == {"payload"} else rest))
