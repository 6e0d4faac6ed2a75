"""An embeddable application-state engine.

A store has a state that never changes in place. You dispatch actions; a reducer computes the next
state from the state and the action; you read the state, or the outputs of queries and selectors.

    import immutabledata as imd

    @imd.drafting
    def reduce(draft, action):
        if action["type"] == "added":
            draft["todos"].append(action["payload"])

    with imd.Store(reduce, state={"todos": []}) as store:
        store.dispatch("added", {"title": "Write", "done": False})
        store.state["todos"][0]["title"]        # "Write"
        store.query("length(todos[?!done])")    # 1

        store.define("open", "todos[?!done].title")

        @store.observe("open")                  # called with the output now, and when it changes
        def show(titles): ...

A state is made of Values: immutable mappings and sequences with structural sharing. open opens the
store of a domain, whose actions and selectors the library implements. observe, outputs, stream and
listener follow a store. set_rule and set_effect perform side effects after actions. undo and redo
go through the history of a store.

A call that fails raises a subclass of Error or, if your own reducer raised an exception, that
exception. The state then stays as it was, except after a rejected outcome of an optimistic update.
An argument of the wrong Python type raises TypeError.

Any thread may use everything except drafts. The GIL is released during calls that may take long.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ._ffi import version
from ._loading import Library, load
from ._stores import (
    Commit,
    History,
    Listener,
    Migration,
    Observation,
    Outputs,
    Preview,
    Request,
    Store,
    Stream,
    cancelled,
    domains,
    fetch,
    log,
    register_log,
)
from ._stores import open as open
from ._values import (
    JSON,
    Action,
    ArrayValue,
    ObjectValue,
    Patch,
    Reducer,
    Value,
    apply_patch,
    drafting,
    from_json,
    limits,
    to_python,
    value,
)
from .errors import (
    ClosedError,
    CorruptError,
    DivergedError,
    Error,
    InvalidActionError,
    InvalidArgumentError,
    InvalidJSONError,
    InvalidSelectorError,
    LikelyMistakeWarning,
    LimitError,
    NotFoundError,
    OutdatedError,
    ReducerFailedError,
    ReentrantError,
    RefusedError,
    StorageError,
    TimedOutError,
    UnavailableError,
    UnknownDomainError,
    UnknownSelectorError,
)

if TYPE_CHECKING:
    from ._stores.history_step import HistoryChange, HistoryStep
    from ._stores.log_entry import LogEntry, LogSnapshot
    from ._stores.option_types import (
        HistoryOptions,
        InspectOptions,
        LogOptions,
        ObserveOptions,
        StrictOptions,
        TraceOptions,
    )
    from ._toolkit import ActionCreator, Slice, combine, entities

# Without open: a star import must not replace the builtin function.
__all__ = [
    "JSON",
    "Action",
    "ActionCreator",
    "ArrayValue",
    "ClosedError",
    "Commit",
    "CorruptError",
    "DivergedError",
    "Error",
    "History",
    "HistoryChange",
    "HistoryOptions",
    "HistoryStep",
    "InspectOptions",
    "InvalidActionError",
    "InvalidArgumentError",
    "InvalidJSONError",
    "InvalidSelectorError",
    "Library",
    "LikelyMistakeWarning",
    "LimitError",
    "Listener",
    "LogEntry",
    "LogOptions",
    "LogSnapshot",
    "Migration",
    "NotFoundError",
    "ObjectValue",
    "Observation",
    "ObserveOptions",
    "OutdatedError",
    "Outputs",
    "Patch",
    "Preview",
    "Reducer",
    "ReducerFailedError",
    "ReentrantError",
    "RefusedError",
    "Request",
    "Slice",
    "StorageError",
    "Store",
    "Stream",
    "StrictOptions",
    "TimedOutError",
    "TraceOptions",
    "UnavailableError",
    "UnknownDomainError",
    "UnknownSelectorError",
    "Value",
    "apply_patch",
    "cancelled",
    "combine",
    "domains",
    "drafting",
    "entities",
    "fetch",
    "from_json",
    "limits",
    "load",
    "log",
    "register_log",
    "to_python",
    "value",
    "version",
]

__version__ = version()


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})


def __getattr__(name: str) -> Any:
    # Imported when first used: not every program uses them, and their modules take long to load.
    if name in ("ActionCreator", "Slice", "combine", "entities"):
        from . import _toolkit

        return getattr(_toolkit, name)
    if name in ("HistoryChange", "HistoryStep"):
        from ._stores import history_step

        return getattr(history_step, name)
    if name in (
        "HistoryOptions",
        "InspectOptions",
        "LogOptions",
        "ObserveOptions",
        "StrictOptions",
        "TraceOptions",
    ):
        from ._stores import option_types

        return getattr(option_types, name)
    if name in ("LogEntry", "LogSnapshot"):
        from ._stores import log_entry

        return getattr(log_entry, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
