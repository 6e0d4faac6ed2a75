"""The programs that can be inspected now."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from .connection import Connection
from .failures import InspectorError
from .program_name import program_name
from .sockets import RefusedSocketError, name_and_process, socket_paths

# How many seconds a program has to say what it is.
_PATIENCE = 2.0


@dataclass(frozen=True)
class Found:
    """A socket on which a program listens."""

    path: str
    process: int
    program: str
    stores: Any = None
    """Its stores, as the protocol describes them; None if it does not answer."""
    problem: str = ""


def find() -> Iterator[Found]:
    """The programs that can be inspected. A socket to which nobody listens is removed."""
    for path in socket_paths():
        name, process = name_and_process(path)
        try:
            with Connection(path) as connection:
                answer = connection.request("stores", timeout=_PATIENCE)
            process = answer["process"]
            name = program_name(answer["program"], process)
            yield Found(path, process, name, answer["stores"])
        except RefusedSocketError:
            with suppress(OSError):
                os.unlink(path)
        except (InspectorError, KeyError, TypeError) as error:
            yield Found(path, process, name, problem=str(error))
