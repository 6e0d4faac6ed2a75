"""The arguments of imd: one parser, from which the help, the man page and the completion come."""

from __future__ import annotations

import argparse
import os
import re
import sys
from collections.abc import Sequence
from typing import Any, NoReturn

from .addresses import require_file
from .failure import USAGE, CommandError, did_you_mean

_EXAMPLES_TITLE = "examples:"


class _Formatter(argparse.HelpFormatter):
    """Shows paragraphs, and examples as they are."""

    def __init__(self, prog: str) -> None:
        super().__init__(prog, max_help_position=28)
        self._action_max_length = 14  # argparse forgets how far commands are indented.

    def _fill_text(self, text: str, width: int, indent: str) -> str:
        if text.startswith(_EXAMPLES_TITLE):
            lines = text.split("\n")
            if max(map(len, lines)) <= width:
                return text
            return "\n".join(_wrapped_example(line, width) for line in lines)
        fill = super()._fill_text
        return "\n\n".join(fill(paragraph, width, indent) for paragraph in text.split("\n\n"))


# A word of a command, with what is in quotes.
_WORD = re.compile(r"""(?:'[^']*'|"[^"]*"|[^\s'"])+""")


def _wrapped_example(line: str, width: int) -> str:
    """An example in lines that are no longer than a width; its command can be copied."""
    from .output import wrapped

    if not line.startswith(" "):
        return wrapped(line, width)
    command, _, comment = line.strip().partition("   ")
    lines = [" "]
    for word in _WORD.findall(command):
        if len(f"{lines[-1]} {word} \\") > width and lines[-1].strip():
            lines[-1] += " \\"
            lines.append(" " * 5)
        lines[-1] += f" {word}"
    if comment:
        lines.append(wrapped(comment.strip(), width, " " * 6))
    return "\n".join(lines)


class Parser(argparse.ArgumentParser):
    """A parser whose errors are short, and which shows examples."""

    def __init__(self, *, examples: str = "", **options: Any) -> None:
        super().__init__(
            formatter_class=_Formatter,
            epilog=f"{_EXAMPLES_TITLE}\n{examples}" if examples else None,
            allow_abbrev=False,
            **options,
        )
        self.examples = examples

    def _print_message(self, message: str, file: Any = None) -> None:
        (file or sys.stdout).write(message)  # That of argparse hides what fails.

    def error(self, message: str) -> NoReturn:
        raise CommandError(f"{message}; see {self.prog} --help", USAGE)


def parse(argv: Sequence[str]) -> argparse.Namespace:
    """Parses arguments; run names the module and the function of the command.

    Raises CommandError: they are wrong.
    Raises SystemExit: the help or the version was shown.
    """
    parser = make_parser()
    commands = commands_of(parser)
    first, *rest = argv or ("shell",)
    if first in ("-c", "--command"):
        first, rest = "shell", list(argv)
    if first.startswith("-"):
        _, unknown = parser.parse_known_args([first])
        parser.error(f'unexpected argument "{unknown[0]}"')
    if rest and f"{first} {rest[0]}" in commands:  # Such as imd log trim.
        first = f"{first} {rest.pop(0)}"
    if first not in commands:
        raise CommandError(_no_command(first, list(commands)), USAGE)
    command = commands[first][1]
    # Intermixed: a reducer may follow an option, as in imd show todo.imd --at 12 app.py:reduce.
    # That does not know --, after which a name may begin with a dash.
    parse_known = command.parse_known_intermixed_args
    arguments, unknown = (command.parse_known_args if "--" in rest else parse_known)(rest)
    if unknown:
        command.error(f'unexpected argument "{unknown[0]}"')
    _require_file(first, arguments)
    _require_order(first, arguments)
    arguments.is_alone = not argv
    return arguments


def _require_file(command: str, arguments: argparse.Namespace) -> None:
    """Raises CommandError: the log is on a server."""
    names = vars(arguments)
    for path in [names.get("file"), names.get("store"), *names.get("files", ())]:
        require_file(path or "", f"imd {command}")


def _require_order(command: str, arguments: argparse.Namespace) -> None:
    """Raises CommandError: a reducer comes before its log."""
    names = vars(arguments)
    log, reducer = names.get("file") or names.get("store"), names.get("reducer")
    if log is None or reducer is None or os.path.exists(log):
        return
    from .stores import is_domain, load_library

    if ":" in log or is_domain(log, load_library(None)):
        order = f"imd {command} {reducer} {log}"
        raise CommandError(f"a log comes before its reducer, as in: {order}", USAGE)


def _no_command(word: str, commands: list[str]) -> str:
    from .stores import is_domain, load_library

    message = f'there is no command "{word}"'
    if "." in word or ":" in word or is_domain(word, load_library(None)):
        return f"{message}; to open a store, type: imd shell {word}"
    return f"{message}; {did_you_mean(word, commands) or 'see imd --help'}"


def make_parser() -> Parser:
    """Makes the parser of imd."""
    parser = Parser(
        prog="imd",
        description="A shell for stores, and commands for their logs. imd alone opens an empty "
        "store; imd -c is imd shell -c. What works with a log takes it first, and then its "
        "reducer: imd COMMAND FILE [REDUCER].",
        examples=_EXAMPLES,
    )
    parser.add_argument("--version", action=_Version, help="print the version, and exit")
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", parser_class=Parser)
    _add_shell(commands)
    _add_run(commands)
    _add_send(commands)
    _add_inspect(commands)
    _add_attach(commands)
    _add_log(commands)
    _add_log_init(commands)
    _add_log_trim(commands)
    _add_log_check(commands)
    _add_show(commands)
    _add_diff(commands)
    _add_replay(commands)
    _add_verify(commands)
    _add_export(commands)
    _add_import(commands)
    _add_compact(commands)
    _add_share(commands)
    _add_unshare(commands)
    _add_backup(commands)
    _add_migrate(commands)
    _add_domains(commands)
    _add_ls(commands)
    _add_completion(commands)
    return parser


_EXAMPLES = """\
  imd                                  try an empty store
  imd shell counter                    open the store of a domain
  imd shell todo.imd                   open what todo.imd keeps; a new file is made
  imd shell app.py:store               open the store of a program
  imd -c 'set /n 1' -c n               execute lines, and end
  imd run counter < actions.jsonl      dispatch actions from a file or pipe
  imd log todo.imd                     show what happened
  imd show todo.imd --at 12            show the state after commit 12

imd COMMAND --help has examples of each command.
"""


class _Version(argparse.Action):
    """Prints the version of the library, which is not loaded before."""

    def __init__(self, **options: Any) -> None:
        super().__init__(nargs=0, default=argparse.SUPPRESS, **options)

    def __call__(self, parser: argparse.ArgumentParser, *arguments: Any) -> None:
        import immutabledata

        print(f"imd {immutabledata.version()}")
        parser.exit()


# ---- What several commands take ------------------------------------------------------------------


def _add(commands: Any, name: str, run: str, help: str, examples: str, text: str = "") -> Parser:
    description = f"{help[0].upper()}{help[1:]}."
    if text:
        description += f"\n\n{text}"
    parser: Parser = commands.add_parser(
        name, help=help, description=description, examples=examples
    )
    parser.set_defaults(run=run)
    return parser


def _add_store(parser: Parser) -> None:
    parser.add_argument(
        "store",
        metavar="STORE",
        nargs="?",
        help="a log, or the name of a new one; or, without a log, a domain or app.py:store, which "
        "is a store, a function that makes one, or a reducer. Default: an empty store",
    )
    parser.add_argument(
        "reducer",
        metavar="REDUCER",
        nargs="?",
        help="of a log: a domain, app.py:reduce or app.py:store; only a new log, and that of a "
        "program, need one",
    )
    parser.add_argument(
        "--state", metavar="JSON", type=_text, help="the initial state of a new store"
    )
    _add_options(parser)
    _add_library(parser)


def _add_sharing(parser: Parser) -> None:
    parser.add_argument(
        "--shared",
        action="store_true",
        help="make a log that several programs write at once, or open one; a log that is shared is "
        "opened so without it",
    )
    _add_author(parser)


def _add_author(parser: Parser) -> None:
    parser.add_argument(
        "--author",
        metavar="NAME",
        type=_text,
        help="what this store is called in a shared log, which imd log shows",
    )


def _add_options(parser: Parser) -> None:
    parser.add_argument(
        "--option",
        dest="options",
        metavar="NAME=VALUE",
        type=_option,
        action="append",
        help="an option of a domain, which imd domains DOMAIN describes; the value is JSON, or "
        "else text. May be repeated",
    )


def _add_file(parser: Parser) -> None:
    parser.add_argument("file", metavar="FILE", help="a log")


def _add_reducer(parser: Parser) -> None:
    parser.add_argument(
        "reducer",
        metavar="REDUCER",
        nargs="?",
        help="the reducer of a program, app.py:reduce or app.py:store; logs of domains, and of "
        "stores that imd made, need none",
    )
    _add_library(parser)


def _add_library(parser: Parser) -> None:
    parser.add_argument("--library", metavar="FILE", help="a library with more domains")


def _add_lines(parser: Parser) -> None:
    parser.add_argument(
        "-c",
        "--command",
        dest="lines",
        metavar="LINE",
        type=_text,
        action="append",
        help="execute a line, as if it were typed, and end; may be repeated",
    )


def _add_json(parser: Parser) -> None:
    parser.add_argument("--json", action="store_true", help="print JSON Lines, also on a terminal")


def _add_outputs(parser: Parser) -> None:
    parser.add_argument(
        "--select",
        dest="outputs",
        action=_AddOutput,
        type=_text,
        metavar="SELECTOR",
        help="print the output of a selector; with arguments as in 'byOwner owner=Ada'",
    )
    parser.add_argument(
        "--query",
        dest="outputs",
        action=_AddOutput,
        type=_text,
        metavar="EXPRESSION",
        help="print the output of a JMESPath expression; @ is the state",
    )


class _AddOutput(argparse.Action):
    """Keeps --select and --query in one list, in their order."""

    def __call__(self, parser: Any, namespace: Any, given: Any, option: Any = None) -> None:
        setattr(namespace, self.dest, [*(getattr(namespace, self.dest) or ()), (option, given)])


def _text(text: str) -> str:
    """A text that is no path: UTF-8, also where the locale decodes arguments in another way."""
    try:
        return os.fsencode(text).decode()
    except UnicodeError:
        return text


def _option(text: str) -> tuple[str, Any]:
    import immutabledata as imd

    name, equals, given = _text(text).partition("=")
    if not name or not equals:
        raise argparse.ArgumentTypeError(f'"{text}" is no option such as store=zoo.sqlite')
    try:
        return name, imd.from_json(given)
    except imd.Error:
        return name, given


def _number(text: str) -> int:
    if not text.isascii() or not text.isdigit():
        order = "; a reducer follows the log" if ":" in text else ""
        raise argparse.ArgumentTypeError(f'"{text}" is no number{order}')
    if len(text) > 18:  # The engine has numbers of 64 bits.
        raise argparse.ArgumentTypeError("the number is too large")
    return int(text)


def _positive(text: str) -> int:
    number = _number(text)
    if not number:
        raise argparse.ArgumentTypeError("it must be at least 1")
    return number


def _port(text: str) -> int:
    number = _number(text)
    if number > 65535:
        raise argparse.ArgumentTypeError("a port is a number up to 65535")
    return number


_number.__name__ = _positive.__name__ = _port.__name__ = "number"
_text.__name__ = "text"


def _keep(text: str) -> Any:
    if text == "all":
        return text
    for suffix, unit, factor in (("d", "days", 1), ("MB", "bytes", 1_000_000), ("", "entries", 1)):
        number = text[: -len(suffix)] if suffix else text
        if text.endswith(suffix) and number.isascii() and number.isdigit():
            return {unit: factor * _number(number)}
    raise argparse.ArgumentTypeError(
        f'"{text}" is neither all, nor a number of entries, of days, as in 30d, or of megabytes, '
        "as in 10MB"
    )


# ---- The commands --------------------------------------------------------------------------------


def _add_shell(commands: Any) -> None:
    parser = _add(
        commands,
        "shell",
        "interactive:run",
        "open a store, to type actions and expressions",
        """\
  imd shell                             try an empty store
  imd shell counter                     the store of a domain
  imd shell todo.imd                    what todo.imd keeps; a new file is made
  imd shell app.py:store                the store of a program
  imd shell tasks.imd tasks.py:reduce   the log of a program, or a new one
  imd shell todo.imd --read-only        follow what another process writes
  imd shell board.imd --shared          a log that several programs write
  imd shell todo.imd -c 'set /n 1' -c n
  imd shell animals --option store=zoo.sqlite
""",
        "It needs prompt_toolkit and rich: pip install 'immutabledata[shell]'.",
    )
    _add_store(parser)
    parser.add_argument(
        "--read-only", action="store_true", help="follow a log that another process writes"
    )
    _add_sharing(parser)
    _add_lines(parser)
    _add_json(parser)


def _add_run(commands: Any) -> None:
    parser = _add(
        commands,
        "run",
        "run:run",
        "dispatch actions from standard input",
        """\
  echo '{"type":"didTapIncrementButton"}' | imd run counter --select selectValue
  imd run app.py:store --query 'length(todos)' --each < actions.jsonl
  imd run counter.imd counter --batch 1000 < actions.jsonl
  imd run animals --option store=zoo.sqlite --query '@' < actions.jsonl
""",
        "Each line is an action as JSON, or an array of actions, which take effect together. A "
        "line that is refused is reported with its number, and the others go on; the exit code is "
        "then 1. Effects have ended before outputs are printed.",
    )
    _add_store(parser)
    _add_sharing(parser)
    _add_outputs(parser)
    parser.add_argument(
        "--each", action="store_true", help="print outputs after each action, not only at the end"
    )
    parser.add_argument(
        "--stop", action="store_true", help="stop at the first line that is refused"
    )
    parser.add_argument(
        "--batch",
        metavar="N",
        type=_positive,
        default=1,
        help="dispatch up to N lines together: faster, and one step for undo. If one of them is "
        "refused, each is dispatched alone",
    )


def _add_send(commands: Any) -> None:
    parser = _add(
        commands,
        "send",
        "send:run",
        "dispatch one action to a log",
        """\
  imd send counter.imd didTapIncrementButton
  imd send todo.imd append '{"path": "/todos", "value": "milk"}'
  imd send tasks.imd tasks.py:reduce tasks/added milk
  echo milk | imd send tasks.imd tasks.py:reduce tasks/added -
""",
        "For scripts and cron jobs. When it ends, the action is on the disk, and its effects have "
        "ended. If it is refused, the exit code is 1. A shared log may be open elsewhere; others "
        "must not.",
    )
    _add_file(parser)
    _add_reducer(parser)
    parser.add_argument("type", metavar="TYPE", type=_text, help="the type of the action")
    parser.add_argument(
        "payload",
        metavar="PAYLOAD",
        nargs="?",
        type=_text,
        help="the payload of the action: JSON, or else text; - reads it from standard input",
    )
    _add_author(parser)
    _add_outputs(parser)


def _add_inspect(commands: Any) -> None:
    parser = _add(
        commands,
        "inspect",
        "inspecting:run",
        "show what happens in a program or a log, in a browser",
        """\
  imd inspect                              the only program, or list all
  imd inspect 4711                         the process with this number
  imd inspect board.sock                   the socket that a program has named
  imd inspect todo.imd --no-browser        a log; only print the address
  imd inspect tasks.imd tasks.py:reduce    the log of a program
""",
        "A program can be inspected if it runs with IMMUTABLEDATA_INSPECT=1, or its stores have the "
        "option inspect. The page is only for a browser of this computer, at an address with a "
        "secret. Ctrl+C ends it.",
    )
    _add_target(parser, "the number of a process, the path of a socket, or a log")
    _add_reducer(parser)
    parser.add_argument(
        "--no-browser", action="store_true", help="only print the address, and open no browser"
    )
    parser.add_argument(
        "--port", metavar="N", type=_port, default=0, help="the port of the page; default: any"
    )
    _add_json(parser)


def _add_attach(commands: Any) -> None:
    parser = _add(
        commands,
        "attach",
        "attaching:run",
        "ask a running program about its stores, and follow them",
        """\
  imd attach                           the only program, or list all
  imd attach 4711                      the process with this number
  imd attach 4711 -c trace             show what happens in its first store
  imd attach 4711 -c 'state /todos/0'
  echo 'length(todos)' | imd attach 4711
""",
        "A line is an expression, an action as JSON, or a command; help lists them. A program can be "
        "attached if it runs with IMMUTABLEDATA_INSPECT=1, or its stores have the option inspect. "
        "Actions, undo and redo need {\"control\": true} there.",
    )
    _add_target(parser, "the number of a process, or the path of a socket")
    _add_lines(parser)
    _add_json(parser)


def _add_target(parser: Parser, help: str) -> None:
    parser.add_argument(
        "target",
        metavar="TARGET",
        nargs="?",
        help=f"{help}. Default: the only program that can be inspected",
    )


def _add_log(commands: Any) -> None:
    parser = _add(
        commands,
        "log",
        "log:run",
        "print the entries of a log",
        """\
  imd log todo.imd                     all entries, oldest first
  imd log todo.imd --last 10           the last 10
  imd log todo.imd --type 'todos/*'    those with an action of such a type
  imd log todo.imd --follow            also those to come
  imd log todo.imd | jq .actions       as JSON Lines
""",
        "It does not check them; imd verify does. A file called init, trim or check is ./init and so on.",
    )
    _add_file(parser)
    parser.add_argument(
        "--from", dest="start", metavar="N", type=_number, default=0, help="begin with commit N"
    )
    parser.add_argument("--count", metavar="N", type=_number, help="print at most N entries")
    parser.add_argument("--last", metavar="N", type=_number, help="print only the last N entries")
    parser.add_argument(
        "--type", metavar="PATTERN", help="only entries with an action of a type, such as todos/*"
    )
    parser.add_argument("--follow", action="store_true", help="wait for more entries; Ctrl+C ends")
    _add_json(parser)


def _add_log_init(commands: Any) -> None:
    parser = _add(
        commands,
        "log init",
        "servers:init",
        "prepare a server for logs",
        """\
  imd log init postgresql:///app           make or upgrade the schema of a database
  imd log init postgresql:///app --print   print the SQL that does it
""",
        "It makes or upgrades what the server needs before its first log, and does nothing if that "
        "is current. The package of the driver does it, such as immutabledata-postgresql.",
    )
    _add_address(parser)
    parser.add_argument(
        "--print",
        dest="prints",
        action="store_true",
        help="only print what would be run, for an administrator",
    )


def _add_log_trim(commands: Any) -> None:
    parser = _add(
        commands,
        "log trim",
        "servers:trim",
        "remove old entries of a log on a server",
        """\
  imd log trim 'postgresql:///app?log=plans'
""",
        "It removes the entries up to the latest snapshot, which a store that opens the log does "
        "not need. Programs may have it open. What is removed cannot be replayed or undone.",
    )
    _add_address(parser)
    _add_json(parser)


def _add_log_check(commands: Any) -> None:
    parser = _add(
        commands,
        "log check",
        "driver_checking:run",
        "check that a log driver obeys its contract",
        """\
  imd log check 'postgresql:///app?log={log}'
  imd log check 'kept://host/{log}' --library ./libkept.so --symbol kept_driver
""",
        "For those who write a driver. It calls the driver as the library does, with a new log for "
        "each rule, and prints a line for each (Test Anything Protocol), with what was expected if "
        "the driver does something else; the exit code is then 1. The logs stay.",
    )
    parser.add_argument(
        "address",
        metavar="ADDRESS",
        type=_text,
        help="the address of a log, with {log} in place of its name",
    )
    parser.add_argument(
        "--library",
        metavar="FILE",
        help="the library with the driver; by default, the module of the scheme has it, such as "
        "immutabledata_postgresql",
    )
    parser.add_argument(
        "--symbol",
        metavar="NAME",
        help="the function of that library which returns the const imd_log_driver *",
    )
    parser.add_argument(
        "--seed", metavar="N", type=_number, help="repeats the random operations of another run"
    )


def _add_address(parser: Parser) -> None:
    parser.add_argument(
        "address",
        metavar="ADDRESS",
        type=_text,
        help="the address of a log on a server, such as postgresql:///app?log=plans",
    )


def _add_show(commands: Any) -> None:
    parser = _add(
        commands,
        "show",
        "states:show",
        "print the state that a log has, or had after a commit",
        """\
  imd show todo.imd                       the present state
  imd show todo.imd --at 12               the state after commit 12
  imd show todo.imd --at 12 --query 'length(todos)'
  imd show tasks.imd tasks.py:reduce      the log of a program
  imd show animals --option store=zoo.sqlite
""",
    )
    parser.add_argument("file", metavar="FILE", help="a log, or a domain that keeps no log")
    _add_reducer(parser)
    _add_options(parser)
    parser.add_argument("--at", metavar="N", type=_number, help="the number of a commit")
    _add_outputs(parser)
    _add_json(parser)


def _add_diff(commands: Any) -> None:
    parser = _add(
        commands,
        "diff",
        "states:diff",
        "print what changed between two commits, as JSON Patch",
        """\
  imd diff todo.imd 0 12               what the first 12 commits changed
  imd diff tasks.imd tasks.py:reduce 11 12
""",
    )
    _add_file(parser)
    _add_reducer(parser)
    parser.add_argument("a", metavar="A", type=_number, help="the number of a commit")
    parser.add_argument("b", metavar="B", type=_number, help="the number of another commit")
    _add_json(parser)


def _add_replay(commands: Any) -> None:
    parser = _add(
        commands,
        "replay",
        "checking:replay",
        "repeat a log, and compare the states",
        """\
  imd replay counter.imd                  the log of a domain
  imd replay tasks.imd tasks.py:reduce    the log of a program
""",
        "A difference means that the reducer is not pure, or has changed; the exit code is then 1.",
    )
    _add_file(parser)
    _add_reducer(parser)
    _add_json(parser)


def _add_verify(commands: Any) -> None:
    parser = _add(
        commands,
        "verify",
        "checking:verify",
        "check the lines of logs and their checksums",
        """\
  imd verify todo.imd
  imd verify backups/*.imd
  imd verify todo.imd --schema todo.json    what a store with this schema would refuse
  imd verify todo.imd --schema app.py:reduce
""",
        "It needs no reducer. The exit code is 1 if a log is damaged, or does not fit the schema.",
    )
    parser.add_argument("files", metavar="FILE", nargs="+", help="a log")
    parser.add_argument(
        "--schema",
        metavar="SCHEMA",
        help="a file of JSON with the option schema of a store, or app.py:reduce, whose types are "
        "one: also check the actions of each log, and the last state that it has without its "
        "reducer",
    )
    _add_json(parser)


def _add_export(commands: Any) -> None:
    parser = _add(
        commands,
        "export",
        "exchange:export",
        "print a log as JSON for the Redux DevTools",
        """\
  imd export todo.imd > todo.json
  imd export tasks.imd tasks.py:reduce > tasks.json
""",
    )
    _add_file(parser)
    _add_reducer(parser)


def _add_import(commands: Any) -> None:
    parser = _add(
        commands,
        "import",
        "exchange:import_",
        "make a log of an export of the Redux DevTools",
        """\
  imd import counter.imd counter < counter.json
  imd import tasks.imd tasks.py:reduce < tasks.json
""",
        "It reads standard input, repeats the actions, and compares the states.",
    )
    parser.add_argument("file", metavar="FILE", help="the new log")
    parser.add_argument(
        "reducer", metavar="REDUCER", help="a domain, app.py:reduce or app.py:store"
    )
    _add_library(parser)


def _add_compact(commands: Any) -> None:
    parser = _add(
        commands,
        "compact",
        "rewriting:compact",
        "write a log anew, with the present state as its base",
        """\
  imd compact todo.imd --keep 1000     keep the last 1,000 entries
  imd compact todo.imd --keep 30d      keep those of the last 30 days
""",
        "States before the new base can no longer be shown. No store may write the log, unless it "
        "is shared.",
    )
    _add_file(parser)
    _add_reducer(parser)
    parser.add_argument(
        "--keep",
        metavar="KEEP",
        type=_keep,
        default="all",
        help="the entries that stay: a number, days as in 30d, a size as in 10MB, or all (default)",
    )
    _add_json(parser)


def _add_share(commands: Any) -> None:
    parser = _add(
        commands,
        "share",
        "rewriting:share",
        "let several programs write a log at once",
        """\
  imd share todo.imd
  imd share tasks.imd tasks.py:reduce
""",
        "It writes the log anew, as imd compact does, while no store has it open. From then on, "
        "programs must open it with the option shared; imd does so by itself. Its file of locks, "
        "FILE-lock, must not be removed.",
    )
    _add_file(parser)
    _add_reducer(parser)
    _add_json(parser)


def _add_unshare(commands: Any) -> None:
    parser = _add(
        commands,
        "unshare",
        "rewriting:unshare",
        "let only one program write a shared log",
        """\
  imd unshare board.imd
""",
        "It writes the log anew, as imd compact does, while no store has it open. The entries no "
        "longer say who has made them.",
    )
    _add_file(parser)
    _add_reducer(parser)
    _add_json(parser)


def _add_backup(commands: Any) -> None:
    parser = _add(
        commands,
        "backup",
        "rewriting:backup",
        "copy a log, also while a store writes it",
        """\
  imd backup todo.imd backups/monday.imd
  imd backup todo.imd backups
""",
        "The copy is verified, and replaces no file.",
    )
    _add_file(parser)
    parser.add_argument("to", metavar="TO", help="a new file, or a folder")
    _add_json(parser)


def _add_migrate(commands: Any) -> None:
    parser = _add(
        commands,
        "migrate",
        "rewriting:migrate",
        "bring a log to another version",
        """\
  imd migrate tasks.imd tasks2.py:reduce --migrations tasks2.py:add_done --dry-run
  imd migrate tasks.imd tasks2.py:reduce --migrations tasks2.py:add_done
""",
        "Each step is tried with a copy first. A domain knows its migrations.",
    )
    _add_file(parser)
    _add_reducer(parser)
    parser.add_argument(
        "--migrations",
        metavar="NAME",
        action="append",
        help="app.py:migrations, a migration or a list of them; may be repeated",
    )
    parser.add_argument(
        "--to", metavar="N", type=_positive, help="the version; by default, that of the last step"
    )
    parser.add_argument("--dry-run", action="store_true", help="migrate only a copy")
    _add_json(parser)


def _add_domains(commands: Any) -> None:
    parser = _add(
        commands,
        "domains",
        "domains:run",
        "list the domains, or describe one",
        """\
  imd domains
  imd domains counter                  its actions, selectors and options
""",
    )
    parser.add_argument("domain", metavar="DOMAIN", nargs="?", help="the name of a domain")
    _add_library(parser)
    _add_json(parser)


def _add_ls(commands: Any) -> None:
    parser = _add(
        commands,
        "ls",
        "ls:run",
        "list the logs under a folder",
        """\
  imd ls
  imd ls ~/.local/share --json
""",
        "It also says which processes write a log.",
    )
    parser.add_argument(
        "folder", metavar="FOLDER", nargs="?", default=".", help="default: the current folder"
    )
    _add_json(parser)


def _add_completion(commands: Any) -> None:
    parser = _add(
        commands,
        "completion",
        "completion:run",
        "print a script that completes commands in your shell",
        """\
  eval "$(imd completion bash)"        in ~/.bashrc
  eval "$(imd completion zsh)"         in ~/.zshrc, after compinit
  imd completion fish > ~/.config/fish/completions/imd.fish
""",
    )
    parser.add_argument("shell", choices=("bash", "zsh", "fish"), help="your shell")


# ---- What the parser has, for the manual page and the completion ---------------------------------


def commands_of(parser: Parser) -> dict[str, tuple[str, Parser]]:
    """The commands by their names, each with its summary and its parser."""
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            summaries = {each.dest: each.help or "" for each in action._choices_actions}
            return {name: (summaries[name], each) for name, each in action.choices.items()}
    return {}


def options_of(parser: Parser) -> list[argparse.Action]:
    """The options, each of which has option_strings."""
    return [action for action in parser._actions if action.option_strings]


def operands_of(parser: Parser) -> list[argparse.Action]:
    """The arguments that are no options and no commands."""
    return [
        action
        for action in parser._actions
        if not action.option_strings and not isinstance(action, argparse._SubParsersAction)
    ]
