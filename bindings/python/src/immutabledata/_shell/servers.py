"""imd log init and imd log trim: what logs on servers need."""

from __future__ import annotations

import argparse
import sys
from types import ModuleType

import immutabledata as imd
from immutabledata import log_drivers

from .addresses import scheme_of
from .failure import USAGE, CommandError, explain
from .output import Output, report


def init(arguments: argparse.Namespace) -> int:
    """Makes or upgrades what a server needs before its first log, or prints that."""
    scheme, module = find_module(arguments.address)
    if arguments.prints:
        schema = getattr(module, "schema", None)
        if schema is None:
            report(f"logs of {scheme}:// need nothing to be made")
        else:
            sys.stdout.write(schema())
        return 0
    initialize = getattr(module, "initialize", None)
    if initialize is None:
        report(f"logs of {scheme}:// need nothing to be made")
        return 0
    try:
        initialize(arguments.address)
    except (OSError, ValueError) as error:
        raise CommandError(str(error) or explain(error)) from error
    report("the server is ready for logs")
    return 0


def trim(arguments: argparse.Namespace) -> int:
    """Removes the entries of a log up to its latest snapshot."""
    output = Output(arguments.json)
    find_module(arguments.address)
    number = imd.log.trim(arguments.address)
    if output.is_json:
        output.data({"number": number})
    elif number:
        output.line(f"the entries up to {number:,} are removed")
    else:
        output.line("nothing is removed: the log has no snapshot yet")
    return 0


def find_module(address: str) -> tuple[str, ModuleType]:
    """The scheme of an address, and the module that has its driver.

    Raises CommandError: it is no address, or there is no such module.
    """
    scheme = scheme_of(address)
    if scheme is None:
        raise CommandError(
            f'"{address}" is no address such as postgresql:///app?log=plans; a log that is a file '
            "needs nothing like that",
            USAGE,
        )
    module = log_drivers.find_module(scheme)
    if module is None:
        raise CommandError(
            f"no driver for {scheme}://: there is no module {log_drivers.module_name(scheme)}; "
            "install the package that has it, or add its folder to PYTHONPATH"
        )
    return scheme, module
