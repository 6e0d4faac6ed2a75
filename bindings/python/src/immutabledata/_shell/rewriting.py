"""imd compact, imd migrate and imd backup: a log becomes another file."""

from __future__ import annotations

import argparse
import os
import tempfile
from typing import Any

import immutabledata as imd

from .failure import USAGE, CommandError
from .files import copy_lines, new_file
from .header import read_header
from .output import Output, size_text
from .programs import load_object
from .progress import progress
from .stores import load_library, reducer_for


def backup(arguments: argparse.Namespace) -> int:
    """Copies a log, also while a store writes it, and verifies the copy."""
    output = Output(arguments.json)
    target = arguments.to
    if os.path.isdir(target):
        target = os.path.join(target, os.path.basename(arguments.file))
    read_header(arguments.file)
    with progress(f"copying {arguments.file}") as shown, new_file(target) as part:
        copy_lines(arguments.file, part)
        found = imd.log.verify(part, progress=shown)
    if output.is_json:
        output.data({"file": target, "entries": found["entries"], "bytes": found["bytes"]})
    else:
        size = size_text(found["bytes"])
        output.line(f"{target}: {found['entries']:,} entries, {size}, verified")
    return 0


def compact(arguments: argparse.Namespace) -> int:
    """Writes a log anew, with the present state as its base."""
    output = Output(arguments.json)
    library = load_library(arguments.library)
    path = arguments.file
    reducer = reducer_for(path, read_header(path), arguments.store, library, "compact")
    before = os.path.getsize(path)
    with progress(f"compacting {path}"):
        library.log.compact(path, reducer, keep=arguments.keep)
    after = os.path.getsize(path)
    if output.is_json:
        output.data({"file": path, "before": before, "after": after})
    else:
        output.line(f"{path}: {size_text(before)} became {size_text(after)}")
    return 0


def migrate(arguments: argparse.Namespace) -> int:
    """Brings a log to another version; with --dry-run only a copy of it."""
    output = Output(arguments.json)
    path = arguments.file
    header = read_header(path)
    with tempfile.TemporaryDirectory(prefix="imd-") as folder:
        copy = os.path.join(folder, "copy.imd")
        with progress(f"migrating a copy of {path}"):
            copy_lines(path, copy)
            version = _migrate(copy, path, arguments)
            found = imd.log.verify(copy)
    if not arguments.dry_run:
        with progress(f"migrating {path}"):
            _migrate(path, path, arguments)
    facts = {"file": path, "from": header.version, "to": version, "entries": found["entries"]}
    if output.is_json:
        output.data({**facts, "dryRun": arguments.dry_run})
        return 0
    verb = "would go" if arguments.dry_run else "went"
    change = f"{verb} from version {header.version} to {version}"
    if header.version == version:
        change = f"has version {version} already"
    output.line(f"{path} {change}; {found['entries']:,} entries")
    return 0


def _migrate(used: str, path: str, arguments: argparse.Namespace) -> int:
    """Migrates a file, which is the log at a path or its copy, and returns its version."""
    library = load_library(arguments.library)
    header = read_header(path)
    if header.domain is not None:  # It migrates its logs by itself.
        library.open(header.domain, log=used, **header.options).close()
        return read_header(used).version
    if not arguments.migrations:
        raise CommandError(
            f"name the migrations and the new reducer, as in: imd migrate {path} app.py:reduce "
            "--migrations app.py:migrations",
            USAGE,
        )
    reducer = reducer_for(path, header, arguments.store, library, "migrate")
    migrations = [each for name in arguments.migrations for each in _load_migrations(name)]
    version = arguments.to
    if version is None:
        version = 1 + max(migration.from_version for migration in migrations)
    library.log.migrate(used, version, migrations, reducer)
    return read_header(used).version


def _load_migrations(name: str) -> list[Any]:
    found = load_object(name)
    listed = [found] if isinstance(found, imd.Migration) else found
    if not isinstance(listed, (list, tuple)) or not listed:
        raise CommandError(f"{name} is neither a migration nor a list of migrations")
    for each in listed:
        if not isinstance(each, imd.Migration):
            raise CommandError(f"{name} has a {type(each).__name__}, which is no migration")
    return list(listed)
