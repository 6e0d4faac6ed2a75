"""Checks that a log driver obeys the contract of immutabledata_log.h. The driver is called as the
engine calls it; each rule has a log of its own.
"""

from __future__ import annotations

import itertools
import secrets
from collections.abc import Iterator
from typing import Any

from .._ffi.log_types import imd_log_driver
from .._stores.log_driver import is_address
from . import appending, calling, model, opening, reading, snapshots
from .rule import Result, Rule, Trial

__all__ = ["RULES", "Result", "check", "is_driver", "to_c"]

RULES = [
    each
    for module in (opening, appending, reading, snapshots, calling, model)
    for each in vars(module).values()
    if isinstance(each, Rule)
]
"""All rules, in the order of their checks."""


def check(driver: Any, address: str, seed: int) -> Iterator[Result]:
    """Checks one rule after the other.

    driver: as for register_log.
    address: that of a log, with {log} in place of its name.
    seed: of the random operations.
    """
    functions, run, numbers = to_c(driver), secrets.token_hex(4), itertools.count(1)

    def make_address() -> str:
        return address.replace("{log}", f"check-{run}-{next(numbers)}")

    for rule in RULES:
        yield Trial(functions, make_address, seed).run(rule)


def is_driver(driver: Any) -> bool:
    """Whether to_c takes it."""
    is_struct = is_address(driver) and bool(getattr(driver, "value", driver))
    return is_struct or callable(getattr(driver, "open", None))


def to_c(driver: Any) -> imd_log_driver:
    """The struct of a driver: an object with a method open, or the address of a struct."""
    if callable(getattr(driver, "open", None)):
        from .._stores.log_thread import c_driver

        return c_driver(driver)
    return imd_log_driver.from_address(getattr(driver, "value", driver))
