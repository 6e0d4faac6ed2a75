"""A state that tries to break the page."""

import pytest
from playwright_or_skip import expect

SIZES = [{"width": 1440, "height": 900}, {"width": 900, "height": 600}]


@pytest.fixture
def hostile(new_page, server):
    page = new_page()
    page.goto(server.address + "#store=2")
    page.wait_for_selector(".tree .row .key:text-matches('script')")
    return page


def assert_intact(page):
    """Nothing overflows, no row is higher than others, and no markup came of data."""
    for size in SIZES:
        page.set_viewport_size(size)
        found = page.evaluate(
            """async () => {
              await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
              return {
                width: document.documentElement.scrollWidth - innerWidth,
                height: document.documentElement.scrollHeight - innerHeight,
                rows: [...document.querySelectorAll('.grid .row, .panel:not([hidden]) .row')]
                  .filter((row) => row.getBoundingClientRect().height !== 24).length,
                markup: document.querySelectorAll('.grid img, .panel img, body script').length,
                title: document.title,
              };
            }"""
        )
        title = "todo-service (inspector)"
        assert found == {"width": 0, "height": 0, "rows": 0, "markup": 0, "title": title}


def keys(page):
    return page.locator(".tree .row:visible .key").all_inner_texts()


def test_shows_hostile_keys_as_text(hostile):
    shown = keys(hostile)
    assert "<script>document.title='broken'</script>" in shown
    assert "right\\u202eto left" in shown
    assert "line\\nfeed\\tand\\u001b[31mescape" in shown
    assert "__proto__" in shown
    assert '""' in shown
    assert_intact(hostile)


def test_shows_hostile_values_as_text(hostile):
    text = hostile.locator(".tree").inner_text()
    assert "\u202e" not in text
    assert "\\u2066isolated\\u2069" in text
    assert "12345678901234567890" in text


def test_other_views_stay_intact(hostile):
    hostile.keyboard.press("m")
    for commit in range(39, 29, -1):
        hostile.keyboard.press(",")
        hostile.keyboard.press("2")
        expect(hostile.locator(".commit h2")).to_contain_text(f"#{commit}")
        assert_intact(hostile)
    for tab in "3456":
        hostile.keyboard.press(tab)
        expect(hostile.get_by_role("tabpanel")).not_to_be_empty()
        assert_intact(hostile)


def test_goes_to_hostile_paths(hostile):
    for path, key in (("/a~1b~0c/d~1e", "d/e"), ("/", '""'), ("/__proto__", "__proto__")):
        hostile.keyboard.press("p")
        hostile.get_by_label("Path, a JSON Pointer").fill(path)
        hostile.keyboard.press("Enter")
        expect(hostile.locator(".tree .row[aria-selected=true] .key")).to_have_text(key)


def test_shows_a_megabyte_in_parts(hostile):
    row = hostile.locator(".tree .row", has=hostile.locator(".key:text-matches('^longlong')"))
    row.click()
    hostile.locator(".tree").focus()
    hostile.keyboard.press("v")
    shown = hostile.locator(".path-details pre")
    expect(shown).to_contain_text("xxx")
    assert len(shown.inner_text()) == 50_000
    hostile.get_by_role("button", name="Show more").click()
    assert len(shown.inner_text()) == 100_000
    expect(hostile.locator(".rest")).to_have_text("100,000 of 1,000,002 characters")
    assert_intact(hostile)


def test_keeps_the_digits_of_large_numbers(hostile):
    hostile.locator(".tree .row", has=hostile.locator(".key:text-is('big')")).click()
    hostile.get_by_role("button", name="Whole value").click()
    expect(hostile.locator(".path-details pre")).to_have_text("12345678901234567890")


def test_opens_deep_levels(hostile):
    path = "/deep" + "/deeper" * 40
    hostile.keyboard.press("p")
    hostile.get_by_label("Path, a JSON Pointer").fill(path)
    hostile.keyboard.press("Enter")
    expect(hostile.locator(".tree .row[aria-level='42'][aria-selected=true]")).to_be_visible()
    assert_intact(hostile)
