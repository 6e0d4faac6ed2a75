"""imd verify and imd replay: whether a log is as it was written, and what it leads to."""

from __future__ import annotations

import argparse
import os
import shutil
import tempfile
from collections.abc import Mapping
from typing import Any

import immutabledata as imd

from .failure import REFUSED, CommandError, failure_of, naming
from .files import copy_lines, read_whole
from .fitting import misfits, read_schema
from .header import read_header
from .log_lines import LogReader
from .output import Output, one_line, report, size_text, wrapped
from .progress import progress
from .states import print_patch
from .stores import open_copy


def verify(arguments: argparse.Namespace) -> int:
    """Checks logs line by line, without their reducers."""
    output = Output(arguments.json)
    schema = read_schema(arguments.schema) if arguments.schema else None
    code = 0
    for file in arguments.files:
        try:
            with progress(f"verifying {file}") as shown, read_whole(file) as path:
                found: dict[str, Any] = {**imd.log.verify(path, progress=shown)}
                summary = None if output.is_json else _summary(path, found)
                if schema is not None:
                    found["misfits"] = list(misfits(path, schema))
        except (imd.Error, OSError, CommandError) as error:  # The others are verified all the same.
            code = max(code, _report(output, file, error))
        else:
            if found.get("misfits"):
                code = max(code, REFUSED)
            if summary is None:
                output.data({"file": file, **found})
            elif found.get("misfits"):
                _print_misfits(output, file, found["misfits"])
                output.line(f"{one_line(file)}: {_checked_state(found)}")
            else:
                fits = "" if schema is None else f"; it fits the schema; {_checked_state(found)}"
                _print_summary(output, file, summary + fits)
    return code


def _report(output: Output, file: str, error: Exception) -> int:
    """Says what is wrong with a log, and returns the exit code for it."""
    message, code = failure_of(error)
    if output.is_json:
        output.data({"file": file, "error": message})
    elif code == REFUSED:
        output.line(f"{file}: ", output.style(message, "red"))
    if code != REFUSED:  # It is not known whether the log is damaged.
        report(message if file in message else f"{file}: {message}")
    return code


def _summary(file: str, found: Mapping[str, Any]) -> str:
    parts = ["no entries"]
    if found["entries"]:
        commits = f"commits {_first(file):,} to {found['last']:,}"
        parts = [f"{found['entries']:,} entries", commits]
    if found["redacted"]:
        parts.append(f"{found['redacted']:,} redacted")
    parts.append(size_text(found["bytes"]))
    if found["unfinishedBytes"]:
        parts.append(f"an unfinished line of {found['unfinishedBytes']:,} bytes at the end")
    return ", ".join(parts)


def _print_summary(output: Output, file: str, summary: str) -> None:
    name = one_line(file)
    first, *others = wrapped(f"{name}: fine, {summary}", output.width).split("\n")
    head, mark, rest = first.partition(": fine,")
    output.line(head, *((": ", output.style("fine", "green"), ",", rest) if mark else ()))
    for line in others:
        output.line(line)


def _print_misfits(output: Output, file: str, found: list[dict[str, Any]]) -> None:
    for each in found:
        error = output.style(one_line(each["error"]), "red")
        output.line(f"{one_line(file)}: commit {each['number']:,}: ", error)


def _checked_state(found: Mapping[str, Any]) -> str:
    """Which state misfits checks, the only one in the file."""
    number = found["base"] if found["snapshot"] is None else found["snapshot"]
    return f"the state that was checked is that after commit {number:,}, the last one in the file"


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
            opened = open_copy(copy, path, arguments.reducer, arguments.library, "replay")
            with opened.store as store:
                found = store.replay(progress=shown)
                state = store.state
    difference = found["difference"]
    if output.is_json:
        output.data(found)
    elif difference is None:
        same = output.style("the same states", "green")
        untaken = found.get("ignored", 0)
        rest = f"; no slice takes {untaken:,} of their actions" if untaken else ""
        output.line(f"{path}: {found['entries']:,} entries lead to ", same, rest)
    else:
        message = f"{path}: the states differ from commit {difference['number']} on"
        output.line(output.style(message, "red"))
        print_patch(output, state, difference["patch"])
    return 0 if difference is None else REFUSED
