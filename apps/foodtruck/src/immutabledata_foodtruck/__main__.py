"""The command line."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from functools import partial
from importlib.metadata import version

import immutabledata as imd
from immutabledata_terminal.command_line import run

from .app import FoodTruckApp
from .legacy import FoodTruckModel

NAME = "immutabledata-foodtruck"


def parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog=NAME, description="Shows the orders of a food truck.")
    parser.add_argument("--version", action="version", version=f"{NAME} {version(NAME)}")
    parser.add_argument(
        "--seed",
        type=int,
        default=1,
        metavar="NUMBER",
        help="determines the orders that are generated (default: 1)",
    )
    return parser.parse_args(arguments)


def make_app(options: argparse.Namespace) -> FoodTruckApp:
    return FoodTruckApp(partial(imd.open, "foodtruck"), FoodTruckModel(options.seed))


def main(arguments: Sequence[str] | None = None) -> int:
    options = parse(arguments)
    return run(NAME, lambda: make_app(options))


if __name__ == "__main__":
    sys.exit(main())
