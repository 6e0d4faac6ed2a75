"""The options --select and --query: what a command prints of a store."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
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
        Raises what Store.define and Store.select raise.
        """
        self._reads = [_reader(opened, option, text) for option, text in given or ()]

    def __bool__(self) -> bool:
        return bool(self._reads)

    def __iter__(self) -> Iterator[Callable[[], str]]:
        """Functions that return the outputs for the present state, as JSON."""
        return iter(self._reads)


def _reader(opened: OpenedStore, option: str, text: str) -> Callable[[], str]:
    store: imd.Store[Any] = opened.store
    if option == "--query":
        _check(text)
        return lambda: store.query_json(text)
    name, _, rest = text.strip().partition(" ")
    shape = Vocabulary.of(opened.describe()).selectors.get(name)
    try:
        given = to_members(rest, parse_words(rest), shape, "argument")
    except LineError as error:
        raise CommandError(f"--select {text}: {error.message}", USAGE) from None
    try:
        store.select(name, arguments=given)
    except imd.UnknownSelectorError as error:
        if not opened.describe()["selectors"] and opened.domain is None:
            hint = "use --query" if opened.is_scratch else "a store may, as in app.py:store"
            raise CommandError(
                f'there is no selector "{name}": a reducer has none; {hint}', USAGE
            ) from error
        raise
    except imd.InvalidArgumentError:
        raise  # Now, and not after a million actions.
    except Exception:
        pass  # Another state may have an output.
    return lambda: store.select_json(name, arguments=given)


def _check(expression: str) -> None:
    """Raises InvalidSelectorError: no state has an output for the expression."""
    with imd.Store(lambda state, action: state, {}) as store, warnings.catch_warnings():
        warnings.simplefilter("ignore", imd.LikelyMistakeWarning)
        store.define("output", expression)
