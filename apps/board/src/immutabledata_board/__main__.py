"""The command line."""

from __future__ import annotations

import argparse
import getpass
import os
import sys
from collections.abc import Sequence
from functools import partial
from importlib.metadata import version
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import immutabledata as imd
from immutabledata_terminal import printable
from immutabledata_terminal.command_line import default_path, prepare_default_path, run

from .app import BoardApp
from .changes import Changes
from .store import is_shared, open_store

NAME = "immutabledata-board"


def parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog=NAME, description="Shows a kanban board.")
    parser.add_argument("--version", action="version", version=f"{NAME} {version(NAME)}")
    parser.add_argument(
        "path",
        metavar="PATH",
        nargs="?",
        type=Path,
        help=f"the file with the board (default: {default_path('board.imd')})",
    )
    parser.add_argument(
        "--shared",
        action="store_true",
        help="make a new board one that several programs change at once",
    )
    parser.add_argument(
        "--log",
        metavar="ADDRESS",
        help="in place of PATH: a board that a server keeps, such as "
        "postgresql://host/database?log=board",
    )
    parser.add_argument(
        "--author", metavar="NAME", help="your name in a shared board (default: that of the user)"
    )
    return parser.parse_args(arguments)


def user_name() -> str:
    try:
        return getpass.getuser()
    except (KeyError, OSError):  # The user has no entry in the database.
        return str(os.getuid())


def make_app(options: argparse.Namespace) -> BoardApp:
    if options.log is not None:
        return make_app_of(options)
    path: Path = options.path or prepare_default_path("board.imd")
    found = is_shared(path)
    if options.shared and found is False:
        raise imd.InvalidArgumentError(
            f"{path} is not shared; to share it, run: imd share {path} immutabledata_board:reduce"
        )
    shares = options.shared or found is True
    if options.author is not None and not shares:
        raise imd.InvalidArgumentError("--author is for a shared board; add --shared")
    changes = Changes(options.author or user_name(), shares)
    author = changes.author if shares else None
    return BoardApp(partial(open_store, path, author), printable(path.name), changes)


def make_app_of(options: argparse.Namespace) -> BoardApp:
    """Makes the application of a board that a server keeps."""
    if "://" not in options.log:
        raise imd.InvalidArgumentError("--log is for an address with ://; pass a file as PATH")
    if options.path is not None or options.shared:
        raise imd.InvalidArgumentError("--log is in place of PATH and --shared")
    changes = Changes(options.author or user_name(), True)
    names = parse_qs(urlsplit(options.log).query).get("log", ["board"])
    return BoardApp(partial(open_store, options.log, changes.author), printable(names[0]), changes)


def main(arguments: Sequence[str] | None = None) -> int:
    options = parse(arguments)
    return run(NAME, lambda: make_app(options))


if __name__ == "__main__":
    sys.exit(main())
