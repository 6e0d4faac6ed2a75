"""The programs and logs that imd inspect and imd attach take."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from .._inspector.failures import InspectorError
from .._inspector.programs import Found, find
from .._inspector.sockets import path_of
from .failure import REFUSED, UNAVAILABLE, USAGE, CommandError
from .output import Output

_TITLES = "process", "program", "stores", "socket"
_OPT_IN = (
    "no program can be inspected; start one with IMMUTABLEDATA_INSPECT=1, or give a store the "
    "option inspect"
)


def socket_of(
    target: str | None, output: Output, command: str, *, needs_one: bool = False
) -> str | None:
    """The socket that a target names, or that of the only program. If there are several, it lists
    them, and returns None.

    Raises CommandError: there is none, or needs_one and there are several.
    """
    if target is not None:
        with refusals():
            return path_of(target)
    found = list(find())
    if not found:
        raise CommandError(_OPT_IN)
    if len(found) == 1 and found[0].stores is not None:
        return found[0].path
    _list(found, output)
    if needs_one:
        raise CommandError("several programs can be inspected; name one of them")
    if not output.is_json:
        output.line(f"imd {command} PROCESS opens one of them")
    return None


def is_socket(path: str) -> bool:
    try:
        return stat.S_ISSOCK(os.stat(path).st_mode)
    except (OSError, ValueError):
        return False


@contextmanager
def refusals() -> Iterator[None]:
    """Raises CommandError for what a program or its socket refuses."""
    try:
        yield
    except InspectorError as error:
        code = REFUSED if error.status == 409 else USAGE if error.status == 400 else UNAVAILABLE
        raise CommandError(str(error), code) from None


def _list(found: Sequence[Found], output: Output) -> None:
    if not output.is_json:
        output.table(_TITLES, map(_cells, found), right=("process",))
        return
    for each in found:
        names = None if each.stores is None else [store["name"] for store in each.stores]
        program = {"process": each.process, "program": each.program, "stores": names}
        output.data({**program, "socket": each.path, **_problem(each)})


def _problem(found: Found) -> dict[str, str]:
    return {"problem": found.problem} if found.problem else {}


def _cells(found: Found) -> list[str]:
    stores = found.problem
    if found.stores is not None:
        stores = ", ".join(str(store["name"]) for store in found.stores) or "none yet"
    return [str(found.process), found.program, stores, found.path]
