"""The types of options, for type checkers.

Imported when first used: Python compiles each annotation of a TypedDict.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Callable, Literal, TypedDict, Union

from .._values import JSON
from .log_migration import Migration

Option = Union[JSON, os.PathLike[str]]
"""The value of an option of a domain: JSON, or a path object for the path of a file."""

Comparison = Callable[[Any, Any], object]
"""A function of two outputs, the delivered and the new one; its result is used as a bool."""

Filter = Callable[[Any, Any, Any], object]
"""A function of an action, the old and the new state; its result is used as a bool."""


class ObserveOptions(TypedDict, total=False):
    """The options of Store.observe, which describes them."""

    initial: bool
    deliver: Literal["value", "patch"]
    when: Literal["inline", "queued"]
    coalesce: bool
    ignore: Iterable[str]
    filter: str | Filter | None
    did_change: Comparison | None
    dependencies: Iterable[str] | Mapping[str, Comparison | None]
    label: str | None
    capacity: int | None
    overflow: Literal["dropOldest", "coalesce"] | None
    budget: int | None
    arguments: Mapping[str, JSON] | None


class HistoryOptions(TypedDict, total=False):
    """The option history of Store and open, if it is not just True; see Store.undo.

    limit: how many steps can be undone: 1 to 1,048,576 (default 100).
    bytes: about how many bytes only the past may keep alive; the oldest steps go first, and the
        last one stays. Only for a reducer of your own.
    paths: JSON Pointers to the parts of the state that undo and redo change: ["/board"]; by
        default all. Only for a reducer of your own.
    undoable: patterns of the types of actions that are steps: ["items/*"]; by default all types.
    ignore: patterns of the types of actions that are no steps.
    group: which neighbours are one step. {"within": 500}: actions of one type, each at most 500
        milliseconds after the one before. {"meta": "drag"}: actions whose meta has an equal member
        "drag".
    """

    limit: int
    bytes: int
    paths: Sequence[str]
    undoable: Sequence[str]
    ignore: Sequence[str]
    group: Mapping[str, int | str]


Keep = Union[Literal["all"], Mapping[str, int]]
"""Which entries of a log stay: "all", {"entries": N}, {"days": N} or {"bytes": N}."""


class _LogPath(TypedDict):
    path: str | os.PathLike[str]


class LogOptions(_LogPath, total=False):
    """The option log of Store and open, if it is not just a path; see Store.sync.

    path: the file that keeps the actions. A file that does not exist is created. Or an address, such
        as "postgresql://db.example/app?log=board-7": a log that a driver keeps, see register_log.
        It is shared. It has no durability, keep, recover, shared and migrations.
    durability: what a dispatch waits for after its commit. "full": its entry is on the disk, and
        survives a power cut. "normal", the default: its entry was handed to the operating system,
        and survives the end of the process. "none": for nothing; the entry is written soon.
    application: a name; a file with another name is refused.
    version: the version of the shape of state and actions, from 1 (the default).
    migrations: what brings a file of an older version to this one; see log.migration.
    keep: which entries stay when the file has more than twice as many, and is compacted, in the
        background while it is open: "all" (the default), {"entries": 1000}, {"days": 30} or
        {"bytes": 10_000_000}.
    recover: "before damage": a store goes on with the entries before a damage of the file. The
        damaged file becomes "board.imd-damaged".
    defaults: members that the states of the file may lack, because an older program has written it:
        {"/tags": []}. They are added to each state that is read from the file. A combined reducer
        adds the initial states of its slices by itself.
    shared: other stores write to the file, too, in any number of processes. A dispatch waits until
        no other one appends, commits what they have appended, and then its own action. All open the
        file so.
    timeout: with an address: how many seconds a store waits for the server (default 10). A dispatch
        that waits longer raises UnavailableError.
    author: with shared: a name of the store, which the file keeps.
    read_only: the store follows a file that another store writes, and does not change it.
    at: with read_only: the store has the state after the commit with this number, and does not
        follow the file.
    """

    durability: Literal["full", "normal", "none"]
    application: str
    version: int
    migrations: Sequence[Migration]
    keep: Keep
    recover: Literal["before damage"]
    defaults: Mapping[str, JSON]
    shared: bool
    timeout: float
    author: str
    read_only: bool
    at: int


class TraceOptions(TypedDict, total=False):
    """What the trace of a store shows, where it is written, and what it hides; see Store.set_trace.

    show: the names of what is shown; everything by default.
    file: the path of a file to append to; None to write only to the function of set_trace. By
        default, standard error.
    redact: JSON Pointers to values that are replaced by "[redacted]".
    """

    show: Iterable[Literal["actions", "changes", "selectors", "observers", "effects", "all"]]
    file: str | os.PathLike[str] | None
    redact: Iterable[str]


Trace = Union[bool, Iterable[str], TraceOptions]


class InspectOptions(TypedDict, total=False):
    """The option inspect of Store and open, if it is not just True; see the page on the inspector.

    path: the socket on which the program listens, in place of one that imd inspect finds by itself.
    control: whether an inspector may dispatch actions, undo and redo; False by default.
    """

    path: str | os.PathLike[str]
    control: bool


Inspect = Union[bool, InspectOptions]

Clock = Literal["system", "manual", "stepped"]


class StrictOptions(TypedDict, total=False):
    """The option strict of Store and open, if it is not just True.

    slow: how many milliseconds a function of the program may take; 100 by default.
    """

    slow: int


Strict = Union[bool, StrictOptions]

Log = Union[str, "os.PathLike[str]", LogOptions]
