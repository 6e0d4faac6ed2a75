import contextlib

import pytest
from immutabledata_terminal.testing import User, pytest_pyfunc_call  # noqa: F401
from fake_server import FakeServer

from immutabledata_animals import AnimalsApp


@pytest.fixture
def server():
    server = FakeServer()
    yield server
    server.release()


@pytest.fixture
def run(server):
    """Runs the application with the server's stores: async with run() as user."""

    @contextlib.asynccontextmanager
    async def run(size=(100, 30)):
        app = AnimalsApp(server.open, "stand-in")
        async with app.run_test(size=size, notifications=True) as pilot:
            yield AnimalsUser(app, pilot)

    return run


class AnimalsUser(User):
    """Browses and edits animals."""

    async def until_fetched(self):
        await self.until(lambda: self.animals and self.detail)

    @property
    def browse(self):
        return self.app.screen_stack[1]

    @property
    def categories(self):
        return rows(self.browse.categories)

    @property
    def animals(self):
        return rows(self.browse.animals)

    @property
    def detail(self):
        return str(self.browse.detail.text.content).split() if self.browse.detail.animal else []

    @property
    def status(self):
        return str(self.browse.status.content)


def rows(pane):
    """The names in a list, or its placeholder."""
    lines = [" ".join(str(pane.line(record)).split()) for record in pane.list.records]
    return lines or pane.list.text
