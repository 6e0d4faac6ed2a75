"""What a dispatch and its reducer pass to each other: both run on the same thread."""

from __future__ import annotations

import threading
from typing import Any


class ThreadState:
    """The state of a thread: an attribute of a threading.local takes eight times as long."""

    __slots__ = (
        "action_handle",
        "may_repeat",
        "raised",
        "reducing",
        "running",
        "selecting",
        "selector_raised",
        "sent",
    )

    def __init__(self) -> None:
        self.sent: Any = None
        """The action that is being dispatched, until its reducer begins."""

        self.reducing: Any = None
        """The action that was dispatched, while its reducer runs."""

        self.action_handle: Any = None
        """The handle of the action while its reducer runs, borrowed."""

        self.raised: BaseException | None = None
        """The exception that the reducer raised; the dispatch raises it again."""

        self.may_repeat: bool | None = None
        """Whether the dispatch may call the reducer several times; None: there is no dispatch."""

        self.selector_raised: tuple[str, BaseException] | None = None
        """What a function that is a selector raised last, and the message that the library got."""

        self.selecting: tuple[int, ...] = ()
        """The ids of the stores whose selectors are running, the innermost last."""

        self.running: int | None = None
        """The number of the reducer that is running."""


class _Local(threading.local):
    def __init__(self) -> None:
        self.state = ThreadState()


local = _Local()
"""local.state is the state of this thread."""
