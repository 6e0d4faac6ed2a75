"""An embeddable application-state engine.

A store holds a state that never changes in place. You send it actions; a reducer turns state and
action into the next state; you read the state, or the outputs of queries and named selectors.

    import immutabledata as imd

    @imd.drafting
    def reduce(draft, action):
        if action["type"] == "added":
            draft["todos"].append(action["payload"])

    with imd.Store(reduce, state={"todos": []}) as store:
        store.dispatch("added", payload={"title": "Write", "done": False})
        store.state["todos"][0]["title"]        # "Write"
        store.query("length(todos[?!done])")    # 1

        store.define("open", "todos[?!done].title")

        @store.observe("open")                  # told of the output now, and when it changes
        def show(titles): ...

A state is made of Values: immutable mappings and sequences that share all that they have in common.
open opens a store of a domain that the library knows, with its actions and selectors. observe,
outputs, stream and listener tell of what happens in a store, run runs what has side effects.

What goes wrong raises a subclass of Error, and leaves the store as it was. A parameter of the
wrong Python type raises TypeError.

Everything may be used from any thread. The GIL is released while the library works.
"""

from __future__ import annotations

from ._stores.domains import domains, version
from ._stores.effects import Request
from ._stores.fetch import fetch
from ._stores.listener import Listener
from ._stores.observation import Observation, Patch
from ._stores.store import Store
from ._stores.store import open as open
from ._stores.stream import Stream
from ._toolkit.combine import combine
from ._toolkit.entities import entities
from ._toolkit.slice import Slice
from ._values.draft import drafting
from ._values.json_text import JSON
from ._values.limits import limits
from ._values.patch import apply_patch
from ._values.value import ArrayValue, ObjectValue, Value, from_json, value
from .errors import (
    ClosedError,
    CorruptError,
    Error,
    InvalidActionError,
    InvalidArgumentError,
    InvalidJSONError,
    InvalidSelectorError,
    LimitError,
    NotFoundError,
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
    "ArrayValue",
    "ClosedError",
    "CorruptError",
    "Error",
    "InvalidActionError",
    "InvalidArgumentError",
    "InvalidJSONError",
    "InvalidSelectorError",
    "LimitError",
    "Listener",
    "NotFoundError",
    "ObjectValue",
    "Observation",
    "Patch",
    "ReducerFailedError",
    "ReentrantError",
    "Request",
    "Slice",
    "StorageError",
    "Store",
    "Stream",
    "TimedOutError",
    "UnknownDomainError",
    "UnknownSelectorError",
    "Value",
    "apply_patch",
    "combine",
    "domains",
    "drafting",
    "entities",
    "fetch",
    "from_json",
    "limits",
    "value",
    "version",
]

__version__ = version()
