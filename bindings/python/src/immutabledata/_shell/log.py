"""imd log: the entries of a log."""

from __future__ import annotations

import argparse
import fnmatch
import json
import time
from collections import deque
from collections.abc import Iterator
from datetime import datetime
from typing import Any

import immutabledata as imd

from .log_lines import LogLine, LogReader
from .output import Output, fold, json_of

# Seconds between two looks at a file that is followed.
_INTERVAL = 0.1


def run(arguments: argparse.Namespace) -> int:
    """Prints the entries of a log, oldest first."""
    output = Output(arguments.json)
    write = _write_line if output.is_json else _write_row
    with LogReader(arguments.file) as reader:
        entries = _selected(reader, arguments)
        if arguments.last is not None:
            entries = iter(deque(entries, maxlen=arguments.last))
        count = arguments.count
        for entry in entries:
            if count is not None:
                if count == 0:
                    return 0
                count -= 1
            write(output, entry)
        while arguments.follow:
            output.flush()
            time.sleep(_INTERVAL)
            for entry in _selected(reader, arguments):
                write(output, entry)
    return 0


def _selected(reader: LogReader, arguments: argparse.Namespace) -> Iterator[LogLine]:
    """The entries that were asked for, among those that were not read yet."""
    start, pattern = arguments.start, arguments.type
    for entry in reader.entries():
        if entry.number < start:
            continue
        if pattern is None or any(fnmatch.fnmatchcase(each, pattern) for each in _types(entry)):
            yield entry


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
        return imd.from_json(entry.data)


def _write_line(output: Output, entry: LogLine) -> None:
    data = entry.data.decode()
    output.line(f'{{"number":{entry.number},"time":{entry.time},"{entry.kind}":{data}}}')


def _write_row(output: Output, entry: LogLine) -> None:
    parts = _descriptions(entry)
    when = datetime.fromtimestamp(entry.time / 1000).isoformat(" ", "milliseconds")
    first = entry.number - len(parts) + 1
    for number, (title, rest) in enumerate(parts, first):
        place = f"{number:>8}  {when}"
        shown = output.coloured(fold(rest, output.width - len(f"{place}  {title} ")))
        line = f"{output.style(place, 'dim')}  {output.style(title, 'bold')} {shown}"
        output.line(line.rstrip())


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
    return [(action["type"], _details(action)) for action in data]


def _details(action: Any) -> str:
    rest = {name: action[name] for name in action if name != "type"}
    if not rest:
        return ""
    return json_of(imd.value(rest["payload"] if set(rest) == {"payload"} else rest))
