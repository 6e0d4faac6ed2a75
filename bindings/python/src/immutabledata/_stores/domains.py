"""Domains: the kinds of stores that the library implements."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from .. import _ffi
from .._values import Default, checked_default, encode_name
from .fetch import fetch
from .log_driver import with_driver
from .options import encode_domain_options, follows
from .store import Store

if TYPE_CHECKING:
    from .option_types import Clock, HistoryOptions, Inspect, Log, Option, Strict, Trace


def domains() -> list[dict[str, Any]]:
    """Describes every domain that open knows, sorted by name.

    Each description is a dict with the name, summary, actions, selectors and options of a domain,
    and with its filters (see Store.observe) and effects (see Store.set_effect) if it has any.
    Payloads, arguments, outputs, results and options are described by JSON Schema (draft 2020-12).
    An action without a payload takes none.
    """
    descriptions: list[dict[str, Any]] = json.loads(_ffi.bytes_from(_ffi.imd_domains))
    return descriptions


def open(
    domain: str,
    /,
    *,
    budget: int | None = None,
    depth: int | None = None,
    history: bool | HistoryOptions | None = None,
    log: Log | None = None,
    trace: Trace | None = None,
    inspect: Inspect | None = None,
    clock: Clock | None = None,
    strict: Strict | None = None,
    default: Default | None = None,
    **options: Option,
) -> Store[Any]:
    """Opens a store of a domain.

    Every domain has eight options: state, which is the initial state; budget, which is the units of
    work that an evaluation of an expression may take (None: limits.work); depth, which is how many
    dispatches may follow from one, each inside an observer of the one before (None: 1000); history,
    which is True or HistoryOptions if actions can be undone (see Store.undo); trace, which shows
    what happens in the store (see Store.set_trace); inspect, which is True or InspectOptions if imd
    inspect may look into it; clock, which is "manual" or "stepped" if the program moves the time
    (see Store.advance); and strict, which is True or StrictOptions if functions are checked. All
    except those that keep their records elsewhere have log: the path
    of a file that keeps the actions, or LogOptions (see Store.sync). domains() lists the others.
    default replaces objects that cannot be JSON, as for Store. The path of a file may be a path
    object. The function immutabledata.fetch makes the HTTP requests of effects; see
    Store.set_fetch.

    Raises UnknownDomainError: no such domain; the message suggests a similar name.
    Raises InvalidArgumentError: an option is unknown or has an invalid value.
    Raises StorageError, CorruptError: a file named by an option cannot be opened, or is damaged.
    Raises what Store does for its log.
    """
    handle = _ffi.imd_store_p()
    name = encode_name(domain, "the name of a domain")
    default = checked_default(default)
    encoded = encode_domain_options(
        options,
        budget=budget,
        depth=depth,
        history=history,
        log=log,
        trace=trace,
        inspect=inspect,
        clock=clock,
        strict=strict,
    )
    with_driver(
        log, lambda: _ffi.imd_store_open(name, *encoded, handle, _ffi.imd_error())
    )
    store: Store[Any] = Store.__new__(Store)
    store._own(handle, domain, None)
    store._default = default
    store._tasks.are_inline = clock in ("manual", "stepped")
    store._follows = follows(log)
    store._receive_failures()
    store.set_fetch(fetch)
    return store
