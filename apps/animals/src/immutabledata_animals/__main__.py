"""The command line: which animals to open."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from functools import partial
from pathlib import Path

import immutabledata as imd

from .app import AnimalsApp


def parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="immutabledata-animals", description="Browse and edit animals by category."
    )
    where = parser.add_mutually_exclusive_group()
    where.add_argument(
        "--store", metavar="PATH", help=f"a file to keep them in (default: {default_store()})"
    )
    where.add_argument(
        "--remote", metavar="URL", help="a server that has them, such as http://127.0.0.1:8080"
    )
    return parser.parse_args(arguments)


def default_store() -> Path:
    """In the user's folder of data, as the XDG Base Directory Specification has it."""
    folder = os.environ.get("XDG_DATA_HOME") or Path.home() / ".local/share"
    return Path(folder, "immutabledata", "animals.sqlite")


def make_app(options: argparse.Namespace) -> AnimalsApp:
    if options.remote is not None:
        return AnimalsApp(partial(imd.open, "animals", remote=options.remote), options.remote)
    path = Path(options.store or default_store())
    if options.store is None:
        path.parent.mkdir(parents=True, exist_ok=True)
    return AnimalsApp(partial(imd.open, "animals", store=str(path)), path.name)


def main(arguments: Sequence[str] | None = None) -> int:
    options = parse(arguments)
    try:
        app = make_app(options)
    except (imd.Error, OSError) as error:
        print(f"immutabledata-animals: {error}", file=sys.stderr)
        return 1
    app.run()
    return app.return_code or 0


if __name__ == "__main__":
    sys.exit(main())
