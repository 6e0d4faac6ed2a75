"""Logs of immutabledata in PostgreSQL, for programs on several machines.

A program registers the driver once, for the addresses that begin with "postgresql://". The schema
of a database is made by initialize, or by an administrator who runs what schema returns.
"""

import ctypes as _c
import os as _os
from pathlib import Path as _Path

__all__ = ["__version__", "driver", "initialize", "schema"]

__version__ = "0.1.0"

_OK, _INVALID_ARGUMENT = 0, 1


class _Error(_c.Structure):
    _fields_ = (
        ("status", _c.c_int),
        ("code", _c.c_int),
        ("line", _c.c_int),
        ("column", _c.c_int),
        ("offset", _c.c_size_t),
        ("message", _c.c_char * 256),
    )


def _load() -> _c.CDLL:
    """The library: of the environment variable, else of this package, else of the system."""
    places = [
        _os.environ.get("IMMUTABLEDATA_POSTGRESQL_LIBRARY"),
        str(_Path(__file__).with_name("libimmutabledata-postgresql.so")),
        "libimmutabledata-postgresql.so.0.1",
    ]
    tried = []
    for place in filter(None, places):
        try:
            return _c.CDLL(place)
        except OSError as error:
            tried.append(f"{place}: {error}")
    raise ImportError("cannot load libimmutabledata-postgresql; tried " + "; ".join(tried))


_library = _load()

# const imd_log_driver *imd_postgresql_driver(void);
_library.imd_postgresql_driver.argtypes = []
_library.imd_postgresql_driver.restype = _c.c_void_p
# const char *imd_postgresql_schema(void);
_library.imd_postgresql_schema.argtypes = []
_library.imd_postgresql_schema.restype = _c.c_char_p
# imd_status imd_postgresql_initialize(const char *address, int timeout_ms, imd_error *error);
_library.imd_postgresql_initialize.argtypes = [_c.c_char_p, _c.c_int, _c.POINTER(_Error)]
_library.imd_postgresql_initialize.restype = _c.c_int


def driver() -> int:
    """Return the address of the driver, a struct imd_log_driver that is valid for ever."""
    return int(_library.imd_postgresql_driver())


def schema() -> str:
    """Return the SQL that makes or upgrades the schema, in one transaction."""
    return str(_library.imd_postgresql_schema().decode())


def initialize(address: str, timeout: float = 10) -> None:
    """Make or upgrade the schema in the database of an address, within some seconds.

    The address is that of a log, or the same without the parameter "log". Raises ValueError if it
    is not an address, and OSError if the server cannot be reached, or refuses.
    """
    encoded = address.encode()
    if b"\0" in encoded:
        raise ValueError("address must not contain a NUL character")
    milliseconds = int(max(0, min(timeout * 1000, 2**31 - 1)))
    error = _Error()
    status = _library.imd_postgresql_initialize(encoded, milliseconds, _c.byref(error))
    if status == _OK:
        return
    message = error.message.decode(errors="replace")
    raise ValueError(message) if status == _INVALID_ARGUMENT else OSError(message)
