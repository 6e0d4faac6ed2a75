"""imd attach: a terminal that asks a program about its stores, and shows what happens in them."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import immutabledata as imd

from .._inspector.connection import Connection
from .._inspector.failures import GoneError, InspectorError
from .._inspector.program_name import program_name
from .._inspector.text import to_json
from .attached_lines import Lines
from .attached_trace import commit_lines, trace_line
from .failure import REFUSED, UNAVAILABLE, CommandError, did_you_mean, explain
from .interactive.termination import Terminated, signals_raise
from .output import Output, one_line, report
from .targets import refusals, socket_of

# How near a command must be for a name to be none of a member that is missing.
_SURE = 0.8
# What a reader of the trace has to know about a gap.
_GAP = "{} commits were dropped, because they came faster than they were sent"


def run(arguments: argparse.Namespace) -> int:
    """Executes lines until they or the program end."""
    output = Output(arguments.json)
    with signals_raise():
        try:
            has_lines = arguments.lines is not None
            path = socket_of(arguments.target, output, "attach", needs_one=has_lines)
            if path is None:
                return 0
            with refusals():
                session = Session(path, output)
            with session.closing():
                return session.run(arguments.lines)
        except Terminated as end:
            return end.exit_code


class Session:
    """A connection to a program, and the store that lines are about."""

    def __init__(self, path: str, output: Output) -> None:
        """Raises InspectorError: no program listens."""
        self.output = output
        self.lines = Lines()
        self._is_traced = False
        self._connection = Connection(path, self._notify, self._end)
        try:
            answer = self._connection.request("stores")
            if answer["protocol"] != 1:
                message = f"the program has version {answer['protocol']!r} of the protocol"
                raise InspectorError("unsupported", message)
            process = answer["process"]
            self.program = f"{program_name(answer['program'], process)} (process {process})"
            self._stores = {each["store"]: dict(each) for each in answer["stores"]}
        except BaseException:
            self._connection.close()
            raise
        self.store = min(self._stores, default=0)

    @contextmanager
    def closing(self) -> Iterator[None]:
        try:
            yield
        finally:
            self._connection.close()
            self.lines.close()

    def run(self, given: list[str] | None) -> int:
        """Executes the lines that are given, or those of standard input. Returns the exit code."""
        is_terminal = given is None and sys.stdin.isatty()
        if is_terminal and not self.output.is_json:
            name = self._stores.get(self.store, {}).get("name", "no store yet")
            self.output.line(f"{self.program}: {name}; help lists the commands")
        code = 0
        try:
            for number, line in self.lines.read(given, self._prompt):
                text = line.strip()
                if text in ("quit", "exit", ".quit"):
                    return code
                if text and not self._execute(text, "" if is_terminal else f"line {number}: "):
                    code = REFUSED
                self.output.flush()
            if self._is_traced and not is_terminal:
                self.lines.wait_for_end()  # There are no more lines, but more may happen.
        except GoneError as error:
            report(str(error))
            return code if is_terminal or self._is_traced else UNAVAILABLE
        except KeyboardInterrupt:
            if not self._is_traced:
                raise
        return 0 if is_terminal else code

    def _prompt(self) -> str:
        return one_line(f"{self._stores.get(self.store, {}).get('name', 'no store')}> ")

    # ---- Lines -----------------------------------------------------------------------------------

    def _execute(self, text: str, place: str) -> bool:
        """Executes a line. Returns whether all went well.

        Raises GoneError: the program has ended.
        """
        try:
            self._run(text)
        except GoneError:
            raise
        except (InspectorError, CommandError) as error:
            report(f"{place}{error}")
        except imd.Error as error:
            report(f"{place}{explain(error)}")
        else:
            return True
        return False

    def _run(self, text: str) -> None:
        word, _, rest = text.partition(" ")
        command = COMMANDS.get(word.removeprefix("."))
        if command is not None:
            command[2](self, rest.strip())
        elif word.startswith("."):
            hint = did_you_mean(word[1:], COMMANDS) or "help lists all"
            raise CommandError(f'there is no command "{word}"; {hint}')
        elif text.startswith("/"):
            self._state(text)
        elif text.startswith("{") and '"type"' in text:
            self._show_data(self._ask("dispatch", action=imd.from_json(text)))
        else:
            self._evaluate(text)

    def _evaluate(self, expression: str) -> None:
        value = self._ask("select", expression=expression)["value"]
        if value is None and self._is_selector(expression):
            value = self._ask("select", selector=expression)["value"]
        elif value is None and expression.isidentifier():
            hint = did_you_mean(expression, COMMANDS, _SURE)
            if hint:
                raise CommandError(f'"{expression}" is no member of the state; {hint}')
        self._show(value)

    def _is_selector(self, name: str) -> bool:
        selectors = self._ask("describe").get("selectors", [])
        return any(selector.get("name") == name for selector in selectors)

    def _ask(self, method: str, **params: Any) -> Any:
        if not self._stores:
            raise CommandError("the program has no store yet")
        return self._connection.request(method, store=self.store, **params)

    def _show(self, value: Any) -> None:
        self.output.value(to_json(value))

    def _show_data(self, data: Any) -> None:
        self.output.line(self.output.coloured(to_json(data)))

    # ---- Commands --------------------------------------------------------------------------------

    def _help(self, rest: str) -> None:
        for usage, summary, _ in COMMANDS.values():
            self.output.line(f"{usage:<26}{summary}")
        self.output.line("any other line is an expression, the name of a selector, or an action as JSON")

    def _list_stores(self, rest: str) -> None:
        stores = [self._stores[number] for number in sorted(self._stores)]
        if self.output.is_json:
            for store in stores:
                self._show_data(store)
            return
        rows = [
            [
                f"{'*' if each['store'] == self.store else ' '} {each['store']}",
                str(each["name"]),
                str(each["domain"] or "a program"),
                "yes" if each["control"] else "no",
                str(each["log"] or ""),
            ]
            for each in stores
        ]
        self.output.table(("store", "name", "of", "control", "log"), rows)

    def _use(self, rest: str) -> None:
        names = {str(each["name"]): number for number, each in self._stores.items()}
        number = int(rest) if rest.isdecimal() and len(rest) < 20 else names.get(rest, 0)
        if number not in self._stores:
            raise CommandError(f'there is no store "{rest}"; stores lists all')
        if self._is_traced:
            self._ask("detach")
        self.store = number
        if self._is_traced:
            self._ask("attach", trace=True)

    def _state(self, rest: str) -> None:
        if rest and not rest.startswith("/"):
            raise CommandError(f'a JSON Pointer begins with "/": /{rest}')
        self._show(self._ask("state", path=rest)["value"])

    def _trace(self, rest: str) -> None:
        if rest not in ("", "on", "off"):
            raise CommandError("trace, or trace off")
        self._is_traced = rest != "off"
        if self._is_traced:
            self._ask("attach", trace=True)
        else:
            self._ask("detach")

    def _dispatch(self, rest: str) -> None:
        kind, _, payload = rest.partition(" ")
        if not kind:
            raise CommandError("the type of the action is missing: dispatch TYPE [PAYLOAD]")
        action: dict[str, Any] = {"type": kind}
        if payload.strip():
            try:
                action["payload"] = imd.from_json(payload)
            except imd.InvalidJSONError:
                action["payload"] = payload.strip()
        self._show_data(self._ask("dispatch", action=action))

    def _undo(self, rest: str) -> None:
        self._show_data(self._ask("undo", steps=_count(rest)))

    def _redo(self, rest: str) -> None:
        self._show_data(self._ask("redo", steps=_count(rest)))

    def _travel(self, rest: str) -> None:
        if not rest:
            raise CommandError("the number of a step is missing: travel STEP")
        self._ask("travel", step=_count(rest))

    def _history(self, rest: str) -> None:
        self._show(self._ask("history"))

    def _describe(self, rest: str) -> None:
        self._show(self._ask("describe"))

    def _statistics(self, rest: str) -> None:
        self._show(self._ask("statistics"))

    # ---- On the thread of the connection ---------------------------------------------------------

    def _notify(self, method: str, params: Mapping[str, Any]) -> None:
        if method == "opened":
            self._stores[params["store"]] = dict(params)
            self.store = self.store or params["store"]
            return
        if method == "closed":
            self._stores.pop(params["store"], None)
            return
        if not self._is_traced or params["store"] != self.store:
            return
        if self.output.is_json:
            self.output.line(to_json({"notification": method, **params}))
        elif method == "commit":
            for line in commit_lines(params, self.output):
                self.output.line(*line)
        elif method == "trace":
            self.output.line(*trace_line(params["line"], self.output))
        elif method == "dropped":
            self.output.line(self.output.style(_GAP.format(params["commits"]), "yellow"))
        self.output.flush()

    def _end(self, reason: str) -> None:
        self.lines.end(reason)


def _count(text: str) -> int:
    if not text:
        return 1
    if not text.isascii() or not text.isdecimal() or len(text) > 18:
        raise CommandError(f'"{text}" is no number')
    return int(text)


COMMANDS: dict[str, tuple[str, str, Callable[[Session, str], object]]] = {
    "state": ("state [POINTER]", "show the state, or a part of it", Session._state),
    "dispatch": ("dispatch TYPE [PAYLOAD]", "dispatch an action", Session._dispatch),
    "undo": ("undo [COUNT]", "undo the last step, or several", Session._undo),
    "redo": ("redo [COUNT]", "redo what was undone", Session._redo),
    "travel": ("travel STEP", "go to the state after a step", Session._travel),
    "history": ("history", "show the steps", Session._history),
    "trace": ("trace [off]", "show what happens in the store, or end that", Session._trace),
    "stores": ("stores", "list the stores of the program", Session._list_stores),
    "use": ("use STORE", "go on with another store", Session._use),
    "describe": ("describe", "show the actions and selectors", Session._describe),
    "statistics": ("statistics", "show the counters", Session._statistics),
    "help": ("help", "list the commands", Session._help),
    "quit": ("quit", "leave, as Ctrl+D does", lambda session, rest: None),
}
