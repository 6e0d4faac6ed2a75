"""The command line of the feed server."""

from __future__ import annotations

import argparse
import math
import signal
import sys
import time
from collections.abc import Sequence

from .faults import FAULTS
from .feed import DAY, Feed
from .server import FeedServer


def port(text: str) -> int:
    """A port, or 0. Raises ValueError."""
    number = int(text)
    if not 0 <= number <= 65_535:
        raise ValueError
    return number


def count(text: str) -> int:
    """A number that is not negative. Raises ValueError."""
    number = int(text)
    if number < 0:
        raise ValueError
    return number


def days(text: str) -> float:
    """A number of days, at least a millisecond. Raises ValueError."""
    number = float(text)
    if not 1 <= number * DAY < math.inf:
        raise ValueError
    return number


def parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m immutabledata_quakes.feed_server",
        description="Serves generated feeds of earthquakes on 127.0.0.1.",
    )
    parser.add_argument("--port", type=port, default=0, help="the port (0: a free one)")
    parser.add_argument("--seed", type=int, default=1, help="determines the feed, with --now (1)")
    parser.add_argument("--count", type=count, default=10_000, help="the number of quakes (10000)")
    parser.add_argument("--days", type=days, default=30, help="the days that they cover (30)")
    parser.add_argument(
        "--now", type=int, metavar="MS", help="the end of the days, in ms since 1970 (now)"
    )
    parser.add_argument("--fault", choices=FAULTS, help="the fault of all responses")
    return parser.parse_args(arguments)


def main(arguments: Sequence[str] | None = None) -> int:
    options = parse(arguments)
    now = int(time.time() * 1000) if options.now is None else options.now
    # Blocked in all threads, so that the signal ends only the wait below.
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT, signal.SIGTERM})
    try:
        server = FeedServer(Feed(options.seed, options.count, now, options.days), options.port)
    except OSError as error:
        print(f"cannot listen on 127.0.0.1:{options.port}: {error.strerror}", file=sys.stderr)
        return 1
    with server:
        server.fault = options.fault
        print(f"the feed is at {server.url}", flush=True)
        signal.sigwait({signal.SIGINT, signal.SIGTERM})
    return 0


if __name__ == "__main__":
    sys.exit(main())
