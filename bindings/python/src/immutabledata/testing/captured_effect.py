"""Effects that a test performs itself."""

from __future__ import annotations

import itertools
import weakref
from typing import TYPE_CHECKING, Any, Callable

from .. import _ffi
from .._stores.effect_call import reject
from .._stores.effect_failures import reason_of
from .._stores.interrupting import keep_interruption
from .._values import JSON, encode_name, quoted, read, to_reference
from ..errors import ClosedError
from .differences import shown

if TYPE_CHECKING:
    from .._stores import Store


class CapturedEffect:
    """An effect that a store has begun and that the test ends; from TestStore.request.

        save = store.request("save")
        save.arguments["id"]
        save.succeed({"version": 2})

    Its outcome then waits for TestStore.receive.
    """

    __slots__ = (
        "__weakref__",
        "_handle",
        "_number",
        "_store",
        "arguments",
        "has_ended",
        "is_cancelled",
        "name",
    )

    name: str
    """The name of the effect."""

    arguments: Any
    """Its arguments: a Value or a scalar."""

    is_cancelled: bool
    """Whether the store no longer wants its outcome."""

    has_ended: bool
    """Whether the test has ended it."""

    def __init__(self, store: Store[Any], name: str, handle: Any, arguments: Any) -> None:
        self.name = name
        self.arguments = arguments
        self.is_cancelled = False
        self.has_ended = False
        self._store = store
        self._handle = handle
        self._number = next(_numbers)
        _captured[self._number] = self
        try:
            _ffi.imd_effect_set_cancel(
                handle, _C_CANCEL, self._number, _ffi.imd_release(), _ffi.imd_error()
            )
        except ClosedError:  # The store was closed.
            self.is_cancelled = True

    def succeed(self, result: JSON = None) -> None:
        """Ends the effect with a result: plain data, a Value or a scalar.

        If it was cancelled, nothing happens, as with an answer that comes too late. lateOutcomes of
        the statistics does not count it: like the task of an async function, a captured effect has
        ended with its cancellation.

        Raises ClosedError: the test has ended it before, or the store is closed.
        Raises what immutabledata.value does for the result.
        """
        reference = to_reference(result, f"the result of the effect {quoted(self.name)}")
        self._end(
            lambda: _ffi.imd_effect_resolve(self._handle, reference._handle, _ffi.imd_error())
        )

    def fail(self, reason: str | BaseException) -> None:
        """Ends the effect without a result. The reason is a message, or the exception that has it.

        If it was cancelled, nothing happens.

        Raises ClosedError: as succeed does.
        """
        text = reason_of(reason) if isinstance(reason, BaseException) else reason.encode()
        self._end(lambda: reject(self._handle, text))

    def _end(self, end: Callable[[], object]) -> None:
        if self.has_ended:
            raise ClosedError(f"the effect {quoted(self.name)} was ended before")
        if not self.is_cancelled:
            end()
        self.has_ended = True
        if not self._store.closed:
            self._store.advance(0)  # What follows now, such as another attempt.

    def __repr__(self) -> str:
        state = "cancelled" if self.is_cancelled else "ended" if self.has_ended else "in flight"
        return f"<immutabledata.testing.CapturedEffect {self.name!r} {state}>"

    def __str__(self) -> str:
        return described(self.name, self.arguments)


def described(name: str, arguments: Any) -> str:
    """An effect, as messages name it."""
    return quoted(name) if arguments is None else f"{quoted(name)} with {shown(arguments)}"


class Capture:
    """Begins the effects of a name for the test."""

    __slots__ = ("__weakref__", "_begun", "_name", "_number", "_store")

    def __init__(
        self, store: Store[Any], name: str, begun: Callable[[CapturedEffect], object]
    ) -> None:
        self._store = weakref.ref(store)
        self._name = name
        self._begun = begun
        self._number = next(_numbers)
        _captures[self._number] = self
        _ffi.imd_store_set_effect(
            store._require_handle(),
            encode_name(name, "the name of an effect"),
            _C_BEGIN,
            self._number,
            _ffi.imd_release(),
            _ffi.imd_error(),
        )

    def begin(self, handle: Any, arguments: Any) -> None:
        store = self._store()
        if store is not None:
            self._begun(CapturedEffect(store, self._name, handle, arguments))


# By the numbers that the library passes.
_numbers = itertools.count(1)
_captures: weakref.WeakValueDictionary[int, Capture] = weakref.WeakValueDictionary()
_captured: weakref.WeakValueDictionary[int, CapturedEffect] = weakref.WeakValueDictionary()


def _begin(context: Any, handle: Any, arguments: Any) -> None:
    capture = _captures.get(context)
    if capture is not None:
        capture.begin(handle, read(arguments))


def _cancel(context: Any) -> None:
    effect = _captured.get(context)
    if effect is not None:
        effect.is_cancelled = True


# Globals, so that they are never freed while the library may call them.
_C_BEGIN = _ffi.imd_effect_function(_ffi.guarded(_begin, keep_interruption))
_C_CANCEL = _ffi.imd_effect_cancel(_ffi.guarded(_cancel, keep_interruption))
