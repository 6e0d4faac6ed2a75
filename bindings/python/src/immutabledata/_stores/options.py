"""Options and arguments as JSON for the library."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Mapping
from ctypes import c_size_t
from typing import TYPE_CHECKING, Any

from .._ffi.waiting import to_milliseconds
from .._values import (
    JSON,
    Reference,
    checked_names,
    encode,
    encode_name,
    quoted,
    refuse_unrepresentable,
    similar_names,
    suggestion,
    to_reference,
)
from ..errors import InvalidArgumentError, wrong_type

if TYPE_CHECKING:
    from .option_types import Inspect, Log, LogOptions, Trace

# The options of ObserveOptions, whose module is imported when first used.
OBSERVE_OPTIONS = (
    "initial",
    "deliver",
    "when",
    "coalesce",
    "ignore",
    "filter",
    "did_change",
    "dependencies",
    "label",
    "capacity",
    "overflow",
    "budget",
    "arguments",
)


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
    if option.get("timeout") is not None:
        option["timeout"] = _timeout(option["timeout"])
    return option


def _timeout(timeout: Any) -> int:
    """Converts the timeout of a log to milliseconds."""
    milliseconds = to_milliseconds(timeout)
    if milliseconds == 0:
        raise InvalidArgumentError(
            f"the timeout of a log must be a number of seconds above 0, not {timeout}"
        )
    return milliseconds


_SCHEME = frozenset("abcdefghijklmnopqrstuvwxyz0123456789+-.")


def scheme_of(log: Log | None) -> str | None:
    """The part before "://" of the address of a log that a driver keeps; None for a file."""
    path: Any = log.get("path") if isinstance(log, Mapping) else log
    if not isinstance(path, (str, os.PathLike)):
        return None
    scheme, found, _ = os.fsdecode(path).partition("://")
    is_address = bool(found) and "a" <= scheme[:1] <= "z" and _SCHEME.issuperset(scheme)
    return scheme if is_address else None


def follows(log: Log | None) -> bool:
    """Whether a store with an option log follows what other stores write."""
    if isinstance(log, Mapping) and "at" in log:
        return False
    return shares(log) or _only_reads(log)


def shares(log: Log | None) -> bool:
    """Whether other stores may write to the log of a store, too."""
    if scheme_of(log) is not None:
        return not _only_reads(log)
    return isinstance(log, Mapping) and bool(log.get("shared", False))


def _only_reads(log: Log | None) -> bool:
    return isinstance(log, Mapping) and bool(log.get("read_only", log.get("readOnly", False)))


def _trace_option(trace: Trace) -> Any:
    """Returns the option trace of a store as JSON; the library checks it."""
    if isinstance(trace, bool):
        return trace
    if not isinstance(trace, Mapping):
        return checked_names("trace", trace)
    option: dict[str, Any] = dict(trace)
    for name in ("show", "redact"):
        if name in option:
            option[name] = checked_names(name, option[name])
    if isinstance(option.get("file"), os.PathLike):
        option["file"] = os.fsdecode(option["file"])
    return option


def _inspect_option(inspect: Inspect) -> Any:
    """Returns the option inspect of a store as JSON; the library checks it."""
    if isinstance(inspect, bool):
        return inspect
    if not isinstance(inspect, Mapping):
        raise wrong_type("inspect", "a bool or InspectOptions", inspect)
    option: dict[str, Any] = dict(inspect)
    if isinstance(option.get("path"), os.PathLike):
        option["path"] = os.fsdecode(option["path"])
    return option


_TYPES: dict[str, tuple[Any, str]] = {
    "budget": (int, "an int"),
    "capacity": (int, "an int"),
    "clock": (str, "a str"),
    "coalesce": (bool, "a bool"),
    "deliver": (str, "a str"),
    "depth": (int, "an int"),
    "filter": (str, "a str or a function"),
    "flush": (bool, "a bool"),
    "history": ((bool, Mapping), "a bool or a Mapping"),
    "initial": (bool, "a bool"),
    "interruptible": (bool, "a bool"),
    "label": (str, "a str"),
    "optimistic": (bool, "a bool"),
    "overflow": (str, "a str"),
    "schema": (Mapping, "a Mapping"),
    "shared": (bool, "a bool"),
    "strict": ((bool, Mapping), "a bool or StrictOptions"),
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


def require_known(options: Iterable[str], known: Iterable[str]) -> None:
    """Raises InvalidArgumentError if an option is unknown. Type checkers report it too."""
    known = set(known)
    for name in options:
        if name not in known:
            if name == "on_error":
                raise _on_error_is_no_option()
            raise InvalidArgumentError(f"unknown option {quoted(name)}{suggestion(name, known)}")


def split_arguments(keywords: dict[str, Any], options: Iterable[str]) -> dict[str, Any]:
    """Removes the arguments of a selector from keywords, and returns them.

    Raises InvalidArgumentError: a name is similar to that of an option, which was probably meant.
    """
    options = set(options)
    names = keywords.keys() - options
    for name in sorted(names):
        if name == "on_error":
            raise _on_error_is_no_option()
        if similar_names(name, options):
            raise InvalidArgumentError(
                f"unknown option {quoted(name)}{suggestion(name, options)} To pass an argument of "
                f"the selector, write arguments={{{quoted(name)}: …}}"
            )
    return {name: keywords.pop(name) for name in names}


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
    if name == "inspect":
        return _inspect_option(option)
    if name == "log":
        return _log_option(option)
    if name == "keep":
        return option
    if name not in _TYPES:
        return checked_names(name, option)
    kind, expected = _TYPES[name]
    if not isinstance(option, kind) or (kind is int and isinstance(option, bool)):
        raise wrong_type(name, expected, option)
    return option


def to_size(role: str, number: int) -> c_size_t:
    """Converts a number for the library. One that is too large is more than there can be."""
    if isinstance(number, bool) or not isinstance(number, int):
        raise wrong_type(role, "an int", number)
    if number < 0:
        raise InvalidArgumentError(f"{role} must be 0 or more, not {number}")
    return c_size_t(min(number, sys.maxsize))
