"""The page, its server and a store: all that a user has."""

import re

import pytest
from playwright_or_skip import expect

import immutabledata as imd
from immutabledata._inspector.live import LiveProgram
from immutabledata._inspector.server import InspectorServer


@imd.drafting
def reduce(draft, action):
    if action["type"] == "todos/added":
        draft["todos"].append(action["payload"])


@pytest.fixture
def store(tmp_path):
    options = {"path": tmp_path / "a.sock", "control": True}
    state = {"todos": [], "<b>": "</script>", "deep": imd.from_json("[" * 2000 + "]" * 2000)}
    with imd.Store(reduce, state, history=True, inspect=options) as store:
        yield store


@pytest.fixture
def address(store, tmp_path):
    server = InspectorServer(LiveProgram(str(tmp_path / "a.sock")))
    server.start()
    yield server.address
    server.close()


def preview(page, key):
    row = page.locator(".tree .row:visible", has=page.locator(f".key:text-is('{key}')"))
    return row.locator(".preview")


def test_a_program(new_page, store, address, tmp_path):
    link = tmp_path / "link.html"
    link.write_text(f'<meta http-equiv="refresh" content="0;url={address}">')
    page = new_page()
    page.goto(link.as_uri())  # As imd opens it.
    expect(page).to_have_url(re.compile(re.escape(address)))
    store.dispatch("todos/added", "Task 0")
    expect(preview(page, "todos")).to_have_text('(1) ["Task 0"]')
    expect(preview(page, "<b>")).to_have_text('"</script>"')
    for n in range(1, 200):
        store.dispatch("todos/added", f"Task {n}")
    expect(preview(page, "todos")).to_contain_text('(200) ["Task 0"')
    expect(page.locator(".grid .row[aria-selected=true] .type")).to_have_text("todos/added")
    page.get_by_role("button", name="Undo").click()
    expect(preview(page, "todos")).to_contain_text('(199) ["Task 0"')
    assert len(store.state["todos"]) == 199
    store.close()
    expect(page.get_by_role("combobox").first).to_contain_text("closed")
