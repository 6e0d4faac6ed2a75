"""The trace of a store: what happens in it, for debugging."""

from __future__ import annotations

import json
from ctypes import string_at
from typing import Any, Callable

from .. import _ffi
from .._values import refuse_coroutine, require_function
from .base import StoreBase, store_of
from .interrupting import keep_interruption
from .thread_state import PURE, entry, local

TraceFunction = Callable[[dict[str, Any]], object]


class TraceMixin(StoreBase):
    """The function that gets the lines of a trace."""

    __slots__ = ()

    def _prepare(self) -> None:
        super()._prepare()
        self._trace: TraceFunction | None = None

    def set_trace(self, function: TraceFunction | None, /) -> None:
        """Sets the function that gets the trace of the store, line by line; None removes it.

        Each line is a dict: an action with what it changed, an evaluation of a selector, a call of an
        observer, an effect.
        The page on debugging lists the members. Without a function, the lines go to standard error
        or to a file, if the option trace or the variable IMMUTABLEDATA_TRACE of the environment
        says so:

        True: everything; False: nothing, whatever the environment says.
        An iterable of "actions", "changes", "selectors", "observers" and "effects": what is shown.
        A mapping, see TraceOptions: also a file, and values that must not be shown.

        The function is called where something happens: for an action before effects and observers,
        for anything else on any thread, also on several at once. It may use the store, but a
        dispatch raises ReentrantError. What it does on its thread is not traced. If it raises an
        exception, that goes to on_error; what interrupts it, to the call that led to it, see
        observe.

        Raises TypeError: function takes other parameters.
        Raises ClosedError: the store is closed.
        """
        if function is not None:
            require_function(function, "trace", "a function that takes a dict, or None", 1)
        store = self._require_handle()
        self._trace = function
        number = self._number_for_callbacks()
        c_function = _ffi.imd_trace() if function is None else _C_TRACE
        _ffi.imd_store_set_trace(store, c_function, number, _ffi.imd_release(), _ffi.imd_error())

    def _write_trace(self, line: bytes) -> None:
        function = self._trace
        if function is None:
            return
        thread = local.state
        outer = thread.running
        try:
            thread.running = PURE
            refuse_coroutine(function(json.loads(line)), "the trace function")
        except BaseException as error:
            self._report(error, function, "the trace function")
        finally:
            thread.running = outer


@entry
def _call_trace(context: Any, line: Any, length: int) -> None:
    store = store_of(context)
    if store is not None:
        store._write_trace(string_at(line, length))


# The C function of every store. A global, so that it is never freed while the library may call it.
_C_TRACE = _ffi.imd_trace(_ffi.guarded(_call_trace, keep_interruption))
