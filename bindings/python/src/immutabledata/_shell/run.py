"""imd run: actions from a pipe."""

from __future__ import annotations

import argparse
import json
import sys
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext, suppress
from typing import Any, NoReturn

import immutabledata as imd

from .failure import REFUSED, CommandError, explain
from .input import numbered_lines
from .interrupts import Interrupts
from .output import Output, report
from .outputs import Outputs
from .programs import with_place
from .progress import Progress, progress
from .stores import OpenedStore, open_store


def run(arguments: argparse.Namespace) -> int:
    """Dispatches the actions of standard input to a store, and prints outputs."""
    is_typed = sys.stdin.isatty()
    if is_typed:
        report(f"type an action in each line, such as {_EXAMPLE}, and Ctrl+D at the end")
    opened = open_store(
        arguments.store,
        arguments.reducer,
        command="run",
        library=arguments.library,
        state=arguments.state,
        options=arguments.options,
        shared=arguments.shared,
        author=arguments.author,
    )
    try:
        outputs = Outputs(opened, arguments.outputs)
        with nullcontext(Progress("")) if is_typed else progress("dispatching") as shown:
            dispatcher = _Dispatcher(opened, outputs, arguments, shown)
            try:
                with dispatcher.interrupts.handled(), _places_of_warnings(dispatcher):
                    dispatcher.dispatch_lines()
            except KeyboardInterrupt:
                report(dispatcher.summary("interrupted"))
                raise
            except _NO_MORE as error:
                raise CommandError(f"{dispatcher.summary('stopped')}: {explain(error)}") from error
        if outputs and not arguments.each:
            dispatcher.print_outputs()
    except BaseException:
        with suppress(imd.StorageError):  # What failed first is reported.
            opened.close()
        raise
    opened.close()
    return REFUSED if dispatcher.refused else 0


# After these, no later action would be accepted.
_NO_MORE = imd.StorageError, imd.ClosedError, imd.TimedOutError


class _StoppedError(Exception):
    """A line was refused, and nothing after it counts."""


class _Dispatcher:
    """Dispatches lines, and reports those that are refused."""

    def __init__(
        self,
        opened: OpenedStore,
        outputs: Outputs,
        arguments: argparse.Namespace,
        shown: Progress,
    ) -> None:
        self.interrupts = Interrupts()
        self.numbers = 0, 0
        """The first and the last line of those that are being dispatched."""
        self._count = self._last = 0
        self.refused = 0
        """How many lines were refused, and outputs failed."""
        self._opened = opened
        self._store = opened.store
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
            for lines in numbered_lines():
                for start in range(0, len(lines), self._size):
                    self._dispatch_batch(lines[start : start + self._size])
                self._shown.text = _lines(self._count)
                self._output.flush()  # The next line may take long to come.
        except _StoppedError:
            pass
        self._store.settle()
        self._store.flush()
        self._store.sync()  # It finds that another file has the name of the log.

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

    def summary(self, ended: str) -> str:
        """What was done before it ended."""
        place = f" after line {self._last:,}" if self._last else ""
        verb = "was" if self._count == 1 else "were"
        return f"{ended}{place}; {_lines(self._count)} {verb} dispatched"

    def _dispatch_batch(self, lines: list[tuple[int, bytes]]) -> None:
        """Dispatches lines as one batch; if it is refused, each line alone."""
        if len(lines) > 1:
            try:
                with self.interrupts:
                    self.numbers = lines[0][0], lines[-1][0]
                    actions = [action for _, line in lines for action in _actions(line)]
                    self._opened.refuse_ignored(actions)
                    self._store.dispatch_batch(actions)
                    self._count += len(lines)
                    self._last = lines[-1][0]
            except _NO_MORE:
                raise
            except Exception:
                self.interrupts.check()
            else:
                return self._print_each()
        for number, line in lines:
            self._dispatch(number, line)

    def _dispatch(self, number: int, line: bytes) -> None:
        try:
            with self.interrupts:
                self.numbers = number, number
                actions = _actions(line)
                self._opened.refuse_ignored(actions)
                if len(actions) == 1:
                    self._store.dispatch(actions[0])
                else:
                    self._store.dispatch_batch(actions)
                self._count += 1
                self._last = number
        except _NO_MORE:
            raise
        except Exception as error:
            self._refuse(number, line, error)
            self._last = number
            self.interrupts.check()
        else:
            self._print_each()

    def _print_each(self) -> None:
        self.interrupts.check()
        if self._prints_each:
            self._store.settle()
            self.print_outputs(f"after line {self._last:,}: ")

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


def _lines(count: int) -> str:
    return "1 line" if count == 1 else f"{count:,} lines"


@contextmanager
def _places_of_warnings(dispatcher: _Dispatcher) -> Iterator[None]:
    """Warnings say which line leads to them."""
    show: Any = warnings.showwarning

    def show_with_place(message: Warning | str, *rest: Any, **options: Any) -> None:
        first, last = dispatcher.numbers
        place = f"line {first:,}: " if first == last else f"lines {first:,} to {last:,}: "
        show(f"{place}{message}" if dispatcher.interrupts.is_held else message, *rest, **options)

    with warnings.catch_warnings():
        warnings.showwarning = show_with_place
        yield


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
