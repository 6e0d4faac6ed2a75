"""The arguments of imd: one parser, from which the help, the man page and the completion come."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import Any, NoReturn

from .failure import USAGE, CommandError

STORE_HELP = "a domain, a log, or app.py:store; an empty store if left out"
REDUCER_HELP = "app.py:store or app.py:reduce; logs of domains and of imd need none"


class Parser(argparse.ArgumentParser):
    """A parser whose errors are short, and which shows examples."""

    def __init__(self, *, examples: str = "", **options: Any) -> None:
        super().__init__(
            formatter_class=argparse.RawDescriptionHelpFormatter,
            epilog=f"examples:\n{examples}" if examples else None,
            allow_abbrev=False,
            **options,
        )
        self.examples = examples

    def error(self, message: str) -> NoReturn:
        raise CommandError(f"{message}; see {self.prog} --help", USAGE)


def parse(argv: Sequence[str]) -> argparse.Namespace:
    """Parses arguments; module says which module has the command.

    Raises CommandError: they are wrong.
    Raises SystemExit: the help or the version was shown.
    """
    return make_parser().parse_args(argv)


def make_parser() -> Parser:
    """Makes the parser of imd."""
    parser = Parser(
        prog="imd",
        description="A shell for stores and their logs. imd alone opens an empty store.",
        examples=_EXAMPLES,
    )
    parser.add_argument("--version", action="version", version=f"imd {_version()}")
    parser.set_defaults(module="interactive", store=None, log=None, library=None, state=None)
    parser.set_defaults(read_only=False)
    commands = parser.add_subparsers(
        title="commands", metavar="COMMAND", dest="command", parser_class=Parser
    )
    _add_shell(commands)
    return parser


_EXAMPLES = """\
  imd                                   try an empty store
  imd shell todo.imd                    a store that todo.imd keeps
"""


def _version() -> str:
    import immutabledata

    return immutabledata.version()


def _add(commands: Any, name: str, module: str, help: str, examples: str, **options: Any) -> Parser:
    parser: Parser = commands.add_parser(
        name, help=help, description=options.pop("description", f"{help[0].upper()}{help[1:]}."),
        examples=examples,
    )
    parser.set_defaults(module=module)
    return parser


def _add_store_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("store", metavar="STORE", nargs="?", help=STORE_HELP)
    parser.add_argument("--log", metavar="FILE", help="the file that keeps the store")
    parser.add_argument("--library", metavar="FILE", help="a library with more domains")
    parser.add_argument("--state", metavar="JSON", help="the initial state of a new store")


def _add_shell(commands: Any) -> None:
    parser = _add(
        commands,
        "shell",
        "interactive",
        "open a store and type actions and expressions",
        "  imd shell                             try an empty store\n"
        "  imd shell counter                     the store of a domain\n"
        "  imd shell todo.imd                    a store that todo.imd keeps\n"
        "  imd shell app.py:store                the store of a program\n"
        "  imd shell todo.imd --read-only        follow the log of another process\n",
    )
    _add_store_options(parser)
    parser.add_argument(
        "--read-only", action="store_true", help="follow the log, which another process writes"
    )
