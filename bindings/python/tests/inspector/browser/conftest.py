"""Chromium, a fake server, and pages that must end without errors.

The tests need the package playwright, and Chromium: IMD_TEST_CHROMIUM, or `chromium` in PATH.
Without them they are skipped, unless CI is set.
"""

import os

import pytest
from fake_server import FakeServer

# Chromium's sandbox does not work for root. Its shared memory may be small in a container.
ARGUMENTS = ["--disable-dev-shm-usage", *(["--no-sandbox"] if os.geteuid() == 0 else [])]


# A browser for each module: while Playwright runs, its thread has an event loop.
@pytest.fixture(scope="module")
def browser():
    from playwright.sync_api import sync_playwright
    from playwright_or_skip import CHROMIUM, missing

    if not CHROMIUM:
        missing("chromium is not installed: apt-get install chromium, or set IMD_TEST_CHROMIUM")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        yield browser
        browser.close()


@pytest.fixture
def server(request):
    """A fake server. The mark `commits(N)` says how many commits its first store has."""
    mark = request.node.get_closest_marker("commits")
    with FakeServer(mark.args[0] if mark else 500) as server:
        yield server.start()
        server.stop()


@pytest.fixture
def new_page(browser):
    """Opens pages, and fails the test if one of them had an error."""
    errors, contexts = [], []

    def open_page(**options):
        options = {"viewport": {"width": 1440, "height": 900}, "timezone_id": "UTC", **options}
        context = browser.new_context(**options)
        context.set_default_timeout(10_000)
        contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.on("console", logged)
        page.on("dialog", lambda dialog: errors.append(f"dialog {dialog.message}"))
        return page

    def logged(message):
        if message.type == "error" and "Failed to load resource" not in message.text:
            errors.append(message.text)

    yield open_page
    for context in contexts:
        context.close()
    assert errors == []


@pytest.fixture
def page(new_page, server):
    """The page at the newest commit of the first store, with its state."""
    page = new_page()
    page.goto(server.address)
    page.wait_for_selector(".tree .row[aria-selected=true]")
    page.wait_for_selector(".grid .row[aria-selected=true] .type:text-matches('.{4}')")
    return page


def pytest_configure(config):
    config.addinivalue_line("markers", "commits(number): how many commits the fake server has")
