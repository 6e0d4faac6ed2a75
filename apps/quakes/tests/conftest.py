import contextlib
from datetime import date

import immutabledata as imd
import pytest
from immutabledata_terminal.testing import User, pytest_pyfunc_call  # noqa: F401

from immutabledata_quakes import QuakesApp
from immutabledata_quakes.feed_server import Feed, FeedServer
from immutabledata_quakes.time_zone import TimeZone

NOW = 1_795_305_600_000
"""2026-11-22 00:00:00 UTC: the quakes of one day are those of 2026-11-21."""


@pytest.fixture
def make_server():
    """Starts feed servers: make_server(count=…, days=…)."""
    with contextlib.ExitStack() as servers:

        def make(count=100, days=1, seed=1):
            return servers.enter_context(FeedServer(Feed(seed, count, NOW, days)))

        yield make


@pytest.fixture
def server(make_server):
    """A feed of 100 quakes of 2026-11-21."""
    return make_server()


@pytest.fixture
def run(server, tmp_path):
    """Runs the application on 2026-11-21, with the feed server: async with run() as user."""

    @contextlib.asynccontextmanager
    async def run(size=(100, 30), zone="UTC", feed=None):
        def open_store():
            store = tmp_path / "quakes.sqlite"
            return imd.open("quakes", store=str(store), feed=feed or server.url)

        app = QuakesApp(open_store, "stand-in", TimeZone(zone))
        async with app.run_test(size=size, notifications=True) as pilot:
            user = QuakesUser(app, pilot)
            await user.until_ready()
            await user.show("2026-11-21")
            yield user

    return run


class QuakesUser(User):
    """Browses quakes."""

    async def show(self, day):
        """Shows a day without keys, which is faster than go_to."""
        self.browse.quakes.day = date.fromisoformat(day)
        await self.pilot.pause()

    async def go_to(self, day):
        await self.press("g")
        await self.type(day)
        await self.press("enter")

    async def refresh(self, key="d"):
        """Gets a range of the feed, by the key of the dialog, and waits for the end."""
        await self.press("r", key)
        await self.until_ready()

    async def until_ready(self):
        """Runs the application until no effect is in progress, and all outcomes are shown."""

        def is_ready():
            with contextlib.suppress(imd.TimedOutError):
                self.app.store.settle(0)
                self.app.store.poll()
                return not self.browse.status.status.is_waiting

        await self.until(is_ready)
        await self.until(lambda: self.browse.status.status.has_failed == self.is_failed)

    @property
    def is_failed(self):
        return self.browse.status.has_class("-failure")

    @property
    def browse(self):
        return self.app.screen_stack[1]

    @property
    def quakes(self):
        """The rows of the list as (time, magnitude, place), or its placeholder."""
        pane = self.browse.quakes
        lines = [str(pane.line(quake)).split(maxsplit=2) for quake in pane.list.records]
        return [tuple(line) for line in lines] or pane.list.text

    @property
    def status(self):
        return str(self.browse.status.content)
