"""imd show and imd diff: states that a log once had."""

from __future__ import annotations

import argparse
from typing import Any

from .interactive.values import difference
from .output import Output, fold, json_of, to_line
from .outputs import Outputs
from .progress import progress
from .stores import open_past


def show(arguments: argparse.Namespace) -> int:
    """Prints the state after a commit, or outputs of selectors and queries for it."""
    output = Output(arguments.json)
    with progress(f"reading {arguments.file}"):
        opened = open_past(
            arguments.file, arguments.at, arguments.store, arguments.library, "show"
        )
    with opened.store as store:
        outputs = Outputs(opened, arguments.outputs)
        for read in outputs or [lambda: store.query_json("@")]:
            output.value(read())
    return 0


def diff(arguments: argparse.Namespace) -> int:
    """Prints the JSON Patch from the state after one commit to that after another."""
    output = Output(arguments.json)
    with progress(f"reading {arguments.file}"):
        states = []
        for number in (arguments.a, arguments.b):
            opened = open_past(
                arguments.file, number, arguments.store, arguments.library, "diff"
            )
            with opened.store as store:
                states.append(store.state)
    old, new = states
    patch = difference(old, new)
    if output.is_json:
        output.data(patch)
        return 0
    for operation in patch:
        print_operation(output, old, operation)
    return 0


def print_operation(output: Output, old: Any, operation: dict[str, Any]) -> None:
    """Prints an operation of a JSON Patch for people: what was there, and what is now."""
    path = operation["path"]
    output.line(output.style(f"@@ {path or 'the whole state'}", "cyan"))
    if operation["op"] in ("remove", "replace"):
        before = old.at(path) if path else old
        output.line(output.style(fold(f"- {json_of(before)}", output.width), "red"))
    if "value" in operation:
        output.line(output.style(fold(f"+ {to_line(operation['value'])}", output.width), "green"))
