"""The state of a commit, as a tree."""

import re

from playwright_or_skip import expect


def row(page, key):
    return page.locator(".tree .row:visible", has=page.locator(f".key:text-is('{key}')"))


def go(page, path):
    page.keyboard.press("p")
    page.get_by_label("Path, a JSON Pointer").fill(path)
    page.keyboard.press("Enter")


def current(page):
    return page.locator(".path-details .current")


def test_shows_one_level(page, server):
    expect(row(page, "state")).to_have_attribute("aria-expanded", "true")
    expect(row(page, "count").locator(".preview")).to_have_text("500")
    expect(row(page, "records").locator(".preview")).to_contain_text("(65,536) [")
    expect(row(page, "items")).to_have_attribute("aria-expanded", "false")
    assert not any("path=%2F" in request for request in server.requests)
    row(page, "user").locator(".twist").click()
    expect(row(page, "name").locator(".preview")).to_have_text('"Ada"')
    expect(row(page, "name")).to_have_attribute("aria-level", "3")
    assert "path=%2Fuser&" in next(r for r in server.requests if "path=%2F" in r)
    row(page, "user").locator(".twist").click()
    expect(row(page, "name")).to_be_hidden()


def test_marks_what_changed(page):
    changed = page.locator(".tree .row.changed:visible .key")
    expect(changed).to_have_text(["state", "count", "items"])
    row(page, "items").locator(".twist").click()
    expect(row(page, "0")).to_have_class("row changed")
    expect(row(page, "1")).to_have_class("row")


def test_moves_by_keys(page, server):
    page.locator(".tree").focus()
    page.keyboard.press("Home")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    expect(current(page)).to_have_text("/items")
    server.hold("/state")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    expect(page.locator("#state-3")).to_have_attribute("aria-selected", "true")
    server.release()
    expect(current(page)).to_have_text("/items/0")
    page.keyboard.press("ArrowRight")
    expect(row(page, "id")).to_be_visible()
    page.keyboard.press("ArrowRight")
    expect(current(page)).to_have_text("/items/0/id")
    page.keyboard.press("ArrowLeft")
    expect(current(page)).to_have_text("/items/0")
    page.keyboard.press("ArrowLeft")
    expect(row(page, "id")).to_be_hidden()
    page.keyboard.press("ArrowLeft")
    expect(current(page)).to_have_text("/items")


def test_fetches_only_what_is_visible(page, server):
    row(page, "records").locator(".twist").click()
    expect(row(page, "0").first).to_be_visible()
    server.requests.clear()
    go(page, "/records/60000/name")
    expect(row(page, "60000")).to_be_visible()
    expect(page.locator(".tree .row[aria-selected=true] .preview")).to_have_text('"record 60000"')
    asked = [request for request in server.requests if "path=%2Frecords&" in request]
    assert {request.partition("from=")[2] for request in asked} <= {
        "59800&count=200",
        "60000&count=200",
    }
    assert page.locator(".tree .row").count() < 100


def test_keeps_what_is_open_at_other_commits(page):
    go(page, "/items/3/name")
    expect(page.locator(".tree .row[aria-selected=true] .preview")).to_have_text('"item 3 of 403"')
    page.keyboard.press("[")
    expect(page.locator(".position")).to_have_text("#1 of 500")
    expect(page.locator(".tree .row[aria-selected=true] .preview")).to_have_text('"item 3"')
    expect(current(page)).to_have_text("/items/3/name")


def test_shows_a_whole_value(page):
    go(page, "/user")
    expect(current(page)).to_have_text("/user")
    page.get_by_role("button", name="Whole value").click()
    expect(page.locator(".path-details pre")).to_contain_text('"city": "Turin"')
    expect(page.locator(".path-details")).to_contain_text("At commit 500")
    go(page, "")
    page.locator(".tree").focus()
    page.keyboard.press("v")
    expect(page.locator(".path-details .problem")).to_have_text(
        "the value has more than 4 MiB of text"
    )


def test_pins_a_path(page):
    go(page, "/items/3/name")
    expect(current(page)).to_have_text("/items/3/name")
    page.locator(".path-details").get_by_role("button", name="Pin").click()
    pinned = page.locator(".pins li")
    expect(pinned.locator(".preview")).to_have_text('"item 3 of 403"')
    go(page, "/user/name")
    page.keyboard.press("[")
    expect(pinned.locator(".preview")).to_have_text('"item 3"')
    expect(page).to_have_url(re.compile("pin=/items/3/name"))
    page.reload()
    expect(pinned.locator(".path")).to_have_text("/items/3/name")
    pinned.get_by_role("button", name="Unpin").click()
    expect(pinned).to_have_count(0)


def test_blames_from_the_menu(page):
    row(page, "items").click(button="right")
    expect(page.get_by_role("menuitem").first).to_be_focused()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    commits = page.locator(".blame > li")
    expect(commits).to_have_count(20)
    expect(commits.first).to_contain_text("#500 cart/priced")
    expect(page.locator(".tree")).to_be_focused()


def test_blames_by_key(page):
    go(page, "/items/7/name")
    expect(current(page)).to_have_text("/items/7/name")
    page.locator(".tree").focus()
    page.keyboard.press("Shift+F10")
    page.keyboard.press("Escape")
    expect(page.get_by_role("menu")).to_have_count(0)
    page.keyboard.press("b")
    expect(page.locator(".blame > li")).to_have_count(1)
    page.locator(".blame > li > button").click()
    expect(page.locator(".position")).to_have_text("#407 of 500")


def test_shows_the_patch_of_a_commit(page):
    page.keyboard.press("2")
    operations = page.locator(".commit .patch li")
    expect(operations).to_have_count(2)
    expect(operations.first).to_have_text("=/count500")
    expect(page.locator(".commit h2")).to_have_text("#500 cart/priced")
    expect(page.locator(".commit pre")).to_contain_text('"price": 7')
    operations.last.locator(".path").click()
    expect(current(page)).to_have_text("/items/0/name")
    expect(page.locator(".tree .row[aria-selected=true] .key")).to_have_text("name")
