"""The command line."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from functools import partial
from importlib.metadata import version
from pathlib import Path

import immutabledata as imd
from immutabledata_terminal.command_line import default_path, prepare_default_path, run

from .app import AnimalsApp

NAME = "immutabledata-animals"

TOKEN = "IMMUTABLEDATA_ANIMALS_TOKEN"
"""An environment variable: other users of the machine could read a token on the command line."""


def parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog=NAME, description="Browse and edit animals by category.")
    parser.add_argument("--version", action="version", version=f"{NAME} {version(NAME)}")
    location = parser.add_mutually_exclusive_group()
    location.add_argument(
        "--store",
        metavar="PATH",
        help=f"the file to store them in (default: {default_path('animals.sqlite')})",
    )
    location.add_argument(
        "--remote", metavar="URL", help="the server that stores them, such as http://127.0.0.1:8080"
    )
    parser.add_argument(
        "--token-file",
        metavar="PATH",
        help="the file whose first line is the token that the server requires "
        f"(default: the environment variable {TOKEN})",
    )
    options = parser.parse_args(arguments)
    if options.token_file is not None and options.remote is None:
        parser.error("--token-file is for a server; add --remote")
    return options


def make_app(options: argparse.Namespace) -> AnimalsApp:
    if options.remote is not None:
        arguments = {"remote": options.remote}
        token = read_token(options.token_file)
        if token is not None:
            arguments["token"] = token
        return AnimalsApp(partial(imd.open, "animals", **arguments), options.remote)
    path = prepare_default_path("animals.sqlite") if options.store is None else options.store
    return AnimalsApp(partial(imd.open, "animals", store=str(path)), Path(path).name)


def read_token(path: str | None) -> str | None:
    """The token for the server, from a file or from the environment."""
    if path is None:
        return os.environ.get(TOKEN) or None
    try:
        with open(path, encoding="utf-8") as file:
            return file.readline().rstrip("\r\n")
    except OSError as error:
        raise OSError(f'cannot read the token file "{path}": {error.strerror}') from error


def main(arguments: Sequence[str] | None = None) -> int:
    options = parse(arguments)
    return run(NAME, lambda: make_app(options))


if __name__ == "__main__":
    sys.exit(main())
