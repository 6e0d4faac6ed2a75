"""Thunks: units of work that dispatch, select and have side effects."""

from __future__ import annotations

from typing import Any, Callable, TypeVar

from .callbacks import Caller

_Result = TypeVar("_Result")


class Runner(Caller):
    """The part of a store that runs thunks."""

    __slots__ = ()

    dispatch: Callable[..., None]
    select: Callable[..., Any]

    def run(self, thunk: Callable[..., _Result], /, *arguments: Any, **named: Any) -> _Result:
        """Calls thunk(dispatch, select, *arguments, **named), and returns what it returns.

            def load(dispatch, select, path): ...
            store.run(load, "notes.txt")

            async def fetch(dispatch, select): ...
            await store.run(fetch)

        dispatch and select are those of this store. What the thunk raises comes out as it is.

        Raises ClosedError: the store was closed.
        """
        if not callable(thunk):
            raise TypeError(
                "a thunk is called with dispatch and select; "
                f"{type(thunk).__name__} cannot be called"
            )
        self._open_handle()
        # Not by imd_store_run, which would do the same by way of C, but could carry neither a
        # result nor an exception.
        return thunk(self.dispatch, self.select, *arguments, **named)
