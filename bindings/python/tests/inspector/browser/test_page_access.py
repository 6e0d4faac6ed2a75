"""The page by keyboard alone, for screen readers, and in both themes."""

import pytest
from playwright_or_skip import expect

TABS = ["State", "Commit", "Compare", "Selectors", "Overview", "Dispatch"]


def test_lists_the_keys(page):
    page.keyboard.press("?")
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text("follow the newest commit")
    page.keyboard.press("f")
    page.get_by_label("Keys of one letter").uncheck()
    page.keyboard.press("Escape")
    expect(dialog).to_be_hidden()
    page.keyboard.press("f")
    expect(page.get_by_role("button", name="Follow newest")).to_have_attribute(
        "aria-pressed", "true"
    )
    page.keyboard.press("?")
    expect(dialog).to_be_visible()


def test_has_one_tab_stop_for_the_tabs(page):
    page.get_by_role("tab", name="State").focus()
    for name in [*TABS[1:], TABS[0]]:
        page.keyboard.press("ArrowRight")
        expect(page.get_by_role("tab", name=name)).to_be_focused()
        expect(page.get_by_role("tabpanel", name=name)).to_be_visible()
    assert page.locator("[role=tab][tabindex='0']").count() == 1


def test_goes_through_the_parts(page):
    page.locator(".grid").focus()
    for selector in (".slider", "#tab-state", ".tree", ".grid"):
        page.keyboard.press("F6")
        expect(page.locator(selector)).to_be_focused()


def test_reaches_everything_by_tab(page):
    page.locator("body").focus()
    reached = set()
    for _ in range(60):
        page.keyboard.press("Tab")
        reached.add(
            page.evaluate("document.activeElement.className || document.activeElement.tagName")
        )
    assert {"stores", "slider", "search", "type", "grid", "pointer", "tree"} <= reached


def test_toggles_the_theme(page, new_page, server):
    def background(page):
        return page.evaluate("getComputedStyle(document.body).backgroundColor")

    light = background(page)
    page.keyboard.press("t")
    dark = background(page)
    assert dark != light
    page.keyboard.press("t")
    assert background(page) == light
    system = new_page(color_scheme="dark")
    system.goto(server.address)
    assert background(system) == dark


# Themes differ in colors only.
@pytest.mark.parametrize(
    ("scheme", "options"), [("light", {}), ("dark", {"runOnly": ["color-contrast"]})]
)
def test_has_no_serious_findings_of_axe(new_page, server, scheme, options):
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    page = new_page(color_scheme=scheme, viewport={"width": 1100, "height": 500})
    page.goto(server.address)
    page.wait_for_selector(".tree .row[aria-selected=true]")
    found = []

    def check(where):
        results = axe.run(page, options={"resultTypes": ["violations"], **options})
        for finding in results.response["violations"]:
            if finding["impact"] in ("serious", "critical"):
                nodes = [node["html"][:200] for node in finding["nodes"][:3]]
                found.append((where, finding["id"], nodes))

    page.keyboard.press("m")
    page.keyboard.press(",")
    for number, tab in enumerate(TABS, 1):
        page.keyboard.press(str(number))
        expect(page.get_by_role("tabpanel", name=tab)).not_to_be_empty()
        check(tab)
    page.keyboard.press("?")
    check("keys")
    assert found == []
