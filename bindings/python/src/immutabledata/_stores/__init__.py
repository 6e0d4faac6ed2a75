"""Stores: a state with its reducer, observers, streams, listeners and effects."""

from .commit import Commit
from .domains import domains, open
from .fetch import fetch
from .history import History
from .listener import Listener
from .log_file import log
from .log_migration import Migration
from .observation import Observation
from .options import HistoryOptions, LogOptions, ObserveOptions, TraceOptions
from .preview import Preview
from .requests import Request
from .store import Store
from .stream import Stream

__all__ = [
    "Commit",
    "History",
    "HistoryOptions",
    "Listener",
    "LogOptions",
    "Migration",
    "Observation",
    "ObserveOptions",
    "Preview",
    "Request",
    "Store",
    "Stream",
    "TraceOptions",
    "domains",
    "fetch",
    "log",
    "open",
]
