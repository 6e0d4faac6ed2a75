"""What is shown while it happens: observed outputs, and the trace."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import immutabledata as imd

from ..failure import explain
from .printing import Printer
from .results import UNKNOWN, Changes, Result, Shown, Traced
from .values import difference

TRACES = {
    "on": ("action", "rejected", "selector", "observer", "effect", "request", "failure"),
    "actions": ("action", "rejected"),
    "selectors": ("selector",),
    "observers": ("observer",),
    "effects": ("effect", "request", "failure"),
}
"""The kinds of lines that each argument of .trace shows."""


@dataclass(frozen=True)
class Observed:
    """What an observation shows."""

    text: str
    """As it was typed."""
    selector: str
    is_expression: bool = True
    """Whether the selector must be defined first, as the expression that is its name."""
    arguments: Mapping[str, Any] = field(default_factory=dict)


class Following:
    """The observations and the trace of a store."""

    def __init__(self, store: imd.Store[Any], printer: Printer) -> None:
        self._store = store
        self._printer = printer
        self._observed: dict[int, tuple[Observed, imd.Observation]] = {}
        self._next = 1
        self._traced: tuple[str, ...] = ()
        if store.on_error is None:
            store.on_error = self._fail

    def close(self) -> None:
        for number in list(self._observed):
            self.cancel(number)

    def observe(self, observed: Observed, *, initial: bool = True) -> None:
        """Shows an output now and whenever it changes."""
        number = self._next
        shown: list[Any] = []
        label = f"[{number}] {observed.text}"
        if observed.is_expression:
            self._store.define(observed.selector, observed.selector)

        def show(output: Any) -> None:
            before = shown[0] if shown else UNKNOWN
            shown[:] = [output]
            self._printer.show_live(label, _change(before, output))

        observation = self._store.observe(
            observed.selector,
            show,
            initial=initial,
            label=observed.text,
            arguments=observed.arguments,
        )
        self._observed[number] = observed, observation
        self._next += 1

    def cancel(self, number: int) -> bool:
        """Ends an observation; returns whether there was one."""
        found = self._observed.pop(number, None)
        if found is not None:
            found[1].cancel()
        return found is not None

    def listed(self) -> list[tuple[int, str]]:
        """The number and the text of each observation."""
        return [(number, each.text) for number, (each, _) in self._observed.items()]

    @property
    def observed(self) -> list[Observed]:
        """What is observed, to observe the same in another store."""
        return [each for each, _ in self._observed.values()]

    def trace(self, kinds: tuple[str, ...]) -> None:
        """Shows the lines of the trace that are of some kinds; none ends it."""
        self._traced = kinds
        self._store.set_trace(self._show_trace if kinds else None)

    @property
    def is_active(self) -> bool:
        """Whether it may show something at any time."""
        return bool(self._observed or self._traced)

    @property
    def is_traced(self) -> bool:
        return bool(self._traced)

    @property
    def shows_changes(self) -> bool:
        """Whether the trace shows what actions change."""
        return "action" in self._traced

    def _show_trace(self, line: dict[str, Any]) -> None:
        if line["trace"] in self._traced:
            self._printer.show_live("", Traced(line))

    def _fail(self, error: BaseException, callback: object) -> None:
        if not isinstance(error, BrokenPipeError):  # The shell ends when it waits for a line.
            self._printer.fail(explain(error))


def _change(before: Any, output: Any) -> Result:
    """An output, or what has changed of it if that is less."""
    if before is UNKNOWN:
        return Shown(output)
    try:
        patch = difference(before, output)
    except imd.LimitError:
        return Shown(output)
    if len(patch) == 1 and not patch[0]["path"]:
        return Shown(output)
    return Changes(patch, before)
