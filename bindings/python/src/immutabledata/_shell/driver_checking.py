"""imd log check: whether a log driver obeys its contract."""

from __future__ import annotations

import argparse
import ctypes
import secrets
from collections.abc import Iterator
from typing import Any

from .. import _driver_check
from .failure import REFUSED, USAGE, CommandError
from .output import Output
from .servers import find_module

_NAME = "{log}"


def run(arguments: argparse.Namespace) -> int:
    """Checks a driver, and prints a line for each rule, in the Test Anything Protocol."""
    if _NAME not in arguments.address:
        raise CommandError(
            f"the address needs {_NAME} in place of the name of the log, as in "
            "'postgresql:///app?log={log}': each rule has a log of its own",
            USAGE,
        )
    if (arguments.library is None) != (arguments.symbol is None):
        raise CommandError("--library and --symbol belong together", USAGE)
    driver = _driver(arguments)
    seed = secrets.randbits(32) if arguments.seed is None else arguments.seed
    output = Output()
    output.line(f"1..{len(_driver_check.RULES)}")
    failed = 0
    for number, result in enumerate(_driver_check.check(driver, arguments.address, seed), 1):
        failed += not result.is_obeyed
        for line in _lines(number, result):
            output.line(line)
        output.flush()
        if failed and number == 1:
            output.line("Bail out! A log cannot be made.")
            break
    return REFUSED if failed else 0


def _lines(number: int, result: _driver_check.Result) -> Iterator[str]:
    if not result.is_obeyed:
        yield f"not ok {number} - {result.rule}"
        yield f"  # {result.detail}"
    elif result.is_skipped:
        yield f"ok {number} - {result.rule} # SKIP {result.detail}"
    else:
        yield f"ok {number} - {result.rule}"


def _driver(arguments: argparse.Namespace) -> Any:
    """The driver of a C library, or of the module for the scheme of the address."""
    if arguments.library is None:
        _, module = find_module(arguments.address)
        driver = getattr(module, "driver", lambda: None)()
        if not _driver_check.is_driver(driver):
            raise CommandError(
                f"driver() of {module.__name__} must return an object with a method open, or the "
                f"address of a struct, not {driver!r}"
            )
        return driver
    try:
        function = ctypes.CDLL(arguments.library)[arguments.symbol]
    except (OSError, AttributeError) as error:
        raise CommandError(f"{arguments.library}: {error}") from None
    function.restype = ctypes.c_void_p
    address = function()
    if address is None:
        raise CommandError(f"{arguments.library}: {arguments.symbol} has returned NULL")
    return address
