"""The list of actions."""

import pytest
from generated_program import BEGIN
from playwright_or_skip import expect


def selected(page):
    return page.locator(".grid .row[aria-selected=true] .number")


def row(page, commit):
    return page.locator(".grid .row:visible", has=page.locator(f".number:text-is('{commit}')"))


def test_shows_the_newest_actions(page):
    expect(page.locator(".count")).to_have_text("500 actions")
    expect(page.locator(".grid")).to_have_attribute("aria-rowcount", "501")
    expect(selected(page)).to_have_text("500")
    expect(row(page, 500)).to_have_attribute("aria-rowindex", "501")
    expect(row(page, 500).locator(".type")).to_have_text("cart/priced")
    expect(row(page, 500).locator(".preview")).to_contain_text("item 0 of 500")
    expect(row(page, 500).locator(".duration")).to_have_text("53 µs")


def test_selects_by_click_and_by_key(page):
    row(page, 490).click()
    expect(selected(page)).to_have_text("490")
    expect(page.locator(".position")).to_have_text("#490 of 500")
    expect(page.get_by_role("button", name="Follow newest")).to_have_attribute(
        "aria-pressed", "false"
    )
    page.keyboard.press("ArrowUp")
    expect(selected(page)).to_have_text("489")
    page.keyboard.press("Home")
    expect(selected(page)).to_have_text("1")
    page.keyboard.press("PageDown")
    active = page.locator(".grid").get_attribute("aria-activedescendant")
    assert page.locator(f"#{active} .number").inner_text() == selected(page).inner_text()
    page.keyboard.press("End")
    expect(selected(page)).to_have_text("500")
    page.keyboard.press("Enter")
    expect(page.get_by_role("tab", name="Commit")).to_have_attribute("aria-selected", "true")


def test_filters_by_type(page):
    page.get_by_label("Pattern of the type").fill("items/*")
    expect(page.locator(".count")).to_have_text("215 of 500 actions")
    expect(page.locator(".grid .row.waiting:visible")).to_have_count(0)
    types = page.locator(".grid .row:visible .cell.type").all_inner_texts()
    assert set(types) - {"Type"} <= {"items/added", "items/renamed", "items/moved"}


def test_searches(page):
    page.keyboard.press("/")
    page.keyboard.type("loggedin")
    expect(page.locator(".count")).to_have_text("71 of 500 actions")
    page.get_by_label("Search actions").fill("nothing of that kind")
    expect(page.get_by_text("No action matches the filter.")).to_be_visible()


@pytest.mark.parametrize(
    ("label", "value", "count"),
    [
        # 500 commits, each 37 ms after the one before: 324 begin with the twelfth second.
        ("From", "12", 500 - 324),
        ("To", "12", 324),
        ("Author", "2", 167),
        ("At least µs", "90", 15),
    ],
)
def test_filters_further(page, label, value, count):
    page.get_by_role("button", name="More").click()
    if label in ("From", "To"):
        value = page.evaluate(
            "at => new Date(at).toISOString().slice(0, 19)", BEGIN + int(value) * 1000
        )
    page.get_by_label(label, exact=True).fill(value)
    expect(page.locator(".count")).to_have_text(f"{count} of 500 actions")
    page.get_by_role("button", name="Clear").click()
    expect(page.locator(".count")).to_have_text("500 actions")


def test_says_that_a_server_cannot_filter(page, server):
    server.stores[1].matching = lambda query: range(1, 501)
    page.get_by_role("button", name="More").click()
    page.get_by_label("Author", exact=True).fill("2")
    expect(page.locator(".toast")).to_contain_text("does not filter by time, author and duration")


def test_follows_the_newest(page, server):
    server.commit(1)
    expect(selected(page)).to_have_text("501")
    page.keyboard.press("f")
    server.commit(1)
    expect(page.locator(".count")).to_have_text("502 actions")
    expect(selected(page)).to_have_text("501")
    page.keyboard.press("f")
    expect(selected(page)).to_have_text("502")


def test_follows_within_a_filter(page, server):
    page.get_by_label("Pattern of the type").fill("special")
    expect(page.get_by_text("No action matches the filter.")).to_be_visible()
    server.commit(1, {"type": "special"})
    expect(page.locator(".count")).to_have_text("1 of 501 actions")
    expect(selected(page)).to_have_text("501")


def test_shows_gaps_and_batches(page):
    page.goto(page.url.split("#")[0] + "#store=1&commit=301")
    expect(selected(page)).to_have_text("301")
    expect(row(page, 301)).to_contain_text("120 dropped before")
    assert "gap" in row(page, 301).get_attribute("class")
    brackets = [
        row(page, n).locator(".bracket").get_attribute("data-batch") for n in range(303, 308)
    ]
    assert brackets == ["", "begin", "middle", "end", ""]


def test_forgets_rows_that_the_server_removed(page, server):
    describe = server.stores[1].describe_store
    server.stores[1].describe_store = lambda: {**describe(), "first": 101, "commits": 400}
    server.stores[1].between = lambda query: (101, 500)
    server.send("program", server.program())
    expect(page.locator(".count")).to_have_text("400 actions")
    expect(page.locator(".grid")).to_have_attribute("aria-rowcount", "401")
    expect(selected(page)).to_have_text("500")
    page.locator(".grid").focus()
    page.keyboard.press("Home")
    expect(selected(page)).to_have_text("101")


def test_marks_rejected_actions(page, server):
    store = server.stores[1]
    plain = store.row

    def with_rejected(row, commit):
        described = plain(row, commit)
        if commit in (498, 499):  # They follow commit 497.
            refusal = {"rejected": f"reducerFailed: no {commit}", "changes": None, "commit": 497}
            described.update(refusal)
        return described

    store.row = with_rejected
    page.reload()
    rejected = page.locator(".grid .row.rejected:visible")
    expect(rejected).to_have_count(2)
    expect(rejected.nth(1).locator(".preview")).to_have_text("rejected: reducerFailed: no 499")
    expect(rejected.nth(1).locator(".number")).to_have_text("")
    rejected.nth(1).click()
    expect(rejected.nth(1)).to_have_attribute("aria-selected", "true")
    expect(page.locator(".position")).to_have_text("#497 of 500")
    expect(page.locator(".grid .row[aria-selected=true]")).to_have_count(1)
    page.keyboard.press("ArrowUp")
    expect(rejected.nth(0)).to_have_attribute("aria-selected", "true")
    page.keyboard.press("ArrowUp")
    expect(selected(page)).to_have_text("497")
    server.stores[1].commit_members = {
        "rejected": [
            {"time": BEGIN, "message": "reducerFailed: no", "action": {"type": "refused", "payload": 7}}
        ]
    }
    page.keyboard.press("Enter")
    expect(page.locator(".commit .problem")).to_have_text("reducerFailed: no")
    expect(page.get_by_role("region", name="Rejected action")).to_contain_text('"refused"')


def test_asks_for_rejected_actions(page):
    toggle = page.get_by_role("button", name="Rejected")
    expect(toggle).to_have_attribute("aria-pressed", "false")
    with page.expect_response("**/events?trace=1"):
        toggle.click()
    expect(toggle).to_have_attribute("aria-pressed", "true")
    page.keyboard.press("5")
    expect(page.get_by_label("Show new lines of the trace")).to_be_checked()
    toggle.click()
    expect(page.get_by_label("Show new lines of the trace")).not_to_be_checked()


def test_shows_what_became_of_optimistic_updates(page, server):
    marks = {498: "pending", 499: "rolled back"}
    plain = server.stores[1].row
    server.stores[1].row = lambda row, commit: {
        **plain(row, commit),
        **({"optimistic": marks[commit]} if commit in marks else {}),
    }
    page.reload()
    expect(row(page, 498).locator(".preview")).to_contain_text("[pending]")
    expect(row(page, 499).locator(".preview")).to_contain_text("[rolled back]")
    marks[498] = "confirmed"
    server.commit(1)
    expect(row(page, 498).locator(".preview")).to_contain_text("[confirmed]")
