"""Stores, reducers and migrations of the user's program: app.py:store or package.module:store."""

from __future__ import annotations

import importlib
import importlib.util
import os
import sys
from contextlib import redirect_stdout
from types import ModuleType
from typing import Any

import immutabledata as imd

from .failure import OPENS_WHEN_IMPORTED, USAGE, CommandError, did_you_mean, explain


def is_program(name: str) -> bool:
    """Whether a name has the form of something in a program."""
    return ":" in name and not os.path.exists(name)


def load_object(name: str) -> Any:
    """The object with a name such as app.py:store or package.module:app.store.

    As python does, it searches modules from the folder of app.py, or the current folder, on.

    Raises CommandError: there is none, or the program has failed.
    """
    place, _, path = name.rpartition(":")
    if not place or not path:
        raise CommandError(f'"{name}" names nothing in a program; write app.py:store', USAGE)
    found: Any = _import(place)
    for part in path.split("."):
        try:
            found = getattr(found, part)
        except AttributeError:
            raise CommandError(f'{place} has no "{part}"; {_candidates(found, part)}') from None
    return found


def _candidates(found: Any, name: str) -> str:
    """What may have been meant by a name that something does not have."""
    members = getattr(found, "__dict__", {})
    names = [
        each
        for each, member in members.items()
        if not each.startswith("_") and not isinstance(member, ModuleType)
    ]
    return did_you_mean(name, names) or f"it has: {', '.join(sorted(names)) or 'nothing'}"


def _import(place: str) -> ModuleType:
    is_file = place.endswith(".py") or os.sep in place
    if is_file and not os.path.isfile(place):
        raise CommandError(f"there is no file {place}")
    # What the program does when it is imported must not read the words of imd, or write its output.
    sys.argv = [place]
    folder, file = os.path.split(os.path.abspath(place)) if is_file else (os.getcwd(), "")
    if folder not in sys.path:
        sys.path.insert(0, folder)
    try:
        with redirect_stdout(sys.stderr):
            if not is_file:
                return importlib.import_module(place)
            return _import_file(os.path.join(folder, file), os.path.splitext(file)[0])
    except SystemExit:
        raise CommandError(
            f"{place} ended while it was imported; put what it does as a program under "
            'if __name__ == "__main__":'
        ) from None
    except Exception as error:
        message = f"{place} cannot be imported: {with_place(error)}"
        if isinstance(error, imd.StorageError):
            message += OPENS_WHEN_IMPORTED
        raise CommandError(message) from error


def _import_file(path: str, name: str) -> ModuleType:
    loaded = sys.modules.get(name)
    if loaded is not None and getattr(loaded, "__file__", None) == path:
        return loaded
    specification = importlib.util.spec_from_file_location(name, path)
    if specification is None or specification.loader is None:
        raise CommandError(f"{path} is no module of Python; its name must end with .py")
    module = importlib.util.module_from_spec(specification)
    sys.modules[name] = module
    try:
        specification.loader.exec_module(module)
    except BaseException:
        del sys.modules[name]
        raise
    return module


def with_place(error: BaseException) -> str:
    """The message of an exception, with the last line of the program that led to it."""
    message, frame = explain(error), error.__traceback__
    if isinstance(error, (SyntaxError, CommandError)):
        return message
    place = ""
    while frame is not None:
        file = frame.tb_frame.f_code.co_filename
        if not file.startswith(_NOT_OF_THE_PROGRAM):
            place = f" ({os.path.basename(file)}, line {frame.tb_lineno})"
        frame = frame.tb_next
    return message + place


_NOT_OF_THE_PROGRAM = (
    "<",
    os.path.dirname(importlib.__file__),
    os.path.dirname(imd.__file__) + os.sep,
)
