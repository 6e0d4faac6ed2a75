"""Draws the picture of the application: python screenshot.py FILE."""

import asyncio
import sys
from functools import partial
from pathlib import Path

import immutabledata as imd

from immutabledata_quakes import QuakesApp
from immutabledata_quakes.feed_server import Feed, FeedServer
from immutabledata_quakes.time_zone import TimeZone

SIZE = (100, 24)
NOW = 1_795_305_600_000  # 2026-11-22 00:00:00 UTC
KEYS = ("g", *"2026-11-21", "enter", "r", "d")


async def draw() -> str:
    """The application with a generated feed, as SVG."""
    with FeedServer(Feed(seed=5, count=120, now=NOW, days=1)) as server:
        app = QuakesApp(
            partial(imd.open, "quakes", feed=server.url), "quakes.sqlite", TimeZone("UTC")
        )
        async with app.run_test(size=SIZE) as pilot:
            for key in (*KEYS, "down", "down", "down"):
                await pilot.press("minus" if key == "-" else key)
                # Shows what the key has fetched.
                app.store.settle()
                app.store.poll()
            await pilot.pause()
            return app.export_screenshot()


if __name__ == "__main__":
    Path(sys.argv[1]).write_text(asyncio.run(draw()), encoding="utf-8")
