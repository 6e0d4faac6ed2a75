"""A group of actions that are one step of the history."""

from __future__ import annotations

from contextlib import ContextDecorator, suppress
from typing import TYPE_CHECKING, Protocol

from ..errors import ClosedError

if TYPE_CHECKING:
    from typing_extensions import Self


class Grouping(Protocol):
    """A store with a history."""

    def begin_group(self) -> None: ...
    def end_group(self) -> None: ...
    def cancel_group(self) -> None: ...


class Group(ContextDecorator):
    """Makes one step of all actions of a with block; see Store.group."""

    __slots__ = ("_cancel_on_error", "_is_open", "_store")

    def __init__(self, store: Grouping, cancel_on_error: bool = False) -> None:
        self._store = store
        self._cancel_on_error = cancel_on_error
        self._is_open = False

    def cancel(self) -> None:
        """Gives up the group: the state is the one before it, see Store.cancel_group.

        Actions that follow in the with block do not belong to the group. Does nothing if it has
        ended.
        """
        if self._is_open:
            self._store.cancel_group()
            self._is_open = False

    def __enter__(self) -> Self:
        self._store.begin_group()
        self._is_open = True
        return self

    def __exit__(self, kind: object, *rest: object) -> None:
        with suppress(ClosedError):
            try:
                if kind is not None and self._cancel_on_error:
                    self.cancel()
            finally:
                if self._is_open:
                    self._is_open = False
                    self._store.end_group()

    def _recreate_cm(self) -> Self:
        return type(self)(self._store, self._cancel_on_error)
