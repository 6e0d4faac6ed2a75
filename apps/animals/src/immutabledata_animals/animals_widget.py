"""Access to the application for widgets."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from immutabledata_terminal import StoreWidget

if TYPE_CHECKING:
    from .app import AnimalsApp


class AnimalsWidget(StoreWidget):
    """A mixin for widgets that observe the store and use the application."""

    @property
    def animals_app(self) -> AnimalsApp:
        return cast("AnimalsApp", self.app)
