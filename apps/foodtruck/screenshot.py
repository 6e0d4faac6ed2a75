"""Draws the picture of the application: python screenshot.py FILE."""

import asyncio
import os
import sys
import time
from functools import partial
from pathlib import Path

import immutabledata as imd

from immutabledata_foodtruck import FoodTruckApp
from immutabledata_foodtruck.legacy import FoodTruckModel

SIZE = (100, 30)
NOW = 1_795_356_000_000  # 2026-11-22 14:00:00 UTC


async def draw() -> str:
    """The application with the orders of a seed, one of which is being prepared, as SVG."""
    model = FoodTruckModel(seed=1, now=lambda: NOW)
    app = FoodTruckApp(partial(imd.open, "foodtruck"), model)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.pause()
        model.mark_order_as_completed("Order#1203")
        model.mark_order_as_next_step("Order#1220")
        await asyncio.to_thread(app.store.settle)  # until the activity has begun
        await pilot.pause()
        app.browse.orders.choose("Order#1220")
        await pilot.pause()
        return app.export_screenshot()


if __name__ == "__main__":
    os.environ["TZ"] = "UTC"
    time.tzset()
    Path(sys.argv[1]).write_text(asyncio.run(draw()), encoding="utf-8")
