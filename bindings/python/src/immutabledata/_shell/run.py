"""imd run: actions from a pipe."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from contextlib import nullcontext
from typing import Any, NoReturn

import immutabledata as imd

from .failure import REFUSED, explain
from .output import Output, report
from .outputs import Outputs
from .programs import with_place
from .progress import Progress, progress
from .stores import open_store

# How many bytes are read at a time, if so many are there.
_PART = 1 << 16


def run(arguments: argparse.Namespace) -> int:
    """Dispatches the actions of standard input to a store, and prints outputs."""
    is_typed = sys.stdin.isatty()
    if is_typed:
        report(f"type an action in each line, such as {_EXAMPLE}, and Ctrl+D at the end")
    opened = open_store(
        arguments.store, log=arguments.log, library=arguments.library, state=arguments.state
    )
    try:
        outputs = Outputs(opened, arguments.outputs)
        with nullcontext(Progress("")) if is_typed else progress("dispatching") as shown:
            dispatcher = _Dispatcher(opened.store, outputs, arguments, shown)
            try:
                dispatcher.dispatch_lines()
            except KeyboardInterrupt:
                report(f"interrupted; {dispatcher.count:,} lines were dispatched")
                raise
        if outputs and not arguments.each:
            dispatcher.print_outputs()
        return REFUSED if dispatcher.refused else 0
    finally:
        opened.close()


class _StoppedError(Exception):
    """A line was refused, and nothing after it counts."""


class _Dispatcher:
    """Dispatches lines, and reports those that are refused."""

    def __init__(
        self,
        store: imd.Store[Any],
        outputs: Outputs,
        arguments: argparse.Namespace,
        shown: Progress,
    ) -> None:
        self.count = 0
        """How many lines were dispatched."""
        self.refused = 0
        """How many lines were refused, and outputs failed."""
        self._store = store
        self._outputs = outputs
        self._output = Output(as_json=True)
        self._prints_each = bool(outputs) and arguments.each
        self._stops = arguments.stop
        self._size = arguments.batch
        self._shown = shown
        self._has_hint = False

    def dispatch_lines(self) -> None:
        """Dispatches the lines of standard input."""
        try:
            for lines in _parts():
                for start in range(0, len(lines), self._size):
                    self._dispatch_batch(lines[start : start + self._size])
                self._shown.text = f"{self.count:,} lines"
                self._output.flush()  # The next line may take long to come.
        except _StoppedError:
            pass
        self._store.settle()
        self._store.flush()

    def print_outputs(self, place: str = "") -> None:
        """Prints the outputs that were asked for; null for one that fails, which is reported."""
        for read in self._outputs:
            try:
                text = read()
            except Exception as error:
                self.refused += 1
                report(f"{place}{explain(error)}")
                text = "null"
            self._output.line(text)

    def _dispatch_batch(self, lines: list[tuple[int, bytes]]) -> None:
        """Dispatches lines as one batch; if it is refused, each line alone."""
        if len(lines) > 1:
            try:
                self._store.dispatch_batch(
                    [action for _, line in lines for action in _actions(line)]
                )
            except imd.StorageError:
                raise
            except Exception:
                pass
            else:
                return self._count(len(lines), lines[-1][0])
        for number, line in lines:
            self._dispatch(number, line)

    def _dispatch(self, number: int, line: bytes) -> None:
        try:
            actions = _actions(line)
            if len(actions) == 1:
                self._store.dispatch(actions[0])
            else:
                self._store.dispatch_batch(actions)
        except imd.StorageError:  # No later action would be accepted.
            raise
        except Exception as error:
            self._refuse(number, line, error)
        else:
            self._count(1, number)

    def _count(self, lines: int, number: int) -> None:
        self.count += lines
        if self._prints_each:
            self._store.settle()
            self.print_outputs(f"line {number:,}: ")

    def _refuse(self, number: int, line: bytes, error: Exception) -> None:
        self.refused += 1
        message = with_place(error)
        if isinstance(error, imd.InvalidJSONError) and error.line:
            message = f"{error.message} (column {error.column})"
            if not self._has_hint and line.lstrip().startswith((b"{", b"[")):
                self._has_hint = True
                message += "; an action is one whole line, as jq -c prints it"
        report(f"line {number:,}: {message}")
        if self._stops:
            raise _StoppedError


def _parts() -> Iterator[list[tuple[int, bytes]]]:
    """The lines of standard input with their numbers, as many as are there at a time."""
    source: Any = sys.stdin.buffer
    number, rest = 0, []  # Joined once: a line may be longer than many parts.
    while part := source.read1(_PART):
        first, *lines = part.split(b"\n")
        rest.append(first)
        if lines:
            lines = [b"".join(rest), *lines]
            rest = [lines.pop()]
            numbered = enumerate(lines, number + 1)
            yield [(place, line) for place, line in numbered if line and not line.isspace()]
            number += len(lines)
    last = b"".join(rest)
    if last.strip():
        yield [(number + 1, last)]


def _not_json(constant: str) -> NoReturn:
    raise ValueError(constant)


_decode = json.JSONDecoder(parse_constant=_not_json).raw_decode


def _actions(line: bytes) -> Sequence[Any]:
    """The actions of a line: one, or an array of those of a batch.

    Raises InvalidJSONError, LimitError: it is not JSON, or exceeds a limit.
    Raises InvalidActionError: it is neither an object nor an array.
    """
    data: Any
    try:
        text = line.decode()
        data, end = _decode(text)
        if end != len(text):
            data = imd.from_json(line)
    except (ValueError, RecursionError):  # The library says why, or can read it.
        data = imd.from_json(line)
    if isinstance(data, _OBJECTS):
        return (data,)
    if isinstance(data, _ARRAYS) and all(isinstance(each, _OBJECTS) for each in data):
        return data
    raise imd.InvalidActionError(f"an action is an object, such as {_EXAMPLE}")


_EXAMPLE = '{"type":"added","payload":1}'
_OBJECTS = dict, imd.ObjectValue
_ARRAYS = list, imd.ArrayValue
