"""imd export and imd import: logs and the Redux DevTools."""

from __future__ import annotations

import argparse
import sys

from .failure import USAGE, CommandError
from .header import read_header
from .output import Output
from .programs import is_program
from .progress import progress
from .stores import load_library, load_reducer, reducer_for, require_domain


def export(arguments: argparse.Namespace) -> int:
    """Prints a log as JSON that the Redux DevTools import."""
    library = load_library(arguments.library)
    path = arguments.file
    reducer = reducer_for(path, read_header(path), arguments.reducer, library, "export")
    with progress(f"exporting {path}"):
        text = library.log.export(path, reducer)
    Output(as_json=True).line(text)
    return 0


def import_(arguments: argparse.Namespace) -> int:
    """Makes a log of what the Redux DevTools have exported."""
    library = load_library(arguments.library)
    name, path = arguments.reducer, arguments.file
    reducer, domain = (load_reducer(name), None) if is_program(name) else (None, name)
    if domain is not None:
        require_domain(domain, library)
    if sys.stdin.isatty():
        raise CommandError(
            f"the export is read from a pipe or file: imd import {path} {name} < export.json", USAGE
        )
    text = sys.stdin.buffer.read()
    if not text.strip():
        raise CommandError("standard input is empty; it should have an export", USAGE)
    with progress(f"importing {path}"):
        library.log.import_(path, text, reducer, domain=domain)
    return 0
