"""imd show and imd diff: states that a log once had."""

from __future__ import annotations

import argparse
import os
from contextlib import nullcontext
from typing import Any

import immutabledata as imd

from .interactive.values import difference
from .files import read_whole
from .output import Output, fold, json_of, report, to_line
from .outputs import Outputs
from .progress import progress
from .stores import (
    OpenedStore,
    is_domain,
    load_library,
    needs_reducer,
    open_past,
    open_store,
)


def show(arguments: argparse.Namespace) -> int:
    """Prints the state after a commit, or outputs of selectors and queries for it."""
    output = Output(arguments.json)
    name, library = arguments.file, arguments.library
    is_file = name == "-" or os.path.exists(name)
    if not is_file and arguments.at is None and arguments.reducer is None:
        if is_domain(name, load_library(library)):
            options = arguments.options
            _print(output, arguments, open_store(name, library=library, options=options))
            return 0
    with read_whole(name) if is_file else nullcontext(name) as path:
        _print(output, arguments, _open(path, arguments))
    return 0


def _print(output: Output, arguments: argparse.Namespace, opened: OpenedStore) -> None:
    with opened.store as store:
        outputs = Outputs(opened, arguments.outputs)
        for read in outputs or [lambda: store.query_json("@")]:
            output.value(read())


def _open(path: str, arguments: argparse.Namespace) -> OpenedStore:
    """A log to be read. That of a program whose reducer is not known has its last snapshot."""
    number, reducer, library = arguments.at, arguments.reducer, arguments.library
    with progress(f"reading {arguments.file}"):
        saved = imd.log.snapshot(path) if reducer is None and needs_reducer(path) else None
        if saved is None or number not in (None, saved.number):
            return open_past(path, number, reducer, library, "show", arguments.options)
    _report_snapshot(arguments.file, saved)
    # Its reducer is never called.
    store = imd.Store(lambda state, action: state, state=saved.state)
    return OpenedStore(store, arguments.file, load_library(library))


def _report_snapshot(file: str, saved: Any) -> None:
    """Says which state is shown."""
    if saved.entries == 0:
        return report(f"{file}: the state after commit {saved.number:,}, the last one")
    entries = "1 entry follows" if saved.entries == 1 else f"{saved.entries:,} entries follow"
    report(
        f"{file}: the state after commit {saved.number:,}; {entries}, up to commit "
        f"{saved.last:,}, and need the reducer of the program: imd show {file} app.py:reduce"
    )


def diff(arguments: argparse.Namespace) -> int:
    """Prints the JSON Patch from the state after one commit to that after another."""
    output = Output(arguments.json)
    operands = f" {arguments.a} {arguments.b}"
    with progress(f"reading {arguments.file}"):
        states = []
        for number in (arguments.a, arguments.b):
            opened = open_past(
                arguments.file,
                number,
                arguments.reducer,
                arguments.library,
                "diff",
                operands=operands,
            )
            with opened.store as store:
                states.append(store.state)
    old, new = states
    patch = difference(old, new)
    if output.is_json:
        output.data(patch)
        return 0
    print_patch(output, old, patch)
    return 0


def print_patch(output: Output, state: Any, patch: list[dict[str, Any]]) -> None:
    """Prints a JSON Patch of a state for people: what was at each path, and what is there now."""
    for operation in patch:
        path = operation["path"]
        output.line(output.style(f"@@ {path or 'the whole state'}", "cyan"))
        if operation["op"] == "move":
            output.line(output.style(f"  moved from {operation['from']}", "cyan"))
        if operation["op"] in ("remove", "replace"):
            before = state.at(path) if path else state
            output.line(output.style(fold(f"- {json_of(before)}", output.width), "red"))
        if "value" in operation:
            after = fold(f"+ {to_line(operation['value'])}", output.width)
            output.line(output.style(after, "green"))
        if isinstance(state, imd.Value):  # The next path is one of the state that this leads to.
            state = state.patch([operation])
