"""The base class of the parts of a store."""

from __future__ import annotations

import itertools
import weakref
from ctypes import c_void_p, cast
from typing import TYPE_CHECKING, Any, Callable, Optional, TypeVar

from .. import _ffi
from .._values import Default, refuse_coroutine, require_function
from .interrupting import keep_interruption

if TYPE_CHECKING:
    import typing_extensions

    State = typing_extensions.TypeVar("State", default=Any)
    Action_contra = typing_extensions.TypeVar(
        "Action_contra", default=typing_extensions.Never, contravariant=True
    )
else:
    State = TypeVar("State")
    Action_contra = TypeVar("Action_contra")
"""The state as a program reads it, at run time a Value or a scalar; and what the reducer takes."""

ErrorHandler = Callable[[BaseException, Optional[Callable[..., Any]]], object]
"""A function that takes an exception and the callback that raised it, if there is one."""


if TYPE_CHECKING or _ffi.EXTENSION is None:

    class _Connection:
        """What the extension knows of a store: nothing, as there is none."""

        __slots__ = ()

        def _connect(self, *arguments: Any) -> None:
            pass

        def _disconnect(self) -> None:
            pass
else:
    _Connection = _ffi.EXTENSION.Store


class StoreBase(_Connection):
    """The handle of a store, and the handler for exceptions of its callbacks.

    The library refers to callbacks by numbers. If it had references, a callback that refers to its
    own store would leak both.
    """

    # Includes the slots of the mixins: only one of several base classes can have slots.
    __slots__ = (
        "_asked",
        "_callback_number",
        "_default",
        "_follows",
        "_effects",
        "_failures",
        "_fetch",
        "_listeners",
        "_numbers",
        "_observations",
        "_on_error",
        "_selectors",
        "_tasks",
        "_trace",
    )

    # The functions that are selectors, by their numbers.
    _selectors: dict[int, Any]

    # The RegisteredReducer; None in the store of a domain.
    _reducer: Any

    # The path of the file of the log, if the reducer is written in Python.
    _log: Any

    def _prepare(self) -> None:
        """Initializes the attributes; the mixins extend it."""
        self._on_error: ErrorHandler | None = None
        # Replaces data that JSON does not know.
        self._default: Default | None = None
        self._callback_number: int | None = None
        # Whether it follows a log that another store writes.
        self._follows = False

    def _require_handle(self) -> Any:
        """The imd_store. Raises ClosedError: the store is closed."""
        raise NotImplementedError

    def _has_queued_observers(self) -> bool:
        """Whether an observer is called by poll, later than its selector is evaluated."""
        raise NotImplementedError

    @property
    def closed(self) -> bool:
        """Whether the store is closed."""
        raise NotImplementedError

    @property
    def handle(self) -> int:
        """The store's imd_store * as a number, for C functions in this process.

        The C functions must not close the store. Load them after this package: a library that is
        linked with libimmutabledata.so.0.1 then uses the package's copy of it.

        Raises ClosedError: the store is closed.
        """
        return cast(self._require_handle(), c_void_p).value or 0

    def _number_for_callbacks(self) -> int:
        """The number by which the callbacks of effects find this store; see store_of."""
        number = self._callback_number
        if number is None:
            number = self._callback_number = next(_numbers)
            _stores[number] = self
        return number

    @property
    def _reducer_number(self) -> int | None:
        """The number of the reducer, if it is written in Python."""
        raise NotImplementedError

    @property
    def _reducer_function(self) -> Callable[..., Any] | None:
        """The reducer, if it is written in Python."""
        raise NotImplementedError

    @property
    def on_error(self) -> ErrorHandler | None:
        """The handler for exceptions that no caller can catch, or None.

        It is called with the exception and the callback that raised it. It receives the exceptions
        of observers, their comparisons and filters, listeners, rules, fetch and trace functions; the
        failures of observed selectors; the exceptions of the functions of effects that have no
        action for a failure. It receives KeyboardInterrupt, SystemExit and what else is no Exception
        only if no call on that thread led to the callback, see observe. A store with read_only whose log can
        no longer be followed passes the Error, and no callback. Effects that fail without such an
        exception yield an Error; the callback is then the rule, the reducer if it rejected the
        outcome, or None in the store of a domain. The dispatch that caused them has been committed
        and cannot fail. Without a handler, sys.unraisablehook is called, except for the Errors with
        None.
        """
        return self._on_error

    @on_error.setter
    def on_error(self, handler: ErrorHandler | None) -> None:
        if handler is not None:
            expected = "a function that takes an exception and a callback, or None"
            require_function(handler, "on_error", expected, 2)
        self._on_error = handler

    def _report(
        self, error: BaseException, callback: Callable[..., Any] | None, role: str
    ) -> None:
        """Passes an exception to the handler; one that interrupts, to the call that led to the
        callback, if there is one. Raises nothing.

        role: what failed, for the hook: 'the observer of "total"'.
        """
        if keep_interruption(error, role):
            return
        handler = self._on_error
        if handler is None:
            origin = f"{role} in {self!r}"
            if callback is not None:
                origin = f"{origin}: {callback!r}"
            return call_unraisable_hook(error, origin)
        try:
            refuse_coroutine(handler(error, callback), "on_error")
        except BaseException as another:
            if keep_interruption(another, "on_error"):
                return
            call_unraisable_hook(another, f"on_error in {self!r}: {handler!r}")


# By the number that the library passes.
_stores: weakref.WeakValueDictionary[int, StoreBase] = weakref.WeakValueDictionary()
_numbers = itertools.count(1)


def store_of(number: int) -> Any:
    """The store with a number for callbacks; None if it was deleted."""
    return _stores.get(number)


def call_unraisable_hook(error: BaseException, origin: str) -> None:
    """Makes the interpreter call sys.unraisablehook: "Exception ignored in: " and the origin.

    Only the interpreter can create the argument of the hook. It does so for an exception of the
    callback of a weak reference.
    """
    target = _Target()
    reference = weakref.ref(target, _Raiser(error, origin))
    del target, reference


class _Target:
    """An object to which a weak reference is possible."""


class _Raiser:
    """Raises an exception; its repr, which the hook prints, says where it comes from."""

    def __init__(self, error: BaseException, origin: str) -> None:
        self.error = error
        self.origin = origin

    def __call__(self, reference: object) -> None:
        raise self.error

    def __repr__(self) -> str:
        return self.origin
