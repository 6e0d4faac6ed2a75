"""A million commits. Prints what it measures; the bounds are generous, for slow machines."""

import pytest
from playwright_or_skip import expect

pytestmark = pytest.mark.commits(1_000_000)

# Calls a function in each frame, and returns the times between frames, in milliseconds.
FRAMES = """async ([selector, step, count]) => {
  const view = document.querySelector(selector);
  const frame = () => new Promise((done) => requestAnimationFrame(done));
  const times = [];
  let last = await frame();
  for (let at = 0; at < count; at += 1) {
    view.scrollTop += step;
    const now = await frame();
    times.push(now - last);
    last = now;
  }
  return times;
}"""

# The time from a key to the frame after the selected row and the state are drawn.
JUMP = """async (commit) => {
  const shown = () =>
    document.querySelector('.grid .row[aria-selected=true] .number')?.textContent === String(commit)
    && document.querySelector('#state-1 .preview')?.textContent === String(commit);
  const begin = performance.now();
  const slider = document.querySelector('.slider');
  slider.value = commit;
  slider.dispatchEvent(new Event('input'));
  const frame = () => new Promise((done) => requestAnimationFrame(done));
  while (!shown()) {
    if (performance.now() - begin > 8000) throw new Error('nothing shown');
    await frame();
  }
  const requests = performance.getEntriesByType('resource').filter((r) => r.startTime >= begin);
  const waited = requests.map((r) => [r.requestStart, r.responseStart]).sort((a, b) => a[0] - b[0]);
  let server = 0, until = 0;
  for (const [from, to] of waited) {
    server += Math.max(0, to - Math.max(from, until));
    until = Math.max(until, to);
  }
  return [performance.now() - begin, server];
}"""


def test_paints_soon(page):
    paint = page.evaluate("performance.getEntriesByName('first-contentful-paint')[0].startTime")
    rows = page.evaluate("performance.getEntriesByType('resource').at(-1).responseEnd")
    print(f"\nfirst paint {paint:.0f} ms, rows and state {rows:.0f} ms")
    expect(page.locator(".count")).to_have_text("1,000,000 actions")
    assert paint < 2_000
    assert rows < 4_000


def test_jumps_soon(page):
    times = [page.evaluate(JUMP, commit) for commit in (500_000, 3, 999_999, 123_456, 777_777)]
    for whole, server in times:
        print(f"\njump {whole:.0f} ms, of which the server {server:.0f} ms", end="")
    print()
    assert sorted(whole - server for whole, server in times)[2] < 500


@pytest.mark.parametrize("step", [120, 30_000], ids=["wheel", "drag"])
def test_scrolls_smoothly(page, step):
    page.keyboard.press("[")
    expect(page.locator(".grid .row[aria-selected=true] .number")).to_have_text("1")
    page.evaluate(FRAMES, [".grid", step, 10])
    times = sorted(page.evaluate(FRAMES, [".grid", step, 120]))
    print(f"\nframes while scrolling: median {times[60]:.1f} ms, longest {times[-1]:.1f} ms")
    assert times[60] < 50
    expect(page.locator(".grid .row.waiting:visible")).to_have_count(0)
    top = page.locator(".grid").evaluate("view => view.scrollTop")
    first = page.locator(".grid .row:not(.head):visible").first.get_attribute("aria-rowindex")
    assert abs(int(first) - 2 - top / 24) < 8


def test_reaches_both_ends(page):
    grid = page.locator(".grid")
    grid.evaluate("view => { view.scrollTop = 0; }")
    expect(page.locator(".grid .row:visible .number:text-is('1')")).to_be_visible()
    grid.evaluate("view => { view.scrollTop = view.scrollHeight; }")
    expect(page.locator(".grid .row:visible .number:text-is('1000000')")).to_be_visible()
    assert page.locator(".grid .row").count() < 100


@pytest.mark.commits(5_000_000)
def test_scales_the_scroll_bar_beyond_the_tallest_element(page):
    grid = page.locator(".grid")
    assert grid.evaluate("view => view.scrollHeight") < 33_554_428
    expect(page.locator(".grid .row:visible .number:text-is('5000000')")).to_be_visible()
    grid.evaluate("view => { view.scrollTop = view.scrollHeight / 2; }")
    shown = page.wait_for_function(
        """() => [...document.querySelectorAll('.grid .row .number')]
          .map((cell) => Number(cell.textContent)).find((n) => Math.abs(n - 2500000) < 1000)"""
    ).json_value()
    grid.hover()
    page.mouse.wheel(0, 240)
    page.wait_for_function(
        """(before) => { const all = [...document.querySelectorAll('.grid .row .number')]
          .map((cell) => Number(cell.textContent)).filter(Boolean);
          return Math.min(...all) > before && Math.min(...all) < before + 40; }""",
        arg=shown - 4,
    )
    page.keyboard.press("[")
    expect(page.locator(".grid .row[aria-selected=true] .number")).to_have_text("1")
