"""imd compact, share, unshare, migrate and backup: a log becomes another file."""

from __future__ import annotations

import argparse
import itertools
import os
import tempfile
import warnings
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import immutabledata as imd

from .failure import REFUSED, USAGE, CommandError, naming
from .files import copy_lines, new_file
from .header import read_header
from .output import Output, report, size_text
from .programs import load_object
from .progress import progress
from .stores import load_library, reducer_for


def backup(arguments: argparse.Namespace) -> int:
    """Copies a log, also while a store writes it, and verifies the copy."""
    output = Output(arguments.json)
    path, target = arguments.file, arguments.to
    if os.path.isdir(target):
        target = os.path.join(target, os.path.basename(path))
    read_header(path)
    with progress(f"copying {path}") as shown, new_file(target, like=path) as part:
        copy_lines(path, part)
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
    path = arguments.file
    before = os.path.getsize(path)
    with progress(f"compacting {path}"):
        _compact(arguments, "compact", keep=arguments.keep)
    after = os.path.getsize(path)
    if output.is_json:
        output.data({"file": path, "before": before, "after": after})
    else:
        output.line(f"{path}: {size_text(before)} became {size_text(after)}")
    return 0


def share(arguments: argparse.Namespace) -> int:
    """Makes a log one that several programs write."""
    return _convert(arguments, "share", "is shared", True)


def unshare(arguments: argparse.Namespace) -> int:
    """Makes a shared log one that one program writes."""
    return _convert(arguments, "unshare", "is not shared", False)


def _convert(arguments: argparse.Namespace, command: str, what: str, shared: bool) -> int:
    output = Output(arguments.json)
    path = arguments.file
    changes = read_header(path).is_shared != shared
    if changes:
        with progress(f"writing {path} anew"):
            _compact(arguments, command, shared=shared)
    if output.is_json:
        output.data({"file": path, "shared": shared, "changed": changes})
    else:
        output.line(f"{path} {what} {'now' if changes else 'already'}")
    return 0


def _compact(arguments: argparse.Namespace, command: str, **options: Any) -> None:
    """Writes a log anew."""
    library = load_library(arguments.library)
    path = arguments.file
    reducer = reducer_for(path, read_header(path), arguments.reducer, library, command)
    if arguments.reducer is not None and reducer is not None:
        _require_effect(path, reducer, arguments.reducer)
    library.log.compact(path, reducer, **options)


def _require_effect(path: str, reducer: Any, name: str) -> None:
    """Raises CommandError: no action of a log changes the state, as with a wrong reducer."""
    has_action = False
    for _, has_effect in _effects(path, reducer):
        if has_effect:
            return
        has_action = True
    if has_action:
        message = f"no action of {path} changes the state of {name}; is that its reducer?"
        raise CommandError(message, REFUSED)


def migrate(arguments: argparse.Namespace) -> int:
    """Brings a log to another version; with --dry-run only a copy of it."""
    output = Output(arguments.json)
    path = arguments.file
    header = read_header(path)
    with tempfile.TemporaryDirectory(prefix="imd-") as folder:
        copy = os.path.join(folder, "copy.imd")
        with progress(f"migrating a copy of {path}"), naming(path, copy):
            copy_lines(path, copy)
            version = _migrate(copy, path, arguments)
            found = imd.log.verify(copy)
            ignored = {} if header.domain else _ignored(copy, arguments)
    old = None
    if not arguments.dry_run and header.version != version:
        old = _old_name(path, header.version)
        with progress(f"migrating {path}"):
            _migrate(path, path, arguments)
    for type, count in ignored.items():
        message = f'"{type}" changes nothing in {arguments.reducer}, {count:,} times'
        report(f"{message}; a migration can also change actions")
    facts = {"file": path, "from": header.version, "to": version, "entries": found["entries"]}
    if output.is_json:
        output.data({**facts, "dryRun": arguments.dry_run, "old": old, "ignored": ignored})
    elif header.version == version:
        output.line(f"{path} has version {version} already; {found['entries']:,} entries")
    else:
        verb = "would go" if arguments.dry_run else "went"
        kept = f"; the old file is {old}" if old else ""
        change = f"from version {header.version} to {version}"
        output.line(f"{path} {verb} {change}; {found['entries']:,} entries{kept}")
    return REFUSED if ignored else 0


def _old_name(path: str, version: int) -> str:
    """The name that a file gets when it is migrated from a version."""
    real = os.path.realpath(path) if os.path.islink(path) else path
    for suffix in itertools.chain([""], (f"-{number}" for number in itertools.count(2))):
        old = f"{real}-v{version}{suffix}"
        if not os.path.lexists(old):
            return old
    raise AssertionError


def _ignored(path: str, arguments: argparse.Namespace) -> dict[str, int]:
    """The types of actions of a migrated log none of which changes the state, and how many there
    are. Undone steps count as if they had stayed.
    """
    library = load_library(arguments.library)
    reducer = reducer_for(path, read_header(path), arguments.reducer, library, "migrate")
    counts: Counter[str] = Counter()
    effective = set()
    for type, has_effect in _effects(path, reducer):
        counts[type] += 1
        if has_effect:
            effective.add(type)
    return {type: count for type, count in sorted(counts.items()) if type not in effective}


def _effects(path: str, reducer: Any) -> Iterator[tuple[str, bool]]:
    """The types of the actions of a log after its base, and whether each changes the state."""
    base = imd.log.verify(path)["base"]
    with imd.Store(reducer, state=imd.log.state_at(path, base, reducer)) as store:
        # A combined reducer adds what the state lacks to it, for any action.
        _has_effect(store, {"type": "imd/nothing"})
        for entry in imd.log.entries(path, base + 1):
            for action in entry.actions:
                yield action["type"], _has_effect(store, action)


def _has_effect(store: imd.Store[Any], action: Any) -> bool:
    before = store.state
    with warnings.catch_warnings(), suppress(Exception):
        warnings.simplefilter("ignore")
        store.dispatch(action)
    return bool(store.state != before)


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
    reducer = reducer_for(path, header, arguments.reducer, library, "migrate")
    migrations = [each for name in arguments.migrations for each in _load_migrations(name)]
    version = arguments.to
    if version is None:
        version = 1 + max(migration.from_version for migration in migrations)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", imd.LikelyMistakeWarning)  # imd says it itself.
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
