"""imd completion: scripts that complete commands, made from the parser."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Iterator

import immutabledata as imd

from .arguments import Parser, commands_of, make_parser, operands_of, options_of


def run(arguments: argparse.Namespace) -> int:
    """Prints the script for a shell."""
    write = {"bash": bash, "zsh": zsh, "fish": fish}[arguments.shell]
    sys.stdout.write("\n".join(write(make_parser())) + "\n")
    return 0


def bash(parser: Parser) -> Iterator[str]:
    """The lines of the script for bash. What is no command or option is the name of a file."""
    yield "# Completion of imd in bash."
    yield "_imd() {"
    yield "  local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]} words"
    yield "  if ((COMP_CWORD == 1)); then"
    yield f"    words='{' '.join(_first_words(parser))}'"
    yield f"    [[ $current == -* ]] && words='{' '.join(_names(parser))}'"
    yield "  else"
    yield "    local command=${COMP_WORDS[1]} more="
    yield '    case "$COMP_CWORD $command" in'
    for name, words in _second_words(parser).items():
        yield f"      '2 {name}') more='{' '.join(words)}';;"
    yield "    esac"
    yield '    ((COMP_CWORD > 2)) && case "$command ${COMP_WORDS[2]}" in'
    yield f"      {'|'.join(map(_quoted, _double(parser)))}) command+=\" ${{COMP_WORDS[2]}}\";;"
    yield "    esac"
    yield '    case "$command" in'
    for name, (_, command) in commands_of(parser).items():
        yield f"      {_quoted(name)})"
        yield f"        words='{' '.join(_words(command))}'\" $more\""
        yield f"        [[ $current == -* ]] && words='{' '.join(_names(command))}'"
        yield f"        case $previous in {'|'.join(_with_value(command)) or '-'}) words=;; esac;;"
    yield "    esac"
    yield "  fi"
    yield '  COMPREPLY=($(compgen -W "$words" -- "$current"))'
    yield "}"
    yield "complete -o default -F _imd imd"


def zsh(parser: Parser) -> Iterator[str]:
    """The lines of the script for zsh: a file for fpath, or a text for eval."""
    yield "#compdef imd"
    yield "# Completion of imd in zsh."
    yield "_imd() {"
    yield "  local -a commands"
    yield "  commands=("
    for name, (summary, _) in commands_of(parser).items():
        if " " not in name:
            yield f"    {_quoted(f'{name}:{summary}')}"
    yield "  )"
    yield "  if ((CURRENT == 2)); then"
    yield "    _describe -t commands command commands"
    yield f"    _arguments {' '.join(_zsh_options(parser))}"
    yield "    return"
    yield "  fi"
    yield "  shift words"
    yield "  ((CURRENT--))"
    for name, words in _second_words(parser).items():
        yield f"  [[ $CURRENT == 2 && $words[1] == {name} ]] && compadd -- {' '.join(words)}"
    for name in _double(parser):
        yield f'  if ((CURRENT > 2)) && [[ "$words[1] $words[2]" == {_quoted(name)} ]]; then'
        yield f"    words=({_quoted(name)} \"${{(@)words[3,-1]}}\")"
        yield "    ((CURRENT--))"
        yield "  fi"
    yield '  case "$words[1]" in'
    for name, (_, command) in commands_of(parser).items():
        choices = " ".join(_choices(command))
        rest = f"*:{name}:({choices})" if choices else "*:file:_files"
        yield f"    {_quoted(name)})"
        yield "      _arguments \\"
        for option in _zsh_options(command):
            yield f"        {option} \\"
        yield f"        {_quoted(rest)}"
        yield "      ;;"
    yield "  esac"
    yield "}"
    yield 'if [ "$funcstack[1]" = _imd ]; then _imd "$@"; else compdef _imd imd; fi'


def fish(parser: Parser) -> Iterator[str]:
    """The lines of the script for fish."""
    yield "# Completion of imd in fish."
    commands = commands_of(parser)
    for name, (summary, _) in commands.items():
        if " " not in name:
            yield f"complete -c imd -n __fish_use_subcommand -f -a {name} -d {_quoted(summary)}"
    yield from _fish_options("__fish_use_subcommand", parser)
    for name, (summary, command) in commands.items():
        first, _, second = name.partition(" ")
        seen = f"__fish_seen_subcommand_from {first}"
        others = _second_words(parser).get(first, [])
        if second:
            condition = _quoted(f"{seen}; and not __fish_seen_subcommand_from {' '.join(others)}")
            yield f"complete -c imd -n {condition} -a {second} -d {_quoted(summary)}"
            seen += f"; and __fish_seen_subcommand_from {second}"
        elif others:
            seen += f"; and not __fish_seen_subcommand_from {' '.join(others)}"
        condition = _quoted(seen)
        choices = " ".join(_choices(command))
        if choices:
            yield f"complete -c imd -n {condition} -f -a {_quoted(choices)}"
        yield from _fish_options(condition, command)


def _first_words(parser: Parser) -> list[str]:
    """The commands of one word."""
    return [name for name in commands_of(parser) if " " not in name]


def _double(parser: Parser) -> list[str]:
    """The commands of two words, such as "log init"."""
    return [name for name in commands_of(parser) if " " in name]


def _second_words(parser: Parser) -> dict[str, list[str]]:
    """The second words that a command may have."""
    words: dict[str, list[str]] = {}
    for name in _double(parser):
        first, _, second = name.partition(" ")
        words.setdefault(first, []).append(second)
    return words


def _names(parser: Parser) -> Iterable[str]:
    return (name for option in options_of(parser) for name in option.option_strings)


def _with_value(parser: Parser) -> Iterable[str]:
    """The names of the options that take a value."""
    options = (option for option in options_of(parser) if option.nargs != 0)
    return (name for option in options for name in option.option_strings)


def _words(parser: Parser) -> list[str]:
    """What an argument may be, besides the name of a file."""
    names = {operand.metavar for operand in operands_of(parser)}
    domains = (domain["name"] for domain in imd.domains()) if names & _DOMAINS else ()
    return [*_choices(parser), *domains]


# The arguments that may be domains.
_DOMAINS = {"STORE", "REDUCER", "DOMAIN"}


def _choices(parser: Parser) -> list[str]:
    """The words of which an argument must be one."""
    return [str(choice) for operand in operands_of(parser) for choice in operand.choices or ()]


def _zsh_options(parser: Parser) -> Iterator[str]:
    for option in options_of(parser):
        help = (option.help or "").replace("[", "(").replace("]", ")").replace(":", "\\:")
        value = "" if option.nargs == 0 else f":{option.metavar}:"
        if option.metavar == "FILE":
            value += "_files"
        for name in option.option_strings:
            yield _quoted(f"*{name}[{help}]{value}")


def _fish_options(condition: str, parser: Parser) -> Iterator[str]:
    for option in options_of(parser):
        names = " ".join(
            f"-l {name[2:]}" if name.startswith("--") else f"-s {name[1:]}"
            for name in option.option_strings
        )
        kind = "" if option.nargs == 0 else " -r" if option.metavar == "FILE" else " -x"
        help = _quoted(option.help or "")
        yield f"complete -c imd -n {condition} {names}{kind} -d {help}"


def _quoted(text: str) -> str:
    """A text as one word of a shell."""
    return "'" + text.replace("'", "'\\''") + "'"
