"""Printers: results on a terminal, with colour and a pager, or as JSON Lines."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import subprocess
import sys
import threading
from collections.abc import Iterable, Iterator
from datetime import datetime
from itertools import chain
from typing import Any, Protocol, TextIO

from rich.console import Console
from rich.text import Text

from ..output import printable
from .rendering import FOLDED, Layout
from .results import Changes, Prose, Result, Rows, Shown, Traced
from .values import is_container, to_plain, to_value
from .views import render

_PROMPT_LINES = 2


class Printer(Protocol):
    """Shows results and errors."""

    def show(self, result: Result, is_whole: bool = False) -> None:
        """Shows a result. is_whole: nothing is folded."""

    def show_live(self, label: str, result: Result) -> None:
        """Shows what has happened meanwhile, above the line that is being typed."""

    def warn(self, message: str) -> None:
        """Shows a warning."""

    def fail(self, message: str, line: str = "", offset: int = -1) -> None:
        """Shows an error, with a caret under a character of the line."""


class TerminalPrinter:
    """Shows results with colour and in a pager if they exceed the screen."""

    def __init__(self, console: Console | None = None, pager: list[str] | None = None) -> None:
        self._console = console or Console(highlight=False)
        self._pager = pager
        # Observers print on other threads. A pager has the screen for itself.
        self._lock = threading.RLock()

    def layout(self, is_whole: bool = False) -> Layout:
        # Wider lines are cut or wrapped in the last column.
        width = max(self._console.width - 1, 10)
        is_ascii = self._console.options.ascii_only
        return Layout(width, is_whole, is_ascii, None if is_whole else FOLDED)

    def show(self, result: Result, is_whole: bool = False) -> None:
        with self._lock:
            self._page(_with_hint(result, self.layout(is_whole)))

    def show_live(self, label: str, result: Result) -> None:
        lines = list(render(result, self.layout()))
        with self._lock:
            if not label:
                for line in lines:
                    self._print(line)
            elif len(lines) == 1:
                self._print(Text(f"{label}  ", "bold cyan").append_text(lines[0]))
            else:
                self._print(Text(label, "bold cyan"))
                for line in lines:
                    self._print(Text("  ").append_text(line))

    def warn(self, message: str) -> None:
        with self._lock:
            text = Text("warning: ", "bold yellow").append(printable(message), "not bold default")
            self._console.print(text)

    def fail(self, message: str, line: str = "", offset: int = -1) -> None:
        lines = [*message.split("\n"), *_caret(line, offset)]
        with self._lock:
            for index, each in enumerate(lines):
                text = Text() if index else Text().append("error: ", "bold red")
                if each.strip() == "^":
                    self._print(text.append(each[self._hidden(each) :], "bold red"))
                elif index + 1 < len(lines) and lines[index + 1].strip() == "^":
                    self._print(text.append(printable(self._window(each, lines[index + 1])), ""))
                else:
                    self._console.print(text.append(printable(each).rstrip(), "not bold default"))

    def _hidden(self, caret: str) -> int:
        """How much of a line is left out at its beginning, so that the caret is on the screen."""
        return max(len(caret) - self.layout().width * 2 // 3, 0)

    def _window(self, line: str, caret: str) -> str:
        """The part of a line around the caret below it."""
        hidden = self._hidden(caret)
        shown = line[hidden : hidden + self.layout().width]
        return f"  …{shown[3:]}" if hidden else shown

    def _print(self, line: Text) -> None:
        self._console.print(line, soft_wrap=True)

    def _page(self, lines: Iterator[Text]) -> None:
        """Prints lines; all of them through the pager if they exceed the screen."""
        room = self._console.height - _PROMPT_LINES
        first: list[Text] = []
        for line in lines:
            first.append(line)
            if len(first) > room:
                break
        pager = self._pager if len(first) > room else None
        if pager is None or not self._console.is_terminal or self._console.is_dumb_terminal:
            for line in chain(first, lines):
                self._print(line)
            return
        self._run_pager(pager, chain(first, lines))

    def _run_pager(self, pager: list[str], lines: Iterable[Text]) -> None:
        environment = {"LESS": "FRX", "LV": "-c", **os.environ}
        try:
            process = subprocess.Popen(pager, stdin=subprocess.PIPE, env=environment)
        except OSError:
            for line in lines:
                self._print(line)
            return
        assert process.stdin is not None
        try:
            with contextlib.suppress(BrokenPipeError), process.stdin as pipe:
                for line in lines:
                    with self._console.capture() as capture:
                        self._print(line)
                    pipe.write(capture.get().encode())
        finally:
            while True:
                try:
                    process.wait()
                    break
                except KeyboardInterrupt:
                    continue  # It was meant for the pager.


def _with_hint(result: Result, layout: Layout) -> Iterator[Text]:
    """The lines of a result, and how to see what they leave out."""
    yield from render(result, layout)
    if layout.folded:
        yield Text(".last shows all", "dim")


def find_pager() -> list[str] | None:
    """The command of the pager: PAGER, or less. None if there is none."""
    chosen = os.environ.get("PAGER", "").split()
    if chosen:
        return None if chosen == ["cat"] else chosen
    return ["less"] if shutil.which("less") else None


class LinePrinter:
    """Shows results as JSON Lines, and errors with the number of the line that was read."""

    def __init__(self, output: TextIO | None = None, errors: TextIO | None = None) -> None:
        """By default it writes to what sys.stdout and sys.stderr are at that moment."""
        self._chosen = output, errors
        self._lock = threading.RLock()
        self.number: int | None = None
        """The number of the line that is being executed."""

    @property
    def _output(self) -> TextIO:
        return self._chosen[0] or sys.stdout

    @property
    def _errors(self) -> TextIO:
        return self._chosen[1] or sys.stderr

    def show(self, result: Result, is_whole: bool = False) -> None:
        self._write(_json_lines(result))

    def show_live(self, label: str, result: Result) -> None:
        if isinstance(result, Shown):
            self._write([to_json({"observed": label, "output": result.data})])
        elif isinstance(result, Changes):
            self._write([to_json({"observed": label, "patch": result.patch})])
        else:
            self.show(result)

    def _write(self, lines: Iterable[str]) -> None:
        with self._lock:
            is_terminal = self._output.isatty()  # With --json; only the texts of JSON change.
            for line in lines:
                self._output.write((printable(line) if is_terminal else line) + "\n")
            self._output.flush()  # The program at the other end of a pipe may wait for it.

    def warn(self, message: str) -> None:
        self._write_error(f"warning: {message}")

    def fail(self, message: str, line: str = "", offset: int = -1) -> None:
        self._write_error("\n".join([message, *_caret(line, offset)]))

    def _write_error(self, message: str) -> None:
        place = "" if self.number is None else f"line {self.number}: "
        with self._lock:
            self._output.flush()
            self._errors.write(f"imd: {place}{printable(message)}\n")
            self._errors.flush()


class BatchPrinter(LinePrinter):
    """Shows results on a terminal, and whole, as nobody types .last; errors as LinePrinter does."""

    def __init__(self) -> None:
        super().__init__()
        self._terminal = TerminalPrinter()

    def show(self, result: Result, is_whole: bool = False) -> None:
        self._terminal.show(result, is_whole=True)

    def show_live(self, label: str, result: Result) -> None:
        self._terminal.show_live(label, result)


def _json_lines(result: Result) -> Iterator[str]:
    if isinstance(result, Shown):
        yield to_json(result.data)
    elif isinstance(result, Rows):
        for row in result.rows:
            members = result.members or result.columns
            yield to_json({name: row[name] for name in members if name in row})
    elif isinstance(result, Prose):
        yield result.text
    elif isinstance(result, Traced):
        yield to_json(result.line)
    elif isinstance(result, Changes) and result.is_answer:
        yield to_json(result.patch)


def to_json(data: Any) -> str:
    """Data as JSON on one line."""
    if isinstance(data, dict):
        data = {name: _plain(each) for name, each in data.items()}
    if is_container(data):
        text: str = to_value(data).to_json()
        return text
    return json.dumps(data, ensure_ascii=False)


def _plain(data: Any) -> Any:
    if isinstance(data, datetime):
        return data.isoformat(timespec="milliseconds")
    return to_plain(data)


def _caret(line: str, offset: int) -> list[str]:
    """The lines that show where in a line something is wrong."""
    if offset < 0 or not line:
        return []
    from rich.cells import cell_len

    begin = line.rfind("\n", 0, offset) + 1
    end = line.find("\n", offset)
    shown = line[begin : len(line) if end < 0 else end]
    before = shown[: offset - begin]
    return [f"  {shown}", "  " + " " * cell_len(before) + "^"]
