"""The slider over the commits, undo and redo, comparing, and links to a moment."""

from playwright_or_skip import expect


def position(page):
    return page.locator(".position")


def test_slides(page):
    page.get_by_role("slider").focus()
    page.keyboard.press("Home")
    expect(position(page)).to_have_text("#1 of 500")
    page.keyboard.press("ArrowRight")
    expect(position(page)).to_have_text("#2 of 500")
    expect(page.locator(".grid .row[aria-selected=true] .number")).to_have_text("2")
    expect(page.locator("#state-1 .preview")).to_have_text("2")


def test_goes_past_a_gap(page, server):
    numbers = [*range(1, 290), *range(301, 501)]
    server.stores[1].matching = lambda query: numbers
    page.goto(server.address + "#store=1&commit=1")
    page.reload()
    expect(position(page)).to_have_text("#1 of 500")
    page.get_by_role("slider").fill("295")
    expect(position(page)).to_have_text("#301 of 500")
    expect(page.locator("#state-1 .preview")).to_have_text("301")


def test_steps_by_keys_and_buttons(page):
    for key, number in ((",", 499), (",", 498), (".", 499), ("[", 1), (".", 2), ("]", 500)):
        page.keyboard.press(key)
        expect(position(page)).to_have_text(f"#{number} of 500")
    page.get_by_role("button", name="Previous commit").click()
    expect(position(page)).to_have_text("#499 of 500")
    page.get_by_role("button", name="First commit").click()
    expect(position(page)).to_have_text("#1 of 500")


def test_controls_the_program(page, server):
    page.get_by_role("button", name="Undo").click()
    expect(page.locator(".toast")).to_contain_text("Undone.")
    expect(position(page)).to_have_text("#501 of 501")
    undone = {"type": "@@history/undone", "payload": {"number": 499}}
    assert server.stores[1].action(501) == undone
    page.keyboard.press("Shift+R")
    expect(position(page)).to_have_text("#502 of 502")
    assert server.stores[1].action(502)["type"] == "@@history/redone"
    page.keyboard.press(",")
    page.keyboard.press(",")
    expect(position(page)).to_have_text("#500 of 502")
    page.get_by_role("button", name="Jump here").click()
    expect(page.locator(".toast")).to_contain_text("The program is at step 500.")
    assert server.stores[1].action(503)["payload"] == {"number": 500}
    page.keyboard.press(".")
    expect(position(page)).to_have_text("#501 of 503")
    page.get_by_role("button", name="Jump here").click()
    expect(page.locator(".toast")).to_contain_text("The program is at step 499.")


def test_controls_only_where_allowed(page):
    expect(page.get_by_role("button", name="Undo")).to_be_visible()
    page.get_by_label("Store").select_option("2")
    expect(page.get_by_role("button", name="Undo")).to_be_hidden()


def test_compares_two_commits(page):
    page.keyboard.press("m")
    page.keyboard.press("3")
    expect(page.locator(".compare h2")).to_have_text("From #500 to #500")
    for _ in range(3):
        page.keyboard.press(",")
    expect(page.locator(".compare h2")).to_have_text("From #500 to #497")
    expect(page.locator(".compare .patch li")).to_have_count(4)
    page.get_by_label("Marked commit").fill("400")
    page.keyboard.press("Enter")
    expect(page.locator(".compare h2")).to_have_text("From #400 to #497")


def test_has_an_address_for_a_moment(page, new_page, server):
    page.get_by_label("Path, a JSON Pointer").fill("/items/3")
    page.keyboard.press("Enter")
    page.locator(".tree").focus()
    page.keyboard.press("[")
    page.keyboard.press(".")
    expect(page).to_have_url(server.address + "#store=1&commit=2&path=/items/3")
    other = new_page()
    other.goto(page.url)
    expect(position(other)).to_have_text("#2 of 500")
    expect(other.locator(".path-details .current")).to_have_text("/items/3")
    expect(other.locator(".tree .row[aria-selected=true] .key")).to_have_text("3")
    expect(other.get_by_role("button", name="Follow newest")).to_have_attribute(
        "aria-pressed", "false"
    )


def test_follows_a_changed_address(page, server):
    page.goto(server.address + "#store=2&commit=7&tab=commit")
    expect(position(page)).to_have_text("#7 of 40")
    expect(page.get_by_label("Store")).to_have_value("2")
    expect(page.get_by_role("tab", name="Commit")).to_have_attribute("aria-selected", "true")


def test_follows_a_link_within_a_store(page, server):
    page.locator("#state-4 .twist").click()
    expect(page.locator(".tree .key:text-is('address')")).to_be_visible()
    server.requests.clear()
    page.evaluate("location.hash = '#store=1&commit=100'")
    expect(page.locator(".grid .row[aria-selected=true] .number")).to_have_text("100")
    expect(page.locator("#state-1 .preview")).to_have_text("100")
    expect(page.locator(".tree .key:text-is('address')")).to_be_visible()
    asked = [request.split("/")[-1].partition("?")[0] for request in server.requests]
    assert asked.count("commits") <= 1
    assert "describe" not in asked


def test_follows_a_link_while_the_address_changes(page):
    page.evaluate(
        """() => {
          location.hash = '#store=1&commit=100';
          history.replaceState(null, '', '#store=1&commit=500');
        }"""
    )
    expect(position(page)).to_have_text("#100 of 500")
