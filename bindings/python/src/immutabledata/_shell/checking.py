"""imd verify and imd replay: whether a log is as it was written, and what it leads to."""

from __future__ import annotations

import argparse
import os
import shutil
import tempfile

import immutabledata as imd

from .failure import REFUSED, explain, naming
from .files import copy_lines
from .header import read_header
from .log_lines import LogReader
from .output import Output, size_text, wrapped
from .progress import progress
from .states import print_patch
from .stores import open_copy


def verify(arguments: argparse.Namespace) -> int:
    """Checks logs line by line, without their reducers."""
    output = Output(arguments.json)
    code = 0
    for file in arguments.files:
        with progress(f"verifying {file}") as shown:
            try:
                found = imd.log.verify(file, progress=shown)
            except imd.CorruptError as error:
                code = REFUSED
                if output.is_json:
                    output.data({"file": file, "error": explain(error)})
                else:
                    output.line(f"{file}: {output.style(explain(error), 'red')}")
                continue
        if output.is_json:
            output.data({"file": file, **found})
            continue
        parts = ["no entries"]
        if found["entries"]:
            commits = f"commits {_first(file):,} to {found['last']:,}"
            parts = [f"{found['entries']:,} entries", commits]
        if found["redacted"]:
            parts.append(f"{found['redacted']:,} redacted")
        parts.append(size_text(found["bytes"]))
        if found["unfinishedBytes"]:
            parts.append(f"an unfinished line of {found['unfinishedBytes']:,} bytes at the end")
        report = wrapped(f"{file}: fine, {', '.join(parts)}", output.width)
        output.line(report.replace(": fine,", f": {output.style('fine', 'green')},", 1))
    return code


def _first(path: str) -> int:
    """The number of the first commit of a log. An entry has that of its last one."""
    with LogReader(path) as reader:
        entry = next(line for line in reader.lines() if line.is_entry)
    if entry.kind != "actions" or entry.is_redacted:
        return entry.number
    return entry.number - max(len(imd.from_json(entry.data)), 1) + 1


def replay(arguments: argparse.Namespace) -> int:
    """Repeats a whole log, and compares the states with those that its store has.

    It works with a copy: a store may be writing the log, and a store that only reads cannot replay.
    """
    output = Output(arguments.json)
    path = arguments.file
    read_header(path)
    with progress(f"replaying {path}") as shown, tempfile.TemporaryDirectory() as folder:
        copy = os.path.join(folder, "copy.imd")
        if os.path.exists(f"{path}-snapshot"):  # First: a later one may not fit the copy.
            shutil.copyfile(f"{path}-snapshot", f"{copy}-snapshot")
        copy_lines(path, copy)
        with naming(path, copy):
            opened = open_copy(copy, path, arguments.store, arguments.library, "replay")
            with opened.store as store:
                found = store.replay(progress=shown)
                state = store.state
    difference = found["difference"]
    if output.is_json:
        output.data(found)
    elif difference is None:
        same = output.style("the same states", "green")
        output.line(f"{path}: {found['entries']:,} entries lead to {same}")
    else:
        message = f"{path}: the states differ from commit {difference['number']} on"
        output.line(output.style(message, "red"))
        print_patch(output, state, difference["patch"])
    return 0 if difference is None else REFUSED
