"""The options --select and --query: what a command prints of a store."""

from __future__ import annotations

from typing import Any, Callable

import immutabledata as imd

from .failure import USAGE, CommandError
from .interactive.vocabulary import Vocabulary
from .interactive.words import LineError, parse_words, to_members
from .stores import OpenedStore


class Outputs:
    """The outputs that were asked for, in the order of the options."""

    def __init__(self, opened: OpenedStore, given: list[tuple[str, str]] | None) -> None:
        """given: the options, each with its text.

        Raises CommandError: an option cannot be understood.
        """
        self._reads = [_reader(opened, option, text) for option, text in given or ()]

    def __bool__(self) -> bool:
        return bool(self._reads)

    def read(self) -> list[str]:
        """The outputs for the present state, as JSON."""
        return [read() for read in self._reads]


def _reader(opened: OpenedStore, option: str, text: str) -> Callable[[], str]:
    store: imd.Store[Any] = opened.store
    if option == "--query":
        return lambda: store.query_json(text)
    name, _, rest = text.strip().partition(" ")
    shape = Vocabulary.of(opened.describe()).selectors.get(name)
    try:
        given = to_members(rest, parse_words(rest), shape, "argument")
    except LineError as error:
        raise CommandError(f"--select {text}: {error.message}", USAGE) from None
    return lambda: store.select_json(name, arguments=given)
