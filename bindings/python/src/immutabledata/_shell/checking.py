"""imd verify and imd replay: whether a log is as it was written, and what it leads to."""

from __future__ import annotations

import argparse
import os
import shutil
import tempfile

import immutabledata as imd

from .failure import REFUSED, explain
from .files import copy_lines
from .header import read_header
from .output import Output, size_text
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
        parts = [f"{found['entries']:,} entries", f"commits {found['first']} to {found['last']}"]
        if not found["entries"]:
            parts = ["no entries"]
        if found["redacted"]:
            parts.append(f"{found['redacted']:,} redacted")
        parts.append(size_text(found["bytes"]))
        if found["unfinishedBytes"]:
            parts.append(f"an unfinished line of {found['unfinishedBytes']:,} bytes at the end")
        output.line(f"{file}: {output.style('fine', 'green')}, {', '.join(parts)}")
    return code


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
