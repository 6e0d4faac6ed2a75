"""What a store calls on its own account, and what becomes of the exceptions of that."""

from __future__ import annotations

from ctypes import CFUNCTYPE
from typing import TYPE_CHECKING, Any, Callable

if TYPE_CHECKING:
    from .listener import Listener
    from .observation import Observation

ErrorHandler = Callable[[BaseException, Callable[..., Any]], object]
"""Is called with an exception and with the callback that it came from."""


class Caller:
    """The callbacks of a store.

    The library has only numbers for them: a callback that refers to its own store would otherwise
    keep both for ever.
    """

    __slots__ = ("_listeners", "_numbers", "_observations", "_on_error")

    def _prepare(self) -> None:
        self._observations: dict[int, Observation] = {}
        # Their numbers, in the order in which they began. The finalizer of the store ends them by
        # number: it must not hold the callbacks, which may refer to the store.
        self._numbers: dict[int, None] = {}
        self._listeners: set[Listener] = set()
        self._on_error: ErrorHandler | None = None

    def _open_handle(self) -> Any:
        raise NotImplementedError

    @property
    def _reducer_number(self) -> int | None:
        """The number of a reducer of Python's."""
        raise NotImplementedError

    @property
    def on_error(self) -> ErrorHandler | None:
        """What is called with an exception that nobody else can catch, and with its callback.

        That is what an observer or a listener raises, and what a selector fails with that is
        observed: the dispatch that led there has happened, and must not fail any more. That goes
        for KeyboardInterrupt and SystemExit too. Without a handler (None) sys.unraisablehook is
        called.
        """
        return self._on_error

    @on_error.setter
    def on_error(self, handler: ErrorHandler | None) -> None:
        if handler is not None and not callable(handler):
            raise TypeError(
                "on_error is called with an exception and a callback, or is None; "
                f"{type(handler).__name__} cannot be called"
            )
        self._on_error = handler

    def _report(self, error: BaseException, callback: Callable[..., Any]) -> None:
        """Hands an exception to the handler. Raises nothing."""
        handler = self._on_error
        if handler is None:
            return _unraisable(error, callback)
        try:
            handler(error, callback)
        except BaseException as another:
            _unraisable(another, handler)


def _unraisable(error: BaseException, callback: Callable[..., Any]) -> None:
    """Has the interpreter call sys.unraisablehook, as it does for what leaves a callback of C's;
    there is no other way to make the arguments of that.
    """
    _CALLBACK(_Raising(error, callback))()


_CALLBACK = CFUNCTYPE(None)


class _Raising:
    """Raises what a callback raised. The hook gets this, or its repr, as the place of that."""

    def __init__(self, error: BaseException, callback: Callable[..., Any]) -> None:
        self.error = error
        self.callback = callback

    def __call__(self) -> None:
        raise self.error

    def __repr__(self) -> str:
        return repr(self.callback)
