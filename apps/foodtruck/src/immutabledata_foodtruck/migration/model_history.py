"""Undo in the model."""

from __future__ import annotations

from copy import deepcopy
from typing import Any, Callable, NamedTuple

from ..legacy import Donut, FoodTruckModel, Order


class Content(NamedTuple):
    """A copy of what a model has published."""

    orders: list[Order]
    donuts: list[Donut]

    @classmethod
    def of(cls, model: FoodTruckModel) -> Content:
        return cls(deepcopy(model.orders), deepcopy(model.donuts))

    def edited_donut(self, after: Content) -> int | None:
        """The id of the donut that differs, if nothing else does."""
        if self.orders != after.orders or len(self.donuts) != len(after.donuts):
            return None
        pairs = zip(self.donuts, after.donuts)
        ids = [new.id for old, new in pairs if old != new and old.id == new.id]
        return ids[0] if len(ids) == 1 else None


class ModelHistory:
    """Undoes and redoes the changes of a model, whichever screen has made them.

    The model is the source of truth, so an undo changes the model back, and the model publishes
    that. To go back in the store alone would show what the model does not have.
    """

    def __init__(self, changed: Callable[[], object]) -> None:
        """changed is called after each change of what can be undone."""
        self._changed = changed
        self._past: list[Content] = []
        self._future: list[Content] = []
        self._edited: int | None = None
        """The donut whose edits are one step, because the last step is one of them."""

    def listen(self, model: FoodTruckModel) -> None:
        self._model = model
        self._present = Content.of(model)
        model.subscribe(self._receive, self._receive)

    @property
    def can_undo(self) -> bool:
        return bool(self._past)

    @property
    def can_redo(self) -> bool:
        return bool(self._future)

    def undo(self) -> None:
        self._jump(self._past, self._future)

    def redo(self) -> None:
        self._jump(self._future, self._past)

    def _jump(self, source: list[Content], target: list[Content]) -> None:
        if not source:
            return
        target.append(self._present)
        self._present, self._edited = source.pop(), None
        # Copies: the model changes its records.
        self._model.orders[:], self._model.donuts[:] = deepcopy(self._present)
        self._model.publish_donuts()
        self._model.publish_orders()
        self._changed()

    def _receive(self, _: list[Any]) -> None:
        before, self._present = self._present, Content.of(self._model)
        if before == self._present:
            return  # A jump, or nothing that matters.
        edited = before.edited_donut(self._present)
        if edited is None or edited != self._edited:
            self._past.append(before)
        self._edited = edited
        self._future.clear()
        self._changed()
