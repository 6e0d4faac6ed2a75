"""Runs operations of the Python package on data of one size, under callgrind.

    cliffs COUNTING SIZE

COUNTING is the library that makes the requests to callgrind, which writes a file for each count.
Its description is "CHANGES NAME": the name of the operation, and the number of changes that it makes
or meets. An operation runs some times to warm up, and is then counted some times. The least count
is right, because malloc merges at times what others have freed. The operation "nothing" counts what
counting takes.
"""

from __future__ import annotations

import ctypes
import gc
import sys
import tempfile
from collections.abc import Iterator

import dispatches
import drafts
import entities
import histories
import logs
import observers
import selects
import values
from operation import Operation

# The changes that warm up: meanwhile Python replaces instructions by faster ones.
WARMING = 16


TIMES = 5


def count(counting: ctypes.PyDLL, operation: Operation, changes: int) -> None:
    # A linear operation takes long, and has many steps of its own.
    warming, times = (1, 1) if operation.is_linear else (WARMING // changes + 1, TIMES)
    for _ in range(warming):
        operation.run(counting.reset_count, changes)
    description = f"{changes} {operation.name}".encode()
    for _ in range(times):
        operation.run(counting.reset_count, changes)
        counting.write_count(description)


def operations(size: int, folder: str) -> Iterator[Operation]:
    yield Operation("nothing", lambda begin, changes: begin())
    yield from values.operations(size)
    yield from drafts.operations(size)
    yield from entities.operations(size)
    yield from dispatches.operations(size)
    yield from selects.operations(size)
    yield from observers.operations(size)
    yield from histories.operations(size)
    yield from logs.operations(size, folder)


def main() -> None:
    counting, size = ctypes.PyDLL(sys.argv[1]), int(sys.argv[2])
    counting.start_counting()
    gc.disable()  # so that no operation includes a collection
    with tempfile.TemporaryDirectory() as folder:
        for operation in operations(size, folder):
            for changes in operation.changes:
                count(counting, operation, changes)


if __name__ == "__main__":
    main()
