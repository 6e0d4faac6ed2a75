"""What a dispatch and its callbacks pass to each other, which run on the same thread."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Any

from .. import _ffi

if TYPE_CHECKING or _ffi.EXTENSION is None:

    class _Dispatching:
        """What a dispatch and its callbacks pass to each other."""

        __slots__ = ("interruption", "may_repeat", "raised", "running")

        def __init__(self) -> None:
            self.raised: BaseException | None = None
            """The exception that the reducer raised; the dispatch raises it again."""

            self.interruption: BaseException | None = None
            """What interrupted an observer or another callback; the dispatch, or another call that
            leads to callbacks, raises it when it has ended."""

            self.may_repeat: bool | None = None
            """Whether the dispatch may call the reducer several times; None: no call is
            in progress that could raise what a callback raises."""

            self.running: int | None = None
            """The number of the reducer that is running, or PURE, or IN_DRIVER."""
else:
    # The same attributes, for the functions of the extension.
    _Dispatching = _ffi.EXTENSION.ThreadState


ENTRIES: set[Any] = set()
"""The code of the functions by which the library calls functions that must be pure."""


def entry(function: Any) -> Any:
    """Notes a function by which the library calls functions that must be pure; returns it."""
    ENTRIES.add(function.__code__)
    return function


PURE = -1
"""What running is inside a function that must not dispatch, and is no reducer."""

IN_DRIVER = -2
"""What running is on the thread of a log that a driver keeps, which must not use a store."""


class ThreadState(_Dispatching):
    """The state of a thread: an attribute of a threading.local takes eight times as long."""

    __slots__ = ("rejections", "selecting", "selector_raised")

    def __init__(self) -> None:
        super().__init__()

        self.selector_raised: tuple[str, BaseException] | None = None
        """What a function that is a selector raised last, and the message that the library got."""

        self.rejections: list[tuple[bytes, BaseException]] | None = None
        """What interrupted the reducer in a call that lets outcomes of effects in, and the messages
        that the library got. It reports these when the reducer may have been called again. None: no
        such call is in progress."""

        self.selecting: tuple[int, ...] = ()
        """The ids of the stores whose selectors are running, the innermost last."""


class _Local(threading.local):
    # For what the garbage collector runs while the state of a thread is made, such as the end of a
    # store.
    state = ThreadState()

    def __init__(self) -> None:
        self.state = ThreadState()


local = _Local()
"""local.state is the state of this thread."""
