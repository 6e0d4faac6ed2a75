"""Stores: a state with its reducer, observers, streams, listeners and effects."""

from .domains import domains, open
from .effects import Request
from .fetch import fetch
from .listener import Listener
from .observation import Observation
from .store import Store
from .stream import Stream

__all__ = [
    "Listener",
    "Observation",
    "Request",
    "Store",
    "Stream",
    "domains",
    "fetch",
    "open",
]
