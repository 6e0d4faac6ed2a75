"""Finds and loads libimmutabledata."""

from __future__ import annotations

import ctypes
import os
from collections.abc import Iterator

from .types import VERSION

VARIABLE = "IMMUTABLEDATA_LIBRARY"
PACKAGED = os.path.join(os.path.dirname(__file__), os.pardir, "libimmutabledata.so")
SYSTEM = f"libimmutabledata.so.{VERSION}"


def load() -> ctypes.CDLL:
    """Loads the library from the first place that has it.

    Raises ImportError: no place has it; the message lists each one with the reason. Or this is a
    subinterpreter.
    """
    _refuse_subinterpreters()
    tried = []
    for place, path in _candidates():
        try:
            return ctypes.CDLL(path)
        except OSError as error:
            tried.append(f"  {place}: {error}")
    raise ImportError(
        "libimmutabledata could not be loaded. Tried:\n"
        + "\n".join(tried)
        + "\nInstall a wheel of immutabledata for this platform, or set the environment variable "
        + f"{VARIABLE} to the path of the library."
    )


def _refuse_subinterpreters() -> None:
    try:
        current, main = (
            ctypes.PYFUNCTYPE(ctypes.c_void_p)((name, ctypes.pythonapi))()
            for name in ("PyInterpreterState_Get", "PyInterpreterState_Main")
        )
    except AttributeError:  # Not CPython.
        return
    if current != main:
        raise ImportError(
            "immutabledata cannot be imported in a subinterpreter, because ctypes calls all "
            "callbacks, such as reducers, in the main interpreter; import it there"
        )


def _candidates() -> Iterator[tuple[str, str]]:
    chosen = os.environ.get(VARIABLE)
    if chosen:
        # No fallback: silently loading another library than the chosen one would be worse.
        yield f"the environment variable {VARIABLE}", os.path.abspath(chosen)
        return
    yield "the package", os.path.normpath(PACKAGED)
    # The dynamic linker searches by itself; ctypes.util.find_library would run a compiler for it.
    yield "the system", SYSTEM
