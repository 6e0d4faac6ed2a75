"""The command line."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from functools import partial
from importlib.metadata import version
from pathlib import Path
from typing import Any

import immutabledata as imd
from immutabledata_terminal.command_line import default_path, fail, prepare_default_path, run

from .app import QuakesApp
from .time_zone import TimeZone

NAME = "immutabledata-quakes"


def parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog=NAME, description="Shows earthquakes in a list and a map."
    )
    parser.add_argument("--version", action="version", version=f"{NAME} {version(NAME)}")
    parser.add_argument(
        "--store",
        metavar="PATH",
        help=f"the file to store them in (default: {default_path('quakes.sqlite')})",
    )
    parser.add_argument(
        "--feed",
        metavar="URL",
        help="the base address of the feed (default: that of the U.S. Geological Survey)",
    )
    parser.add_argument(
        "--time-zone",
        metavar="NAME",
        help="the time zone in which days begin, such as Europe/Berlin (default: the system's)",
    )
    return parser.parse_args(arguments)


def make_app(options: argparse.Namespace, zone: TimeZone) -> QuakesApp:
    path = prepare_default_path("quakes.sqlite") if options.store is None else options.store
    arguments: dict[str, Any] = {"store": str(path)}
    if options.feed is not None:
        arguments["feed"] = options.feed
    return QuakesApp(partial(imd.open, "quakes", **arguments), Path(path).name, zone)


def main(arguments: Sequence[str] | None = None) -> int:
    options = parse(arguments)
    try:
        zone = TimeZone(options.time_zone)
    except ValueError as error:
        return fail(NAME, error)
    return run(NAME, lambda: make_app(options, zone))


if __name__ == "__main__":
    sys.exit(main())
