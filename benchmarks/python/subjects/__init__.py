"""The subjects whose packages are installed."""

from __future__ import annotations

import importlib

from measure import note

from .subject import Record, Subject, performs, record, records

__all__ = ["SUBJECTS", "Record", "Subject", "performs", "record", "records"]

_MODULES = {
    "ours": None,
    "with_pyrsistent": "pyrsistent",
    "with_immutables": "immutables",
    "with_rpds": "rpds-py",
    "with_pycrdt": "pycrdt",
    "with_loro": "loro",
    "with_redux": "python-redux",
    "with_sqlite": "sqlite3",
    "with_dicts": None,
}


def _available() -> list[type[Subject]]:
    subjects: list[type[Subject]] = []
    for module, package in _MODULES.items():
        try:
            subjects += importlib.import_module(f".{module}", __name__).SUBJECTS
        except ImportError as error:
            if package is None:
                raise
            note(f"Not measured: {package} cannot be imported ({error}).")
    return subjects


SUBJECTS = _available()
