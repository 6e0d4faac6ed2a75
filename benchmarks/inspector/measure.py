"""Measures the inspector beside a program with 65,536 records that dispatches 1,000,000 actions: how
soon the page shows them, jumps and scrolls, and what memory takes. Prints a table.

    measure.py [ACTIONS]

It needs Chromium, and Playwright from PyPI.
"""

from __future__ import annotations

import json
import os
import random
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path
from typing import Any

from playwright.sync_api import sync_playwright

RECORDS = 65_536
ACTIONS = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000
RATE = 10_000
JUMPS = 40

# The time until the row and the state of a commit are drawn, in milliseconds. The state has its number.
JUMP = """async (commit) => {
  const count = () => [...document.querySelectorAll('.tree .row')]
    .find((row) => row.textContent.startsWith('count'))?.textContent ?? '';
  const row = () => document.querySelector('.grid .row[aria-selected=true] .number')?.textContent;
  const frame = () => new Promise((done) => requestAnimationFrame(done));
  const begin = performance.now();
  const slider = document.querySelector('.slider');
  slider.value = commit;
  slider.dispatchEvent(new Event('input'));
  while (row() !== String(commit) || !count().endsWith(String(commit))) {
    if (performance.now() - begin > 10000) throw new Error(`nothing shown: ${row()}, ${count()}`);
    await frame();
  }
  return performance.now() - begin;
}"""

# Scrolls in each frame, and returns the times between frames in milliseconds.
SCROLL = """async ([step, count]) => {
  const view = document.querySelector('.grid');
  const frame = () => new Promise((done) => requestAnimationFrame(done));
  view.scrollTop = 0;
  for (let at = 0; at < 10; at += 1) await frame();
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


def row(what: str, measured: str, bound: str = "") -> None:
    print(f"{what:<58} {measured:>22}  {bound}", flush=True)


def times(seconds: list[float]) -> str:
    return f"{1e3 * statistics.median(seconds):.1f}, worst {1e3 * max(seconds):.1f} ms"


def resident(process: int) -> int:
    """The bytes that a process has in memory."""
    pages = int(Path(f"/proc/{process}/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE")


class Api:
    """The answers of the server."""

    def __init__(self, address: str) -> None:
        self._address = address

    def get(self, path: str) -> Any:
        with urllib.request.urlopen(f"{self._address}api/{path}") as answer:
            return json.load(answer)

    def wait_for(self, commits: int) -> dict[str, Any]:
        """The description of the store, after the server has read all commits."""
        while True:
            store: dict[str, Any] = self.get("program")["stores"][0]
            if store["last"] >= commits and store["keyframes"]["built"] == store["keyframes"]["total"]:
                return store
            time.sleep(0.5)


def measure_server(api: Api, store: dict[str, Any]) -> None:
    chosen = random.Random(2)
    commits = [chosen.randint(1, store["last"]) for _ in range(JUMPS)]

    def timed(path: str) -> float:
        start = time.perf_counter()
        api.get(f"stores/{store['store']}/{path}")
        return time.perf_counter() - start

    row("server: state at a commit", times([timed(f"state?commit={c}&path=/cards") for c in commits]), "100 ms")
    rows = [timed(f"commits?from={max(0, c - 200)}&count=100") for c in commits]
    row("server: 100 rows", times(rows))
    row("server: search in all actions", times([timed("commits?count=100&search=c65535")]))
    last = store["last"]
    row("server: who changed a card", times([timed(f"blame?path=/cards/c77&before={last}&count=20")]))


def measure_page(address: str, store: dict[str, Any]) -> None:
    chosen = random.Random(3)
    with sync_playwright() as playwright:
        sandbox = ["--no-sandbox"] if os.geteuid() == 0 else []
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=sandbox)
        page = browser.new_page(viewport={"width": 1440, "height": 900})
        start = time.perf_counter()
        page.goto(address)
        page.wait_for_selector(".grid .row[aria-selected=true] .type:text-matches('.{4}')")
        row("page: first rows", f"{time.perf_counter() - start:.2f} s", "2 s")
        page.wait_for_selector(".tree .row:has-text('count')")
        jumps = [page.evaluate(JUMP, chosen.randint(1, store["last"])) / 1e3 for _ in range(JUMPS)]
        row("page: jump to a commit, row and state drawn", times(jumps), "100 ms")
        for name, step in ("by the wheel", 120), ("by the scrollbar", 30_000):
            frames = [milliseconds / 1e3 for milliseconds in page.evaluate(SCROLL, [step, 200])]
            row(f"page: frames while scrolling {name}", times(frames), "50 ms")
        used = page.evaluate("performance.memory.usedJSHeapSize")
        row("page: memory of the script", f"{used / 1e6:.0f} MB")
        browser.close()


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        socket = f"{folder}/s"
        arguments = [str(number) for number in (RECORDS, ACTIONS, RATE)]
        here = Path(__file__).parent
        with subprocess.Popen(
            [sys.executable, here / "program.py", socket, *arguments],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
        ) as program:
            assert program.stdin and program.stdout
            program.stdout.readline()
            before = resident(program.pid)
            with subprocess.Popen(
                [sys.executable, "-m", "immutabledata", "inspect", socket, "--no-browser"],
                stdout=subprocess.PIPE, text=True,
            ) as inspector:
                assert inspector.stdout
                address = json.loads(inspector.stdout.readline())["address"]
                api = Api(address)
                api.wait_for(0)
                start = time.perf_counter()
                program.stdin.write("\n")
                program.stdin.flush()
                program.stdout.readline()
                row(f"program: {ACTIONS:,} actions", f"{time.perf_counter() - start:.0f} s")
                store = api.wait_for(ACTIONS)
                row("commits that were dropped", f"{store['dropped']:,}")
                measure_server(api, store)
                measure_page(address, store)
                row("memory of the program, before and after",
                    f"{before / 1e6:.0f}, {resident(program.pid) / 1e6:.0f} MB")
                memory = api.get("program")["memory"]
                row("memory of the server", f"{memory['server'] / 1e6:.0f} MB")
                row("database of the server", f"{memory['database'] / 1e6:.0f} MB")
                inspector.terminate()
            program.stdin.close()


if __name__ == "__main__":
    main()
