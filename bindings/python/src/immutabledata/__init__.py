"""An embeddable application-state engine.

A store holds a state that never changes in place. You send it actions; a reducer turns state and
action into the next state; you read the outputs of named selectors. All three are plain Python
data here, and JSON on their way to the library.

    import immutabledata as imd

    with imd.open("counter", state={"value": 40}) as store:
        store.dispatch("didTapIncrementButton")
        store.dispatch_batch(["didTapIncrementButton", "didTapDecrementButton"])
        store.select("selectValue")  # 41

What goes wrong raises a subclass of Error, and leaves the store as it was. A parameter of the
wrong Python type raises TypeError.

Everything may be used from any thread. The GIL is released while the library works.
"""

from __future__ import annotations

from ._json import JSON
from ._library import domains, version
from ._store import Store
from ._store import open as open
from .errors import (
    CancelledError,
    ClosedError,
    CorruptError,
    Error,
    InvalidActionError,
    InvalidArgumentError,
    InvalidJSONError,
    InvalidSelectorError,
    LimitError,
    ReducerFailedError,
    ReentrantError,
    StorageError,
    TimedOutError,
    UnknownDomainError,
    UnknownSelectorError,
)

# Without open: a star import must not replace the builtin.
__all__ = [
    "JSON",
    "CancelledError",
    "ClosedError",
    "CorruptError",
    "Error",
    "InvalidActionError",
    "InvalidArgumentError",
    "InvalidJSONError",
    "InvalidSelectorError",
    "LimitError",
    "ReducerFailedError",
    "ReentrantError",
    "StorageError",
    "Store",
    "TimedOutError",
    "UnknownDomainError",
    "UnknownSelectorError",
    "domains",
    "version",
]

__version__ = version()
