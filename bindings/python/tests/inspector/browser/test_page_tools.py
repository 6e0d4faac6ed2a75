"""Selectors, the overview, dispatching, exporting."""

import re

import fake_server
import pytest
from playwright_or_skip import expect


def test_lists_selectors(page):
    page.keyboard.press("4")
    items = page.locator(".selectors > li")
    expect(items).to_have_count(3)
    expect(items.nth(0)).to_contain_text("incremental")
    expect(items.nth(1)).to_contain_text("sort_by reads all elements")
    expect(items.nth(2)).to_contain_text("Function of expensive")
    expect(items.nth(0)).to_contain_text("1,200 runs, 7 changed: 5 µs each, 90 µs at most")
    expect(items.nth(0)).to_contain_text("7 calls of observers: 3 ms each, 4 ms at most")


def test_lists_selectors_that_were_defined_later(page, monkeypatch):
    page.keyboard.press("4")
    expect(page.locator(".selectors > li")).to_have_count(3)
    more = [*fake_server.DESCRIPTION["selectors"], {"name": "later", "expression": "user"}]
    monkeypatch.setitem(fake_server.DESCRIPTION, "selectors", more)
    page.keyboard.press("1")
    page.keyboard.press("4")
    expect(page.locator(".selectors > li").last).to_contain_text("later")


def test_evaluates(page):
    page.keyboard.press("4")
    page.get_by_label("Expression", exact=True).fill("user")
    page.keyboard.press("Enter")
    output = page.locator(".selectors-view > div > .output")
    expect(output.locator("pre")).to_contain_text('"Turin"')
    page.get_by_label("Arguments of expensive").fill('{"least": 15}')
    page.get_by_role("button", name="Evaluate expensive").click()
    expect(output.locator("pre")).to_contain_text('"price": 16')
    page.get_by_label("Expression", exact=True).fill("items[")
    page.keyboard.press("Enter")
    expect(output.get_by_role("alert")).to_have_text("the expression ends after '['")
    page.get_by_label("Arguments of expensive").fill("{")
    page.get_by_role("button", name="Evaluate expensive").click()
    expect(output.get_by_role("alert")).to_contain_text("JSON")


def test_finds_the_first_commit_where_an_expression_is_true(page, server):
    page.keyboard.press("4")
    page.get_by_label("Expression", exact=True).fill("250")
    server.hold("/first")
    page.get_by_role("button", name="First where true").click()
    output = page.locator(".selectors-view > div > .output")
    expect(output).to_contain_text("Searching…")
    server.release()
    expect(output).to_contain_text("First true at #250. 1 state on the way: not known.")
    expect(output).to_contain_text("2 states on the way: no number")
    expect(page.locator(".position")).to_have_text("#250 of 500")
    page.get_by_label("Expression", exact=True).fill("1000")
    page.get_by_role("button", name="First where true").click()
    expect(output).to_contain_text("It is true nowhere.")
    page.get_by_label("Expression", exact=True).fill("items[")
    page.get_by_role("button", name="First where true").click()
    expect(output.get_by_role("alert")).to_have_text("the expression ends after '['")


@pytest.mark.commits(1_000_000)
def test_stops_a_search(page, server):
    page.keyboard.press("4")
    page.get_by_label("Expression", exact=True).fill("2000000")
    page.get_by_role("button", name="First where true").click()
    output = page.locator(".selectors-view > div > .output")
    expect(output).to_contain_text("Searched up to #")
    output.get_by_role("button", name="Stop").click()
    expect(output).to_contain_text("Stopped.")
    expect(output.get_by_role("button", name="Stop")).to_have_count(0)
    text = output.inner_text()
    server.commit(1)  # What is sent after the last request was answered.
    expect(page.locator(".position")).to_have_text("#1,000,001 of 1,000,001")
    assert output.inner_text() == text


def test_watches_at_most_four_times_a_second(page, server):
    page.keyboard.press("4")
    page.get_by_label("Expression", exact=True).fill("count")
    page.get_by_role("button", name="Watch", exact=True).click()
    watched = page.locator(".watches > li")
    expect(watched.locator("pre")).to_have_text("500")
    page.evaluate("performance.mark('begin')")
    server.requests.clear()
    for _ in range(200):
        server.commit(1)
    expect(watched.locator("pre")).to_have_text("700")
    seconds = page.evaluate("performance.measure('watching', 'begin').duration") / 1000
    evaluations = [request for request in server.requests if request.endswith("/select")]
    assert 1 <= len(evaluations) <= 4 * seconds + 2
    watched.get_by_role("button").click()
    expect(watched).to_have_count(0)


def test_shows_statistics(page):
    page.keyboard.press("5")
    cards = page.locator(".card")
    expect(cards.filter(has_text="Observers")).to_contain_text("calls to observers52,000")
    expect(cards.filter(has_text="Effects")).to_contain_text("failed effects2")
    expect(cards.filter(has_text="Effects")).to_contain_text("effects begun310")
    expect(cards.filter(has_text="Effects")).to_contain_text(
        "effects in flight12 (at most 65,536)"
    )
    expect(cards.filter(has_text="Optimistic")).to_contain_text("in flight3 (at most 1,024 actions)")
    expect(cards.filter(has_text="Incremental")).to_contain_text("1.3 MiB (at most 64 MiB)")
    expect(cards.filter(has_text="unsynced bytes")).to_contain_text("9.0 MiB")
    memory = cards.filter(has_text="its database")
    expect(memory).to_contain_text("inspector83.9 MiB")
    expect(memory).to_contain_text("11.4 MiB (at most 1.0 GiB)")
    expect(cards.filter(has_text="Memory of the program")).to_contain_text("values120,000")
    store = cards.filter(has_text="keyframes")
    expect(store).to_contain_text("12 of 64 (at most 256)")
    expect(store).to_contain_text("500 (at most 1,000,000 of all stores)")
    expect(store).to_contain_text("0 (at most 8,192 wait)")


def test_shows_the_trace_on_request(page, server):
    page.keyboard.press("5")
    lines = page.locator(".trace li")
    with page.expect_response("**/events?trace=1"):
        page.get_by_label("Show new lines of the trace").check()
    server.send("trace", {"store": 2, "line": {"trace": "of another store"}})
    server.send("trace", {"store": 1, "line": {"trace": "selector", "name": "total\u202e"}})
    expect(lines).to_have_text(['{"trace":"selector","name":"total\\u202e"}'])
    page.get_by_label("Show new lines of the trace").uncheck()
    expect(lines).to_be_hidden()


def test_shows_the_form_when_it_is_filled(page, server):
    server.hold("/describe")
    page.keyboard.press("6")
    button = page.get_by_role("button", name="Dispatch")
    expect(page.get_by_role("tabpanel", name="Dispatch")).to_be_visible()
    expect(button).to_be_hidden()
    server.release()
    expect(button).to_be_visible()


def test_dispatches_by_a_form(page, server):
    page.keyboard.press("6")
    page.get_by_role("button", name="Dispatch").click()
    expect(page.get_by_role("alert")).to_have_text('"name" is too short.')
    expect(page.get_by_label("name", exact=True)).to_be_focused()
    page.get_by_label("name", exact=True).fill('milk "fresh"')
    page.get_by_label("size").select_option(label="large")
    page.get_by_label("urgent").check()
    page.get_by_label("Give price").check()
    page.get_by_label("price", exact=True).fill("a lot")
    page.get_by_role("button", name="Dispatch").click()
    expect(page.get_by_role("alert")).to_have_text('"price" must be a number.')
    page.get_by_label("price", exact=True).fill("12345678901234567890.5")
    page.get_by_label("Give owner").check()
    page.get_by_label("login").fill("ada")
    page.get_by_label("Give tags").check()
    page.get_by_role("button", name="Add to tags").click()
    page.get_by_role("button", name="Add to tags").click()
    page.get_by_label("tags 1").fill("a")
    page.get_by_role("button", name="Remove").last.click()
    page.get_by_role("button", name="Dispatch").click()
    expect(page.get_by_role("status").filter(has_text="Dispatched")).to_have_text(
        "Dispatched; the newest commit is 501."
    )
    assert server.stores[1].action(501) == {
        "type": "items/added",
        "payload": {
            "name": 'milk "fresh"',
            "size": "large",
            "urgent": True,
            "price": 12345678901234567890.5,
            "owner": {"login": "ada"},
            "tags": ["a"],
        },
    }


def test_dispatches_json(page, server):
    page.keyboard.press("6")
    page.get_by_label("Type", exact=True).select_option("json")
    action = page.get_by_label("Action as JSON", exact=True)
    action.fill('{"type": "fail"}')
    page.get_by_role("button", name="Dispatch").click()
    expect(page.get_by_role("alert")).to_have_text("ValueError: the price of 'milk' is missing")
    action.fill('{"type": ')
    page.get_by_role("button", name="Dispatch").click()
    expect(page.get_by_role("alert")).to_contain_text("The action must be JSON")
    action.fill('{"type": "large", "payload": 12345678901234567890}')
    page.get_by_role("button", name="Dispatch").click()
    expect(page.locator(".position")).to_have_text("#501 of 501")
    assert server.stores[1].action(501)["payload"] == 12345678901234567890


def test_takes_the_form_to_json(page):
    page.keyboard.press("6")
    page.get_by_label("Type", exact=True).select_option(label="count/set")
    page.get_by_label("payload").fill("-1")
    page.get_by_role("button", name="Dispatch").click()
    expect(page.get_by_role("alert")).to_have_text('"payload" must be at least 0.')
    page.get_by_label("payload").fill("3")
    page.get_by_label("Write the action as JSON").check()
    expect(page.get_by_label("Action as JSON", exact=True)).to_have_value(
        '{\n  "type": "count/set",\n  "payload": 3\n}'
    )


def test_dispatches_only_where_allowed(page):
    page.get_by_label("Store").select_option("2")
    page.keyboard.press("6")
    page.get_by_role("tab", name="Dispatch").click()
    expect(page.locator(".dispatch")).to_contain_text("The program does not allow control.")
    expect(page.locator(".dispatch form")).to_be_hidden()


def test_exports(page, monkeypatch):
    with page.expect_download() as download:
        page.get_by_role("link", name="JSON Lines").click()
    assert download.value.suggested_filename == "actions.jsonl"
    monkeypatch.delattr(fake_server.Handler, "get_export")
    link = page.get_by_role("link", name="Redux DevTools")
    link.click()
    expect(page.locator(".toast")).to_contain_text("no such value")
    expect(link).to_have_attribute("href", re.compile(r"stores/1/export\?format=devtools$"))


def test_dispatches_what_the_program_does_not_describe(page, monkeypatch):
    monkeypatch.delattr(fake_server.Handler, "get_describe")
    page.keyboard.press("6")
    expect(page.get_by_role("alert")).to_have_text("no such value")
    page.get_by_label("Action as JSON", exact=True).fill('{"type": "any"}')
    page.get_by_role("button", name="Dispatch").click()
    expect(page.locator(".result")).to_have_text("Dispatched; the newest commit is 501.")
