"""What the page shows of a program that ends, and of a slow server."""

from playwright_or_skip import expect


def test_says_that_the_program_is_gone_and_back(page, server):
    banner = page.locator(".banner")
    expect(banner).to_be_hidden()
    server.connect(False)
    expect(banner).to_contain_text("todo-service has ended.")
    page.keyboard.press(",")
    expect(page.locator(".position")).to_have_text("#499 of 500")
    server.connect(True)
    expect(banner).to_contain_text("todo-service is back.")
    banner.get_by_role("button").click()
    expect(banner).to_be_hidden()


def test_takes_the_description_of_the_program_from_events_only(page, server):
    """An answer could be older than the events before it."""
    server.commit(1)
    expect(page.locator(".position")).to_have_text("#501 of 501")
    assert [asked for asked in server.requests if asked.endswith("/api/program")] == []


def test_says_that_a_store_was_closed(page, server):
    server.stores[1].members["open"] = False
    server.send("program", server.program())
    expect(page.locator(".banner")).to_contain_text("has closed this store")
    expect(page.get_by_role("button", name="Undo")).to_be_disabled()


def test_says_that_the_server_is_gone(page, server):
    server.stop()
    expect(page.locator(".banner")).to_contain_text("The inspector does not answer.")


def test_shows_a_program_without_stores(new_page, server):
    server.stores.clear()
    page = new_page()
    page.goto(server.address)
    expect(page.get_by_text("No actions yet.")).to_be_visible()


def test_shows_the_state_before_the_first_commit_that_is_known(new_page, server):
    server.stores[1].commits = 0
    server.stores[1].members.update(first=7, last=7)
    page = new_page()
    page.goto(server.address)
    expect(page.locator("#state-1 .preview")).to_have_text("7")
    expect(page.locator(".position")).to_have_text("#7 of 7")
    expect(page.get_by_text("No actions yet.")).to_be_visible()


def test_shows_the_present_state_of_a_store_without_patches(new_page, server):
    server.stores[1].members["patches"] = False
    page = new_page()
    page.goto(server.address)
    expect(page.locator("#state-1 .preview")).to_have_text("500")
    assert any("commit=latest" in request for request in server.requests)


def test_shows_new_stores(page, server):
    server.stores[3] = type(server.stores[1])(3, "third", 3)
    server.send("program", server.program())
    page.get_by_label("Store").select_option("3")
    expect(page.locator(".position")).to_have_text("#3 of 3")


def test_answers_keys_while_the_server_is_slow(page, server):
    server.hold("/state")
    page.keyboard.press(",")
    expect(page.locator(".position")).to_have_text("#499 of 500")
    expect(page.locator(".grid .row[aria-selected=true] .number")).to_have_text("499")
    page.keyboard.press("2")
    expect(page.locator(".commit h2")).to_contain_text("#499")
    page.keyboard.press("1")
    expect(page.locator("#state-1 .preview")).to_have_text("500")
    server.release()
    expect(page.locator("#state-1 .preview")).to_have_text("499")


def test_shows_placeholders_while_rows_are_slow(page, server):
    server.hold("/commits")
    page.locator(".grid").focus()
    page.keyboard.press("Home")
    expect(page.locator(".grid .row.waiting").first).to_be_visible()
    server.release()
    expect(page.locator(".grid .row.waiting:visible")).to_have_count(0)
    expect(page.locator(".grid .row[aria-selected=true] .number")).to_have_text("1")


def test_shows_only_the_last_of_several_answers(page, server):
    page.keyboard.press("2")
    expect(page.locator(".commit h2")).to_contain_text("#500")
    server.hold("/commit/499")
    with page.expect_request("**/commit/499"):
        page.keyboard.press(",")
    server.held = None
    page.keyboard.press(",")
    expect(page.locator(".commit h2")).to_contain_text("#498")
    server.release()
    page.keyboard.press("5")
    page.keyboard.press("2")
    expect(page.locator(".commit h2")).to_contain_text("#498")


def test_shows_errors_of_the_server(page, server):
    def fail(commit):
        raise ValueError

    server.stores[1].state = fail
    page.keyboard.press(",")
    expect(page.locator(".toast [aria-live=polite]")).to_have_text("no such value")
    expect(page.locator(".state-main .empty")).to_have_text("no such value")
    del server.stores[1].state
    page.keyboard.press(",")
    expect(page.locator("#state-1 .preview")).to_have_text("498")
