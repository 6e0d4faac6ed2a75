"""The table of the commands, from which .help and completion come."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Callable, Optional

from ..failure import did_you_mean
from . import files, leaving, past, reading, watching
from .results import Prose, Result, Rows
from .session import Session
from .words import LineError

Run = Callable[[Session, str, int], Optional[Result]]
"""Executes a command of a line, whose argument begins at an index. Raises LineError."""


@dataclass(frozen=True)
class Command:
    """A word with a dot before it."""

    name: str
    usage: str
    argument: str
    """The kind of its argument, for completion."""
    summary: str
    """What it does, after "to"."""
    run: Run
    examples: tuple[str, ...] = ()


def _help(session: Session, text: str, start: int) -> Result:
    name = text[start:].strip().lstrip(".")
    if name:
        command = find_command(name, start)
        lines = [f".{command.name} {command.usage}".rstrip(), f"  {command.summary}"]
        lines += [f"  for example: {example}" for example in command.examples]
        return Prose("\n".join(lines))
    rows = [
        {"type": f".{command.name} {command.usage}".rstrip(), "to": command.summary}
        for command in COMMANDS
    ]
    note = ".help COMMAND shows an example; any other line is an action or an expression"
    return Rows(["type", "to"], rows, note, has_head=False, wraps=True)


COMMANDS = (
    Command("help", "[COMMAND]", "command", "list the commands", _help, (".help diff",)),
    Command("domains", "", "", "list the domains", reading.domains),
    Command(
        "open",
        "STORE [REDUCER]",
        "store",
        "open a log, a domain or app.py:store",
        files.open_,
        (".open counter", ".open todo.imd", ".open tasks.imd tasks.py:reduce"),
    ),
    Command(
        "state",
        "[POINTER]",
        "pointer",
        "show the state, or a part of it",
        reading.state,
        (".state", ".state /todos/0"),
    ),
    Command(
        "select",
        "[NAME NAME=VALUE …]",
        "selector",
        "show the output of a selector, or list all",
        reading.select,
        (".select selectValue", ".select open owner=Ada"),
    ),
    Command(
        "query",
        "EXPRESSION",
        "expression",
        "evaluate a JMESPath expression",
        reading.query,
        (".query todos[?!done].title",),
    ),
    Command(
        "observe",
        "[EXPRESSION]",
        "observable",
        "show a value whenever it changes",
        watching.observe,
        (".observe length(todos)", ".observe /todos/0", ".observe"),
    ),
    Command("unobserve", "[NUMBER]", "observation", "stop observing", watching.unobserve),
    Command("undo", "[COUNT]", "", "undo the last action, or several", past.undo, (".undo 3",)),
    Command("redo", "[COUNT]", "", "redo what was undone", past.redo),
    Command(
        "travel", "NUMBER", "step", "go to the state after a step", past.travel, (".travel 12",)
    ),
    Command("history", "[COUNT]", "", "list the last steps", past.history, (".history 100",)),
    Command(
        "diff",
        "[FROM [TO]]",
        "step",
        "show what the last step changed, or all since one",
        past.diff,
        (".diff", ".diff 0", ".diff 3 5"),
    ),
    Command(
        "blame",
        "POINTER [COUNT]",
        "pointer",
        "list the actions that changed a value",
        past.blame,
        (".blame /todos/0/done",),
    ),
    Command(
        "trace",
        "[WHAT]",
        "trace",
        "show what happens in the store, or end that",
        watching.trace,
        (".trace on", ".trace selectors", ".trace off"),
    ),
    Command("stats", "", "", "show the counters of the store", reading.stats),
    Command(
        "schema",
        "[NAME]",
        "name",
        "list actions and selectors, or describe one",
        reading.schema,
        (".schema set",),
    ),
    Command("last", "", "", "show the last result again, and all of it", reading.last),
    Command(
        "export",
        "[FILE]",
        "file",
        "write the log for Redux DevTools",
        files.export,
        (".export todo.json",),
    ),
    Command(
        "save",
        "FILE",
        "file",
        "keep the store in a file from now on",
        files.save,
        (".save todo.imd",),
    ),
    Command("quit", "", "", "leave, as Ctrl+D does", leaving.quit_),
)


def find_command(name: str, offset: int) -> Command:
    """The command with a name, or the only one whose name begins so. Raises LineError."""
    found = [each for each in COMMANDS if each.name == name]
    found = found or [each for each in COMMANDS if each.name.startswith(name)]
    if len(found) == 1:
        return found[0]
    if found:
        names = ", ".join(f".{each.name}" for each in found)
        raise LineError(f'".{name}" may be: {names}', offset)
    hint = did_you_mean(f".{name}", [f".{each.name}" for each in COMMANDS]) or ".help lists all"
    raise LineError(f'there is no command ".{name}"; {hint}', offset)
