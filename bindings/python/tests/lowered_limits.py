"""Lowers limits for a with statement."""

from contextlib import contextmanager

from immutabledata import limits

DEFAULTS = {"values": 2**30, "text": 2**30, "input": 2**28, "work": 2**24}


@contextmanager
def limited(**lower):
    try:
        for name, limit in lower.items():
            setattr(limits, name, limit)
        yield
    finally:
        for name in lower:
            setattr(limits, name, DEFAULTS[name])
