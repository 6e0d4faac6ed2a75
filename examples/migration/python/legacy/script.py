"""A user at work: the same taps at each stage. Prints all screens after each tap."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Callable

from .screens import Sessions


@dataclass
class App:
    screens: list[Any]
    sessions: Sessions
    tap_status: Callable[[str], None]
    tap_add: Callable[[], None]
    tap_complete: Callable[[str], None]
    tap_rename: Callable[[str, str], None]
    idle: Callable[[], None] = lambda: None
    """What the event loop does after each event."""


def show(app: App, step: str) -> None:
    app.idle()
    print("==", step)
    for screen in app.screens:
        for row in screen.rows:
            print(f"{screen.title:<8}| {row}")
    for event in app.sessions.events:
        print(f"session | {event}")
    print("built   |", ", ".join(f"{screen.title} {screen.built}" for screen in app.screens))
    app.sessions.events.clear()
    for screen in app.screens:
        screen.built = 0


def play(app: App) -> None:
    show(app, "the truck opens")
    app.tap_status("#1201")
    show(app, "orders screen: prepare #1201")
    app.tap_complete("#1201")
    show(app, "truck screen: complete #1201")
    app.tap_rename("rainbow", "Unicorn")
    show(app, "donuts screen: rename Rainbow to Unicorn")
    app.tap_add()
    show(app, "orders screen: add an order")
    app.tap_status("#9999")
    show(app, "orders screen: prepare an order that does not exist")
