"""Options and arguments as JSON for the library."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Mapping, Sequence
from ctypes import c_size_t
from typing import Any, Callable, Literal, TypedDict, Union

from .._values import (
    JSON,
    Reference,
    encode,
    encode_name,
    quoted,
    refuse_unrepresentable,
    similar_names,
    suggestion,
    to_reference,
)
from ..errors import InvalidArgumentError, wrong_type
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
    undoable: patterns of the types of actions that are steps: ["items/*"]; by default all types.
    ignore: patterns of the types of actions that are no steps.
    group: which neighbours are one step. {"within": 500}: actions of one type, each at most 500
        milliseconds after the one before. {"meta": "drag"}: actions whose meta has an equal member
        "drag".
    """

    limit: int
    bytes: int
    undoable: Sequence[str]
    ignore: Sequence[str]
    group: Mapping[str, int | str]


Keep = Union[Literal["all"], Mapping[str, int]]
"""Which entries of a log stay: "all", {"entries": N} or {"days": N}."""


class _LogPath(TypedDict):
    path: str | os.PathLike[str]


class LogOptions(_LogPath, total=False):
    """The option log of Store and open, if it is not just a path; see Store.sync.

    path: the file that keeps the actions. A file that does not exist is created.
    durability: what a dispatch waits for after its commit. "full": its entry is on the disk, and
        survives a power cut. "normal", the default: its entry was handed to the operating system,
        and survives the end of the process. "none": for nothing; the entry is written soon.
    application: a name; a file with another name is refused.
    version: the version of the shape of state and actions, from 1 (the default).
    migrations: what brings a file of an older version to this one; see log.migration.
    keep: which entries stay when the file has more than twice as many, and is compacted when it is
        opened: "all" (the default), {"entries": 1000} or {"days": 30}.
    recover: "before damage": a store goes on with the entries before a damage of the file. The
        damaged file becomes "board.imd-damaged".
    defaults: members that the states of the file may lack, because an older program has written it:
        {"/tags": []}. They are added to each state that is read from the file. A combined reducer
        adds the initial states of its slices by itself.
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
    read_only: bool
    at: int


class TraceOptions(TypedDict, total=False):
    """What the trace of a store shows, where it is written, and what it hides; see Store.set_trace.

    show: the names of what is shown; everything by default.
    file: the path of a file to append to; None to write only to the function of set_trace. By
        default, standard error.
    redact: JSON Pointers to values that are replaced by "[redacted]".
    """

    show: Iterable[Literal["actions", "changes", "selectors", "effects", "all"]]
    file: str | os.PathLike[str] | None
    redact: Iterable[str]


Trace = Union[bool, Iterable[str], TraceOptions]

Log = Union[str, "os.PathLike[str]", LogOptions]


def with_defaults(log: Log | None, defaults: Mapping[str, JSON]) -> Log | None:
    """Adds defaults of a reducer to those of the option log; the wrong type stays as it is."""
    if not defaults or not isinstance(log, (str, os.PathLike, Mapping)):
        return log
    option: Any = log if isinstance(log, Mapping) else {"path": log}
    given = option.get("defaults", {})
    if isinstance(given, Mapping):
        option = {**option, "defaults": {**defaults, **given}}
    merged: LogOptions = option
    return merged


def encode_file(path: str | os.PathLike[str]) -> bytes:
    """Encodes the path of a file for the library."""
    if not isinstance(path, (str, os.PathLike)):
        raise wrong_type("the path", "a str or a path object", path)
    return encode_name(os.fsdecode(path), "the path")


def _log_option(log: Log) -> Any:
    """Returns the option log of a store as JSON; the library checks it."""
    if isinstance(log, (str, os.PathLike)):
        return os.fsdecode(log)
    if not isinstance(log, Mapping):
        raise wrong_type("log", "a path or LogOptions", log)
    option: dict[str, Any] = dict(log)
    if isinstance(option.get("path"), os.PathLike):
        option["path"] = os.fsdecode(option["path"])
    if "read_only" in option:
        option["readOnly"] = option.pop("read_only")
    return option


def _trace_option(trace: Trace) -> Any:
    """Returns the option trace of a store as JSON; the library checks it."""
    if isinstance(trace, bool):
        return trace
    if not isinstance(trace, Mapping):
        return _checked_names("trace", trace)
    option: dict[str, Any] = dict(trace)
    for name in ("show", "redact"):
        if name in option:
            option[name] = _checked_names(name, option[name])
    if isinstance(option.get("file"), os.PathLike):
        option["file"] = os.fsdecode(option["file"])
    return option


_TYPES: dict[str, tuple[Any, str]] = {
    "budget": (int, "an int"),
    "capacity": (int, "an int"),
    "coalesce": (bool, "a bool"),
    "deliver": (str, "a str"),
    "filter": (str, "a str or a function"),
    "flush": (bool, "a bool"),
    "history": ((bool, Mapping), "a bool or a Mapping"),
    "initial": (bool, "a bool"),
    "interruptible": (bool, "a bool"),
    "label": (str, "a str"),
    "optimistic": (bool, "a bool"),
    "overflow": (str, "a str"),
    "when": (str, "a str"),
}


def encode_options(**options: Any) -> tuple[bytes | None, int]:
    """Writes options as the two arguments of a C function; omits those that are None.

    Checks the Python types only; the library checks the values.
    """
    return _encode_object(checked_options(**options), "the options")


def checked_options(**options: Any) -> dict[str, Any]:
    """Returns the options that are not None, after checking their Python types."""
    return {name: _checked(name, option) for name, option in options.items() if option is not None}


def encode_domain_options(
    options: Mapping[str, Any], **common: Any
) -> tuple[bytes | None, int]:
    """Writes the options of a domain as the two arguments of a C function.

    The library checks them; a path object becomes a str.
    """
    if callable(options.get("on_error")):
        raise _on_error_is_no_option()
    given = {
        name: os.fsdecode(option) if isinstance(option, os.PathLike) else option
        for name, option in options.items()
    }
    given |= checked_options(**common)
    return _encode_object(given, "the options")


def require_known(options: Iterable[str], known: Iterable[str], hint: str = "") -> None:
    """Raises InvalidArgumentError if an option is unknown. Type checkers report it too.

    hint: the end of the message if no option has a similar name; {} stands for the name.
    """
    known = set(known)
    for name in options:
        if name not in known:
            if name == "on_error":
                raise _on_error_is_no_option()
            is_similar = not hint or similar_names(name, known)
            end = suggestion(name, known) if is_similar else hint.format(name)
            raise InvalidArgumentError(f"unknown option {quoted(name)}{end}")


def _on_error_is_no_option() -> InvalidArgumentError:
    return InvalidArgumentError(
        'unknown option "on_error"; it is an attribute of the store: write store.on_error = …'
    )


def check_capacity(capacity: int) -> None:
    """Raises TypeError or InvalidArgumentError if the capacity is not an int from 1 to maxsize."""
    _checked("capacity", capacity)
    if capacity < 1:
        raise InvalidArgumentError(f"the capacity must be at least 1, not {capacity}")
    if capacity > sys.maxsize:
        raise InvalidArgumentError(
            f"the capacity must be at most {sys.maxsize:#x}, not {capacity:#x}"
        )


def encode_arguments(
    arguments: Mapping[str, Any] | None, keywords: Mapping[str, Any] = {}
) -> tuple[bytes | None, int]:
    """Writes the arguments of a selector, from a Mapping and from keywords."""
    return _encode_object(_merged(arguments, keywords), "the arguments")


def arguments_reference(
    arguments: Mapping[str, Any] | None, keywords: dict[str, Any]
) -> Reference | None:
    """Makes a value of the arguments of a selector; None if it has none."""
    merged = _merged(arguments, keywords)
    return to_reference(merged, "the arguments") if merged else None


def _merged(
    arguments: Mapping[str, Any] | None, keywords: Mapping[str, Any]
) -> dict[str, Any]:
    if arguments is None:
        arguments = {}
    if not isinstance(arguments, Mapping):
        raise wrong_type("arguments", "a Mapping", arguments)
    for name in keywords:
        if name in arguments:
            raise TypeError(f"the argument {name!r} is given twice")
    return {**arguments, **keywords}


def _encode_object(members: Mapping[str, JSON], role: str) -> tuple[bytes | None, int]:
    """Writes an optional object as the two arguments of a C function; NULL and 0 if it is empty.

    Raises what immutabledata.value does.
    """
    if not members:
        return None, 0
    text = encode(members, role)
    refuse_unrepresentable(members, role)
    return text, len(text)


def _checked(name: str, option: Any) -> Any:
    if name == "trace":
        return _trace_option(option)
    if name == "log":
        return _log_option(option)
    if name == "keep":
        return option
    if name not in _TYPES:
        return _checked_names(name, option)
    kind, expected = _TYPES[name]
    if not isinstance(option, kind) or (kind is int and isinstance(option, bool)):
        raise wrong_type(name, expected, option)
    return option


def _checked_names(name: str, names: Any) -> list[str]:
    # A str is an iterable of str, but almost certainly a mistake here.
    if isinstance(names, str) or not isinstance(names, Iterable):
        raise wrong_type(name, "an iterable of str", names)
    listed = list(names)
    for item in listed:
        if not isinstance(item, str):
            raise wrong_type(f"each of {name}", "a str", item)
    return listed


def to_size(role: str, number: int) -> c_size_t:
    """Converts a number for the library. One that is too large is more than there can be."""
    if isinstance(number, bool) or not isinstance(number, int):
        raise wrong_type(role, "an int", number)
    if number < 0:
        raise InvalidArgumentError(f"{role} must be 0 or more, not {number}")
    return c_size_t(min(number, sys.maxsize))
