"""Access to the store for widgets, which observe selectors and dispatch actions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Callable, cast

import immutabledata as imd
from textual.widget import Widget

from .printable import printable

if TYPE_CHECKING:
    from .app import StoreApp


class StoreWidget(Widget):
    """A mixin for widgets that observe the store while they are mounted.

    It must not be the first base of a class: Textual takes the styles from the first one.
    """

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self._observed: dict[Callable[[Any], object], imd.Observation] = {}

    @property
    def store(self) -> imd.Store:
        return cast("StoreApp", self.app).store

    def observe(
        self, selector: str, show: Callable[[Any], object], coalesce: bool = True, **arguments: Any
    ) -> None:
        """Calls show with the output as plain data, initially and whenever it changes.

        This replaces the previous observation of show. With coalesce, intermediate outputs are
        skipped.
        """

        def show_plain(output: Any) -> None:
            show(output.to_python() if isinstance(output, imd.Value) else output)

        self.end_observation(show)
        self._observed[show] = self.store.observe(
            selector, show_plain, when="queued", coalesce=coalesce, arguments=arguments
        )

    def end_observation(self, show: Callable[[Any], object]) -> None:
        """Ends the observation of show, if there is one."""
        observation = self._observed.pop(show, None)
        if observation is not None:
            observation.cancel()

    def dispatch(self, kind: str, **payload: Any) -> bool:
        """Dispatches an action, and shows its changes before the next key is read.

        If the reducer rejects the action, for example because a record was deleted, the user is
        notified, and the result is False.
        """
        action: dict[str, Any] = {"type": kind}
        if payload:
            action["payload"] = payload
        try:
            self.store.dispatch(action)
        except imd.ReducerFailedError as error:
            self.notify(printable(error.message), severity="error", markup=False)
            return False
        finally:
            self.store.poll()
        return True

    def on_unmount(self) -> None:
        for show in list(self._observed):
            self.end_observation(show)
