"""Draws the picture of the application: python screenshot.py FILE."""

import asyncio
import sys
from functools import partial
from pathlib import Path

import immutabledata as imd

from immutabledata_animals import AnimalsApp

SIZE = (80, 20)
KEYS = ("down", "down", "down", "down", "right", "down", "down")


async def draw() -> str:
    """The application with the sample data, as SVG."""
    app = AnimalsApp(partial(imd.open, "animals"), "animals.sqlite")
    async with app.run_test(size=SIZE) as pilot:
        for key in ("home", *KEYS):
            # Shows what the previous key has fetched.
            app.store.settle()
            app.store.poll()
            await pilot.press(key)
        return app.export_screenshot()


if __name__ == "__main__":
    Path(sys.argv[1]).write_text(asyncio.run(draw()), encoding="utf-8")
