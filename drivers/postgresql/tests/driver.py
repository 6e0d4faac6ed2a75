"""The driver as a store uses it: immutabledata's checks of drivers have an engine for that."""

import ctypes as c
import os
from pathlib import Path

from immutabledata._driver_check import to_c
from immutabledata._driver_check.client import (
    ABSENT,
    DIVERGED,
    DONE,
    MOVED,
    REFUSED,
    REPEATED,
    TRIMMED,
    UNANSWERED,
    UNAUTHENTICATED,
    UNAVAILABLE,
    Client,
)
from immutabledata._driver_check.rule import read_all
from immutabledata._ffi import imd_error
from immutabledata.log_drivers import Entry, Place

__all__ = [
    "ABSENT",
    "DIVERGED",
    "DONE",
    "LIBRARY",
    "MOVED",
    "REFUSED",
    "REPEATED",
    "ROOT",
    "TRIMMED",
    "UNANSWERED",
    "UNAUTHENTICATED",
    "UNAVAILABLE",
    "Entry",
    "Log",
    "Place",
    "driver",
    "initialize",
    "library",
]

ROOT = Path(__file__).parents[3]
LIBRARY = os.environ.get(
    "IMMUTABLEDATA_POSTGRESQL_LIBRARY",
    str(ROOT / ".build-postgresql" / "libimmutabledata-postgresql.so"),
)

library = c.CDLL(LIBRARY)
library.imd_postgresql_driver.restype = c.c_void_p
library.imd_postgresql_schema.restype = c.c_char_p
library.imd_postgresql_initialize.argtypes = [c.c_char_p, c.c_int, c.POINTER(imd_error)]
driver = to_c(library.imd_postgresql_driver())


def initialize(address, timeout_ms=10000):
    """Makes the schema; returns the status and the message."""
    error = imd_error()
    status = library.imd_postgresql_initialize(address.encode(), timeout_ms, c.byref(error))
    assert status == error.status
    return status, error.message.decode()


class Log(Client):
    """An open log."""

    def __init__(self, address, **options):
        super().__init__(driver, address, **options)

    def read_all(self, limit=1 << 20):
        """All entries, page by page."""
        return read_all(self, limit=limit)
