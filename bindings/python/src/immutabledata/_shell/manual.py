"""The manual page of imd, made from the parser.

python -m immutabledata._shell.manual > docs/imd.1
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator

from .arguments import Parser, commands_of, make_parser, operands_of, options_of
from .failure import EXIT_CODES

_STORE = [
    (
        "nothing",
        "An empty store, the scratch store. Its state is {} at first; --state begins with another "
        "object, or with an array. Its actions are set, remove, append, merge and patch; .schema "
        "in the shell describes them.",
    ),
    (
        "a log, perhaps with a REDUCER",
        "A file that keeps a store. REDUCER is a domain, or app.py:name, and names what the log is "
        "of; that of a domain or a scratch store says so itself. If there is no such file, and the "
        "name has a dot or a slash, it is made, for REDUCER or a scratch store.",
    ),
    ("a domain", "The name of a domain of the library, such as counter; imd domains lists them."),
    (
        "app.py:name, package.module:name",
        "A store of a program, a function without parameters that makes one, or a reducer, also a "
        "Slice or a combined one. --state is the initial state if a reducer has none. The program "
        'is imported, so it should do its own work only under if __name__ == "__main__".',
    ),
]

_OUTPUT = (
    "On a terminal, imd prints text and tables, with colour. In a pipe, or with --json, it prints "
    "JSON Lines: one value in each line, without colour, and in UTF-8. Messages go to standard "
    "error. On a terminal, what takes longer than a second shows its progress there."
)

_ENVIRONMENT = [
    ("NO_COLOR", "If it is not empty, nothing has colour; neither has it if TERM is dumb."),
    ("IMMUTABLEDATA_LIBRARY", "The path of the library to load instead of the default one."),
    ("XDG_STATE_HOME", "The folder of imd/history, the lines typed in the shell; ~/.local/state."),
]


def manual() -> str:
    """The manual page, in the macros of man(7)."""
    return "\n".join(_lines(make_parser())) + "\n"


def _lines(parser: Parser) -> Iterator[str]:
    commands = commands_of(parser)
    yield '.\\" Made by python -m immutabledata._shell.manual; do not edit.'
    yield ".TH IMD 1"
    yield ".SH NAME"
    yield f"imd \\- {_text('a shell for stores of immutabledata, and commands for their logs')}"
    yield ".SH SYNOPSIS"
    yield ".B imd"
    for name, (_, command) in commands.items():
        yield ".br"
        yield f".B imd {name}"
        yield _synopsis(command)
    yield ".SH DESCRIPTION"
    yield _text(parser.description or "")
    yield from _examples(parser)
    yield ".SH COMMANDS"
    for name, (_, command) in commands.items():
        yield f".SS imd {name}"
        for number, paragraph in enumerate((command.description or "").split("\n\n")):
            if number:
                yield ".PP"
            yield _text(paragraph.replace("\n", " "))
        for argument in [*operands_of(command), *options_of(command)]:
            if argument.dest != "help":
                yield ".TP"
                yield _name(argument)
                yield _text(_help(argument))
        yield from _examples(command)
    yield ".SH STORES"
    yield _text("STORE, the first argument of imd shell and imd run, is one of these:")
    yield from _definitions(_STORE)
    yield ".SH OUTPUT"
    yield _text(_OUTPUT)
    yield ".SH EXIT STATUS"
    yield from _definitions([(str(code), meaning) for code, meaning in EXIT_CODES.items()])
    yield ".SH ENVIRONMENT"
    yield from _definitions(_ENVIRONMENT)
    yield ".SH SEE ALSO"
    yield _text("docs/shell.md and docs/log.md of immutabledata, jq(1)")


def _synopsis(parser: Parser) -> str:
    words = []
    for option in options_of(parser):
        if option.dest != "help":
            words.append(f"[{option.option_strings[-1]}{_value(option)}]")
    for operand in operands_of(parser):
        name = str(operand.metavar or "|".join(map(str, operand.choices or ())))
        if operand.nargs == "+":
            name += " ..."
        words.append(f"[{name}]" if operand.nargs == "?" else name)
    return _text(" ".join(words))


def _value(option: argparse.Action) -> str:
    return f" {option.metavar}" if option.metavar else ""


def _name(argument: argparse.Action) -> str:
    if argument.option_strings:
        return f".B {_text(', '.join(argument.option_strings) + _value(argument))}"
    return f".I {_text(str(argument.metavar or argument.dest.upper()))}"


def _help(argument: argparse.Action) -> str:
    text = (argument.help or "").rstrip(".")
    if argument.choices and not argument.metavar:
        text += f": {', '.join(map(str, argument.choices))}"
    is_name = ":" in text.partition(" ")[0]
    return f"{text}." if is_name else f"{text[:1].upper()}{text[1:]}."


def _examples(parser: Parser) -> Iterator[str]:
    yield ".PP"
    yield ".EX"
    yield from map(_text, parser.examples.rstrip("\n").split("\n"))
    yield ".EE"


def _definitions(pairs: list[tuple[str, str]]) -> Iterator[str]:
    for term, meaning in pairs:
        yield ".TP"
        yield f".B {_text(term)}"
        yield _text(meaning)


def _text(text: str) -> str:
    """A line of text, in which nothing is a request."""
    text = text.replace("\\", "\\e").replace("-", "\\-").replace('"', "\\(dq").replace("'", "\\(aq")
    return f"\\&{text}" if text.startswith(".") else text


if __name__ == "__main__":
    sys.stdout.write(manual())
