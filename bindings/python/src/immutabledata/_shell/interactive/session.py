"""A session: a store, and what belongs to it until another store is opened."""

from __future__ import annotations

from contextlib import suppress
from itertools import islice
from typing import Any, Callable

import immutabledata as imd

from ..failure import CommandError, explain
from ..stores import OpenedStore
from .following import TRACES, Following
from .printing import Printer
from .results import Changes, Note, Result, Shown
from .values import difference, is_container, to_value
from .vocabulary import Vocabulary

# How many seconds an action may have effects before a terminal shows what has changed so far, and
# before the next line of a pipe is read.
_MOMENT = 0.5
_PATIENCE = 10.0
# How many steps of the history, and rows of other lists, are read for completion.
_REMEMBERED = 200


class Session:
    """A store and what belongs to it, until another store is opened."""

    def __init__(
        self,
        opened: OpenedStore,
        printer: Printer,
        open_again: Callable[..., OpenedStore],
        is_interactive: bool = False,
    ) -> None:
        self.opened = opened
        self.printer = printer
        self.open_again = open_again
        """Opens the store with a name, perhaps with a reducer and options of a domain."""
        self.is_interactive = is_interactive
        self.last: Result | None = None
        self.ended = False
        self._start(opened)

    @property
    def store(self) -> imd.Store[Any]:
        return self.opened.store

    def _start(self, opened: OpenedStore) -> None:
        self.opened = opened
        self.vocabulary = Vocabulary.of(opened.describe())
        self.following = Following(opened.store, self.printer)
        self._warned = self._has_dispatched = False
        self._patience = _PATIENCE
        try:
            for step in opened.store.history.read(-_REMEMBERED, actions=True):
                self.vocabulary.learn(step.actions or ())
        except imd.Error:  # It has no history, or a long one of large actions.
            self._learn_from_log()

    def _learn_from_log(self) -> None:
        """Learns the types of the first actions of the log."""
        if self.opened.path is None:
            return
        with suppress(imd.Error):
            for entry in islice(imd.log.entries(self.opened.path), _REMEMBERED):
                self.vocabulary.learn(entry.actions or ())

    def replace(self, opened: OpenedStore, keeps_observations: bool = False) -> None:
        """Goes on with another store, and closes the present one."""
        observed = self.following.observed if keeps_observations else []
        self.close()
        self._start(opened)
        for each in observed:
            self.following.observe(each, initial=False)

    def close(self) -> None:
        self.following.close()
        try:
            self.opened.close()
        except imd.StorageError as error:
            self.printer.fail(explain(error))

    # ---- The state -------------------------------------------------------------------------------

    def show(self, result: Result) -> None:
        if not isinstance(result, Note):
            self.last = result
        self.printer.show(result)

    def changed_by(self, call: Callable[[], object]) -> Result | None:
        """Makes a call, waits for its effects, and returns how the state has changed."""
        if not self.is_interactive:
            call()
            if not self._settle(self._patience):
                self._patience = _MOMENT  # It has effects that do not end.
            return None
        if self.opened.is_shared:
            self.store.refresh()  # What others have changed is none of the call.
        before = self.store.state
        call()
        if not self._settle(_MOMENT):
            self.printer.warn("effects are still in flight; .state shows how it goes on")
        if self.following.shows_changes:
            return None
        return changes(before, self.store.state)

    def _settle(self, seconds: float) -> bool:
        """Waits for effects. Returns whether all have ended."""
        try:
            self.store.settle(seconds)
        except imd.TimedOutError:
            return False
        return True

    def query(self, expression: str) -> Shown:
        """The output of an expression. If it is empty, a warning says what may be wrong."""
        output = self.store.query(expression)
        if output is None or (is_container(output) and not output):
            for mistake in self.store.check_expression(expression):
                self.printer.warn(mistake)
        return Shown(output)

    def at(self, pointer: str) -> Any:
        """The part of the state at a pointer."""
        state = self.store.state
        if not pointer:
            return state
        if not pointer.startswith("/"):
            raise CommandError(f'a JSON Pointer begins with "/": /{pointer}')
        if not is_container(state):
            raise CommandError(f"nothing at {pointer}: the state is {state!r}")
        return to_value(state).at(pointer)

    # ---- What is not saved -----------------------------------------------------------------------

    def has_dispatched(self) -> None:
        """Says that there is something to save."""
        self._has_dispatched = True
        self._warned = False

    @property
    def is_unsaved(self) -> bool:
        """Whether actions would be lost with the store."""
        return self.opened.folder is not None and self._has_dispatched

    def may_discard(self) -> bool:
        """Whether the store may be closed. The first time, a terminal says what would be lost."""
        if not self.is_interactive or not self.is_unsaved or self._warned:
            return True
        self._warned = True
        self.printer.warn("this store is not saved: .save FILE keeps it; do that again to leave it")
        return False

    # ---- Completion ------------------------------------------------------------------------------

    def choices(self, kind: str) -> list[tuple[str, str]]:
        """Texts and descriptions for a kind of argument of a command."""
        if kind == "store":
            return [(each["name"], each["summary"]) for each in self.opened.library.domains()]
        if kind == "step":
            steps = self.store.history.read(-_REMEMBERED)
            return [(str(step.number), step.type) for step in reversed(steps)]
        if kind == "observation":
            return [(str(number), text) for number, text in self.following.listed()]
        if kind == "trace":
            return [(name, "") for name in ("off", *TRACES)]
        return []


def changes(before: Any, after: Any) -> Result:
    """How a state has changed."""
    try:
        patch = difference(before, after)
    except imd.LimitError:
        return Note("much has changed")
    return Changes(patch, before, is_answer=False) if patch else Note("nothing has changed")
