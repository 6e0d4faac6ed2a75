"""A stand-in for the feed of earthquakes, with generated quakes, on the loopback interface.

    python -m immutabledata_quakes.feed_server --port 0 --seed 1 --count 10000

Feed generates the quakes and changes them; FeedServer serves them, and their faults. Both use only
the standard library.
"""

from .feed import Changes, Feed
from .server import FeedServer

__all__ = ["Changes", "Feed", "FeedServer"]
