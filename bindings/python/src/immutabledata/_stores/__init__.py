"""Stores: a state with its reducer, observers, streams, listeners and effects."""

from .commit import Commit
from .domains import domains, open
from .effect_call import cancelled
from .fetch import fetch
from .history import History
from .listener import Listener
from .log_driver import register_log
from .log_file import log
from .log_migration import Migration
from .observation import Observation
from .outputs import Outputs
from .preview import Preview
from .requests import Request
from .store import Store
from .stream import Stream

__all__ = [
    "Commit",
    "History",
    "Listener",
    "Migration",
    "Observation",
    "Outputs",
    "Preview",
    "Request",
    "Store",
    "Stream",
    "cancelled",
    "domains",
    "fetch",
    "log",
    "open",
    "register_log",
]
