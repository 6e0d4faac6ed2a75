import asyncio
import contextlib
import time
from functools import partial

import immutabledata as imd
import pytest
from immutabledata_terminal.testing import User, pytest_pyfunc_call  # noqa: F401

from immutabledata_foodtruck import FoodTruckApp
from immutabledata_foodtruck.legacy import FoodTruckModel

NOW = 1_795_356_000_000
"""2026-11-22 14:00:00 UTC."""


@pytest.fixture
def model():
    return FoodTruckModel(seed=1, now=lambda: NOW)


@pytest.fixture
def run(model, monkeypatch):
    """Runs the application with the model: async with run() as user."""

    @contextlib.asynccontextmanager
    async def run(size=(100, 30)):
        app = FoodTruckApp(partial(imd.open, "foodtruck"), model)
        async with app.run_test(size=size, notifications=True) as pilot:
            user = FoodTruckUser(app, pilot)
            await user.until(lambda: user.browse.is_mounted)
            yield user

    monkeypatch.setenv("TZ", "UTC")
    time.tzset()
    yield run
    monkeypatch.undo()
    time.tzset()


class FoodTruckUser(User):
    """Uses the application, and looks at its parts."""

    def __init__(self, app, pilot):
        super().__init__(app, pilot)
        self.activities = []
        """What the activities were asked for, in order: ("start", ID) and ("end", ID)."""
        self._record("start")
        self._record("end")

    def _record(self, kind):
        perform = getattr(self.app.activities, kind)

        def record(order):
            self.activities.append((kind, order["id"]))
            perform(order)

        setattr(self.app.activities, kind, record)

    async def settle(self):
        """Runs the application until no effect is in flight.

        A tap asks for a call of the model, which can ask for the start or the end of an activity.
        """
        for _ in range(3):
            await asyncio.to_thread(self.app.store.settle)
            await self.pilot.pause()

    async def tap(self, *keys):
        """Presses keys one by one, with their effects."""
        for key in keys:
            await self.press(key)
            await self.settle()

    async def choose(self, order_id):
        self.browse.orders.choose(order_id)
        await self.until(lambda: self.browse.order.order_id == order_id)

    @property
    def browse(self):
        return self.app.browse

    @property
    def ids(self):
        """The numbers in the ids of the orders in the list, or its placeholder."""
        ids = [order["id"] for order in self.browse.orders.list.records]
        return [int(id[len("Order#") :]) for id in ids] or self.browse.orders.list.text

    @property
    def order(self):
        """The text of the order that is shown."""
        return str(self.browse.order.text.content)

    @property
    def banner(self):
        """The text of the banner; None if it is hidden."""
        return str(self.browse.banner.content) if self.browse.banner.display else None
