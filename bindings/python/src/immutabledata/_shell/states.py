"""imd show and imd diff: states that a log once had."""

from __future__ import annotations

import argparse
import os
from typing import Any

import immutabledata as imd

from .interactive.values import difference
from .output import Output, fold, json_of, to_line
from .outputs import Outputs
from .progress import progress
from .stores import OpenedStore, is_domain, load_library, open_past, open_store


def show(arguments: argparse.Namespace) -> int:
    """Prints the state after a commit, or outputs of selectors and queries for it."""
    output = Output(arguments.json)
    with progress(f"reading {arguments.file}"):
        opened = _open(arguments)
    with opened.store as store:
        outputs = Outputs(opened, arguments.outputs)
        for read in outputs or [lambda: store.query_json("@")]:
            output.value(read())
    return 0


def _open(arguments: argparse.Namespace) -> OpenedStore:
    """The log, or the store of a domain, such as one that keeps its records in a database."""
    path, library = arguments.file, arguments.library
    if arguments.at is None and arguments.reducer is None and not os.path.exists(path):
        if is_domain(path, load_library(library)):
            return open_store(path, command="show", library=library, options=arguments.options)
    return open_past(path, arguments.at, arguments.reducer, library, "show", arguments.options)


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
        if operation["op"] in ("remove", "replace"):
            before = state.at(path) if path else state
            output.line(output.style(fold(f"- {json_of(before)}", output.width), "red"))
        if "value" in operation:
            after = fold(f"+ {to_line(operation['value'])}", output.width)
            output.line(output.style(after, "green"))
        if isinstance(state, imd.Value):  # The next path is one of the state that this leads to.
            state = state.patch([operation])
