"""Registers log drivers, and finds those that other packages have."""

from __future__ import annotations

from ctypes import byref, c_void_p
from typing import TYPE_CHECKING, Any, Callable, TypeVar

from .. import _ffi
from .._values import encode_name, quoted
from ..errors import InvalidArgumentError, wrong_type
from .options import scheme_of

if TYPE_CHECKING:
    from ..log_drivers import Driver
    from .option_types import Log

_Result = TypeVar("_Result")

# What the library says of a scheme.
_UNREGISTERED = "no driver is registered for the scheme"

# The drivers that this project has.
_EXTRAS = ("postgresql",)


def register_log(scheme: str, driver: Driver | int | c_void_p, /) -> None:
    """Registers a driver for the logs whose addresses begin with a scheme and "://".

        imd.register_log("memory", MemoryLogs())
        store = imd.Store(reduce, state=[], log="memory://host/board")

    A driver keeps a log somewhere else than in a file, such as in a database that many machines
    share. Stores that are opened later use it. A scheme is registered anew by calling this again; a
    driver that was registered is never freed.

    If no driver is registered for a scheme, opening a store imports the module
    immutabledata_<scheme>, if there is one, and registers what its function driver returns.

    driver: a log_drivers.Driver, or the address of an imd_log_driver of a C library. Each open log
        has a thread, which calls its methods.

    Raises InvalidArgumentError: the scheme does not begin with a lower-case letter, or has
    characters other than lower-case letters, digits, "+", "-" and "."; the imd_log_driver is
    invalid.
    """
    name = encode_name(scheme, "the scheme")
    given: Any = driver
    if callable(getattr(driver, "open", None)):
        from .log_thread import c_driver

        given = byref(c_driver(given))
    elif not is_address(driver):
        raise wrong_type("a log driver", "an object with a method open, or an address", driver)
    _ffi.imd_register_log(name, given, _ffi.imd_error())


def is_address(driver: Any) -> bool:
    """Whether it can be the address of a struct, or NULL: nothing is in the first 64 KiB."""
    address = driver.value or 0 if isinstance(driver, c_void_p) else driver
    return isinstance(address, int) and address is not False and not 0 < address < 1 << 16


def with_driver(log: Log | None, open: Callable[[], _Result]) -> _Result:
    """Opens a store with the option log; first registers the driver for it if there is none."""
    try:
        return open()
    except InvalidArgumentError as error:
        scheme = scheme_of(log)
        if scheme is None or _UNREGISTERED not in error.message:
            raise
        parameter = error.message.partition(":")[0]
    from ..log_drivers import find_module

    driver = getattr(find_module(scheme), "driver", None)
    if driver is None:
        remedy = f'run pip install "immutabledata[{scheme}]", ' if scheme in _EXTRAS else ""
        path = ', or write "./" before the path of a file' if parameter == "options/log" else ""
        raise InvalidArgumentError(
            f"{parameter}: {_UNREGISTERED} {quoted(scheme)}; {remedy}call register_log "
            f"first{path}"
        )
    register_log(scheme, driver())
    return open()
