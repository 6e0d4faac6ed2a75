import asyncio
import contextlib
import inspect
import time

import pytest
from screen import lines_of, text_in
from session import Session

from immutabledata_animals import AnimalsApp

DEADLINE = 30


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem):
    """Runs an asynchronous test in a new event loop."""
    if not inspect.iscoroutinefunction(pyfuncitem.obj):
        return None
    names = inspect.signature(pyfuncitem.obj).parameters
    asyncio.run(pyfuncitem.obj(**{name: pyfuncitem.funcargs[name] for name in names}))
    return True


@pytest.fixture
def session():
    session = Session()
    yield session
    session.release()


@pytest.fixture
def run(session):
    """Runs the application with the session's stores: async with run() as user."""

    @contextlib.asynccontextmanager
    async def run(size=(100, 30)):
        app = AnimalsApp(session.open, "stand-in")
        async with app.run_test(size=size, notifications=True) as pilot:
            yield User(app, pilot)

    return run


class User:
    """Presses keys, and reads the screen."""

    def __init__(self, app, pilot):
        self.app = app
        self.pilot = pilot

    async def press(self, *keys):
        await self.pilot.press(*keys)
        await self.pilot.pause()

    async def type(self, text):
        await self.press(*("space" if key == " " else key for key in text))

    async def click(self, selector, **options):
        await self.pilot.click(selector, **options)
        await self.pilot.pause()

    async def until(self, condition):
        """Runs the application until the condition holds."""
        end = time.monotonic() + DEADLINE
        while not condition():
            assert time.monotonic() < end, "\n".join(self.screen)
            await self.pilot.pause()
        await self.pilot.pause()

    async def until_fetched(self):
        await self.until(lambda: self.animals and self.detail)

    @property
    def screen(self):
        """The lines of text on the screen."""
        return lines_of(self.app.export_screenshot())

    def text_of(self, widget):
        """The lines of text on the screen where a widget is. The widget must be all in view."""
        found = self.app.screen.find_widget(widget)
        assert found.region.area > 0, widget
        assert found.visible_region == found.region, widget
        return text_in(self.screen, found.region)

    @property
    def browse(self):
        return self.app.screen_stack[1]

    @property
    def top(self):
        return type(self.app.screen).__name__

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

    @property
    def toasts(self):
        return [(toast.title, toast.message) for toast in self.app._notifications]

    @property
    def keys(self):
        """The keys in the footer, and whether they are enabled."""
        bindings = self.app.screen.active_bindings.values()
        return {each.binding.description: each.enabled for each in bindings if each.binding.show}


def rows(pane):
    """The names in a list, or its placeholder."""
    lines = [" ".join(str(pane.line(record)).split()) for record in pane.list.records]
    return lines or pane.list.text
