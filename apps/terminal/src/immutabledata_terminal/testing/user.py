"""A user of an application that runs without a terminal."""

from __future__ import annotations

import time
from typing import Any, Callable

from textual.app import App
from textual.pilot import Pilot
from textual.widget import Widget

from .screen import lines_of, text_in

TIMEOUT = 30


class User:
    """Presses keys, and reads the screen."""

    def __init__(self, app: App[Any], pilot: Pilot[Any]) -> None:
        self.app = app
        self.pilot = pilot

    async def press(self, *keys: str) -> None:
        await self.pilot.press(*keys)
        await self.pilot.pause()

    async def type(self, text: str) -> None:
        await self.press(*("space" if key == " " else key for key in text))

    async def click(self, selector: str, **options: Any) -> None:
        await self.pilot.click(selector, **options)
        await self.pilot.pause()

    async def until(self, condition: Callable[[], object]) -> None:
        """Runs the application until the condition holds."""
        end = time.monotonic() + TIMEOUT
        while not condition():
            assert time.monotonic() < end, "\n".join(self.screen)
            await self.pilot.pause()
        await self.pilot.pause()

    # ---- What is on the screen -------------------------------------------------------------------

    @property
    def screen(self) -> list[str]:
        """The lines of text on the screen."""
        return lines_of(self.app.export_screenshot())

    def text_of(self, widget: Widget) -> list[str]:
        """The lines of text on the screen where a widget is. The widget must be entirely in view."""
        found = self.app.screen.find_widget(widget)
        assert found.region.area > 0, widget
        assert found.visible_region == found.region, widget
        return text_in(self.screen, found.region)

    def dialog(self) -> list[str]:
        """The text of the dialog, which is in the middle of the screen above the footer."""
        dialog = self.app.screen.query_one(".dialog")
        width, height = self.app.size
        assert abs(dialog.region.x - (width - dialog.region.right)) <= 1, dialog.region
        assert abs(dialog.region.y - (height - 1 - dialog.region.bottom)) <= 1, dialog.region
        return [line.strip("│ ") for line in self.text_of(dialog)]

    def check_whole(self, *widgets: Any) -> None:
        """The labels of buttons, inputs and texts are in view, from the first word to the last."""
        for widget in widgets:
            label = getattr(widget, "label", None) or getattr(widget, "value", None)
            label = str(label or getattr(widget, "placeholder", None) or widget.content)
            shown = " ".join(" ".join(self.text_of(widget)).split())
            assert " ".join(label.split()) in shown, (label, shown)

    async def check_footer(self, *keys: str) -> None:
        """The last line lists the keys. Textual draws it after the other widgets."""
        expected = " " + "  ".join(keys)
        await self.until(lambda: self.screen[-1].startswith(expected))
        assert len(self.screen) == self.app.size.height

    @property
    def top(self) -> str:
        """The class of the screen on top."""
        return type(self.app.screen).__name__

    @property
    def toasts(self) -> list[tuple[str, str]]:
        """The titles and messages of the notifications."""
        return [(toast.title, toast.message) for toast in self.app._notifications]

    @property
    def keys(self) -> dict[str, bool]:
        """The keys in the footer, and whether they are enabled."""
        bindings = self.app.screen.active_bindings.values()
        return {each.binding.description: each.enabled for each in bindings if each.binding.show}
