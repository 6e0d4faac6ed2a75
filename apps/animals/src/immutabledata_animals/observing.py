"""How a widget uses the store: it shows outputs of selectors, and sends actions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Callable, cast

import immutabledata as imd
from textual.widget import Widget

from .printable import printable

if TYPE_CHECKING:
    from .app import AnimalsApp


class Observing(Widget):
    """A widget that observes the store for as long as it is mounted.

    It stands behind the other bases of a class, as the first is the one that styles come from.
    """

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self._observed: dict[Callable[[Any], object], imd.Observation] = {}

    @property
    def animals_app(self) -> AnimalsApp:
        return cast("AnimalsApp", self.app)

    @property
    def store(self) -> imd.Store:
        return self.animals_app.store

    def observe(
        self, selector: str, show: Callable[[Any], object], coalesce: bool = True, **arguments: Any
    ) -> None:
        """Calls show with the output as plain data, soon and whenever it changes.

        It takes the place of what show observed before. With coalesce only the latest output is
        shown: what came and went in between is passed over.
        """

        def show_plain(output: Any) -> None:
            show(output.to_python() if isinstance(output, imd.Value) else output)

        self._end(show)
        self._observed[show] = self.store.observe(
            selector, show_plain, when="queued", coalesce=coalesce, **arguments
        )

    def send(self, kind: str, **payload: Any) -> None:
        """Dispatches an action, and has what changed by it shown before the next key is read.

        An action on what is not there any more is refused, which the user is told.
        """
        action: dict[str, Any] = {"type": kind}
        if payload:
            action["payload"] = payload
        try:
            self.store.dispatch(action)
        except imd.ReducerFailedError as error:
            self.notify(printable(error.message), severity="error", markup=False)
        self.store.poll()

    def on_unmount(self) -> None:
        for show in list(self._observed):
            self._end(show)

    def _end(self, show: Callable[[Any], object]) -> None:
        observation = self._observed.pop(show, None)
        if observation is not None:
            observation.cancel()
